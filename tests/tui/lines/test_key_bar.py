from __future__ import annotations

import pytest

from tenxgraph_tui.tui.lines.key_bar import key_bar, placed

KEYS = [("enter", "Open"), ("x", "Cancel run"), ("]", "Next failed")]
ALWAYS = [("?", "Help"), ("q", "Quit")]


def words(width: int) -> str:
    return " ".join(key_bar(KEYS, ALWAYS, width).plain.split())


def test_keys_are_dropped_from_the_right_and_the_way_out_stays() -> None:
    assert words(80) == "enter Open x Cancel run ] Next failed ? Help q Quit"
    assert words(35) == "enter Open ? Help q Quit"


@pytest.mark.parametrize("gap", ["   ", "  "])
def test_every_key_stands_where_a_click_finds_it(gap: str) -> None:
    for width in range(1, 130):
        line = key_bar(KEYS, ALWAYS, width, gap).plain
        assert len(line) == width
        for place in placed(KEYS, ALWAYS, width, gap):
            key, label = [*KEYS, *ALWAYS][place.index]
            assert line[place.start : place.end] == f"{key} {label}"


def test_only_the_key_under_the_mouse_is_marked() -> None:
    for index in range(5):
        line = key_bar(KEYS, ALWAYS, 80, over=index)
        place = next(one for one in placed(KEYS, ALWAYS, 80) if one.index == index)
        marked = [(span.start, span.end) for span in line.spans if "cursor" in str(span.style)]
        assert marked == [(place.start, place.end)]
