from __future__ import annotations

import pytest
from rich.color import Color

from tenxgraph_tui.tui.panes.scrolled import THUMB, TRACK
from tenxgraph_tui.tui.widgets.case_table import CaseTable
from tenxgraph_tui.tui.widgets.scroll_line import ScrollLine
from tests.tui.script import Script, catalog, play, screen_text, stage, until

MANY = [f"case_{number}" for number in range(60)]


class BelowTwo(ScrollLine):
    HEAD = 2


def drawn(
    position: float, *, size: int = 12, total: float = 42, bar: type[ScrollLine] = BelowTwo
) -> str:
    made = BelowTwo.render_bar(size=size, virtual_size=total, window_size=size, position=position)
    return "".join(segment.text for segment in made.segments)


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        pytest.param(0, "  " + THUMB * 2 + TRACK * 8, id="at the top"),
        pytest.param(15, "  " + TRACK * 4 + THUMB * 2 + TRACK * 4, id="in the middle"),
        pytest.param(30, "  " + TRACK * 8 + THUMB * 2, id="at the end"),
    ],
)
def test_the_thumb_stands_where_the_shown_rows_are_and_beside_no_head(
    position: float, expected: str
) -> None:
    assert drawn(position) == expected


@pytest.mark.parametrize("size", range(1, 6))
def test_it_is_as_high_as_it_is_told_however_low(size: int) -> None:
    assert len(drawn(3, size=size)) == size


def test_what_does_not_scroll_has_none() -> None:
    assert not drawn(0, total=12).strip()


def test_the_line_is_fainter_than_the_thumb_where_colours_are_known() -> None:
    black, white = Color.parse("#000000"), Color.parse("#ffffff")
    made = ScrollLine.render_bar(10, 40, 10, back_color=black, bar_color=white)
    looks = {one.text: one.style.color for one in made.segments if one.style is not None}
    assert looks == {THUMB: white, TRACK: Color.parse("#4c4c4c")}


async def test_the_table_of_cases_is_scrolled_with_it() -> None:
    on = stage(catalog(weather=MANY))
    async with on.app.run_test(size=(100, 30)) as pilot:
        await play(pilot, on, Script().begin(on.desk.catalog).events)
        table = on.app.screen.query_one(CaseTable)
        bar = table.vertical_scrollbar
        x, y = bar.region.x, bar.region.y
        assert {line[x] for line in screen_text(on.app).splitlines()[y : y + table.HEAD]} <= {" "}
        await pilot.mouse_down(bar, offset=(0, bar.size.height - 1))
        await until(pilot, lambda: table.scroll_offset.y > 0)
