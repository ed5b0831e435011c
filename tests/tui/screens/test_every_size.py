"""No size of the terminal breaks a screen: nothing raises, nothing is drawn outside."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from rich.cells import cell_len
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input

from tenxgraph_tui.tui.widgets.notices import TooSmall
from tests.tui.scenes import SCENES, enter, set_stage
from tests.tui.script import screen_text

ALL_WIDTHS = [(width, 24) for width in range(1, 131)]
ALL_HEIGHTS = [(100, height) for height in range(1, 51)]
SOME = [
    *[(1, 1), (7, 3), (39, 8), (40, 7), (40, 8), (60, 20), (79, 24), (80, 18), (80, 24)],
    *[(20, 5), (65, 20), (40, 10), (10, 3)],
    *[(100, 30), (119, 28), (120, 40), (160, 10), (400, 120)],
]


def assert_inside(screen: Screen[object], size: tuple[int, int]) -> None:
    """Every line fills the width, and no widget reaches over the edge."""
    lines = screen_text(screen.app).splitlines()
    assert len(lines) == size[1], size
    assert {cell_len(line) for line in lines} == {size[0]}, size
    if size[0] < TooSmall.NEEDED[0] or size[1] < TooSmall.NEEDED[1]:
        assert not isinstance(screen, ModalScreen) or not [*drawn(screen)], size
        return
    for widget in drawn(screen):
        assert screen.region.contains_region(widget.region), (size, widget, widget.region)
        for y in range(widget.size.height):
            strip = widget.render_line(y)
            assert strip.cell_length <= widget.size.width, (size, widget, y)


def drawn(screen: Screen[object]) -> Iterable[Widget]:
    """The widgets that draw their own lines and have room to."""
    for widget in screen.query(Widget):
        shown = widget in screen._compositor.visible_widgets
        is_ours = type(widget).__module__.startswith("tenxgraph_tui")
        if shown and is_ours and not widget.children and not isinstance(widget, Input):
            yield widget


@pytest.mark.parametrize("name", SCENES)
async def test_a_screen_is_drawn_at_any_size(name: str) -> None:
    on = set_stage(SCENES[name])
    async with on.app.run_test(size=(120, 40), notifications=True) as pilot:
        await enter(pilot, on, SCENES[name])
        for size in SOME:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert_inside(on.app.screen, size)


@pytest.mark.parametrize("sizes", [ALL_WIDTHS, ALL_HEIGHTS], ids=["width", "height"])
@pytest.mark.parametrize("name", ["after a run", "a case"])
async def test_the_main_screens_are_drawn_at_every(name: str, sizes: list[tuple[int, int]]) -> None:
    on = set_stage(SCENES[name])
    async with on.app.run_test(size=(120, 40)) as pilot:
        await enter(pilot, on, SCENES[name])
        for size in sizes:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert_inside(on.app.screen, size)


@pytest.mark.parametrize("size", SOME, ids=lambda size: "{}x{}".format(*size))
async def test_the_first_frame_is_drawn_at_any_size(size: tuple[int, int]) -> None:
    on = set_stage(SCENES["after a run"])
    async with on.app.run_test(size=size) as pilot:
        await pilot.pause()
        assert_inside(on.app.screen, size)
