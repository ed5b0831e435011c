"""What is left of a screen that was left."""

from __future__ import annotations

import gc

from textual._styles_cache import StylesCache
from textual.widget import Widget

from tenxgraph_tui.tui.screens.case import CaseScreen
from tests.tui.script import SCRIPT, play, stage, until


def drawn_of_nothing() -> int:
    """How many lines are kept of widgets that are gone."""
    gc.collect()
    found = gc.get_objects()
    widgets = {id(one._styles_cache) for one in found if isinstance(one, Widget)}
    kept = [one for one in found if isinstance(one, StylesCache) and id(one) not in widgets]
    return sum(len(one._cache) for one in kept)


async def test_nothing_that_was_drawn_of_a_case_is_kept_once_it_was_left() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30)) as pilot:
        await play(pilot, on, SCRIPT)
        before = drawn_of_nothing()
        for _ in range(3):
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))
            await pilot.pause()
            await pilot.press("escape")
            await until(pilot, lambda: not isinstance(on.app.screen, CaseScreen))
            await pilot.pause()
        assert drawn_of_nothing() <= before
