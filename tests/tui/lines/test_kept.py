from __future__ import annotations

from textual.content import Content

from tenxgraph_tui.tui.lines.kept import MOST, Kept


def test_a_line_is_drawn_once_for_each_of_its_looks() -> None:
    kept, drawn = Kept[str](), []

    def draw() -> Content:
        drawn.append(1)
        return Content("line")

    assert kept.get("a", draw) is kept.get("a", draw)
    kept.get("b", draw)
    assert len(drawn) == 2
    kept.clear()
    kept.get("a", draw)
    assert len(drawn) == 3


def test_no_more_than_some_screens_full_are_kept() -> None:
    kept = Kept[int]()
    for look in range(3 * MOST):
        assert kept.get(look, lambda: Content("line")).plain == "line"
    assert len(kept._lines) <= MOST
