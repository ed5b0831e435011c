"""What stands in front of a screen is not closed in its place, however often it is left."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest
from textual.app import App
from textual.screen import Screen

from tenxgraph_tui.evaluation.events import CaseStarted
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.screens.case import CaseScreen
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.screens.drawer import Drawer
from tenxgraph_tui.tui.screens.front import Front, Sheet
from tenxgraph_tui.tui.screens.help import HelpScreen
from tenxgraph_tui.tui.screens.what_if import WhatIfScreen
from tests.tui.failing import kept, shown
from tests.tui.script import SCRIPT, Script, catalog, play, stage, until


@pytest.mark.parametrize("kind", [Front, Sheet])
async def test_a_screen_gives_its_result_once(kind: type[Screen[str]]) -> None:
    app: App[None] = App()
    given: list[str | None] = []
    async with app.run_test() as pilot:
        below: Sheet[None] = Sheet()
        await app.push_screen(below)
        chooser = kind()
        await app.push_screen(chooser, given.append)
        chooser.dismiss("first")
        chooser.dismiss("second")
        await pilot.pause()
        assert given == ["first"]
        assert app.screen is below


async def test_thresholds_under_another_screen_end_when_they_are_seen_again(tmp_path: Path) -> None:
    on = shown(kept(tmp_path))
    async with on.app.run_test(size=(100, 30)) as pilot:
        await pilot.press("t")
        await until(pilot, lambda: isinstance(on.app.screen, WhatIfScreen))
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(on.app.screen, HelpScreen))

        on.desk._awaited = None
        await play(pilot, on, Script("other").begin(on.desk.catalog).events)
        assert isinstance(on.app.screen, HelpScreen)

        await pilot.press("escape")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))


async def test_a_case_that_is_gone_is_left_when_nothing_stands_before_it() -> None:
    over = catalog(weather=("a", "b"))
    on = stage(over)
    async with on.app.run_test(size=(100, 30)) as pilot:
        await play(pilot, on, Script().begin(over).add(CaseStarted, case=CaseKey(0, "a")).events)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(on.app.screen, HelpScreen))

        other = catalog(weather=("c",))
        on.desk._awaited = None
        await play(pilot, on, Script("other").begin(other).events)
        on.desk.board.cases.pop(CaseKey(0, "a"), None)
        on.app._shared.changed.publish(None)
        await pilot.pause()
        assert isinstance(on.app.screen, HelpScreen)

        await pilot.press("escape")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))


async def test_a_drawer_under_another_screen_is_shut_when_the_window_was_made_wide() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(on.app.screen, Drawer))
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(on.app.screen, HelpScreen))
        await pilot.resize_terminal(160, 45)
        await pilot.pause()
        assert isinstance(on.app.screen, HelpScreen)

        await pilot.press("escape")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))


async def test_a_case_that_was_left_is_kept_by_nobody() -> None:
    on = stage()
    async with on.app.run_test(size=(100, 30)) as pilot:
        await play(pilot, on, SCRIPT)
        opened: list[weakref.ref[Screen[object]]] = []
        for _ in range(2):
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))
            await pilot.pause()
            opened.append(weakref.ref(on.app.screen))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
        await pilot.pause()
        gc.collect()
        assert [screen() for screen in opened] == [None, None]
