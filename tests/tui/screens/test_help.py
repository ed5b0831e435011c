from __future__ import annotations

import pytest

from tenxgraph_tui.tui.commands import key_groups
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.screens.help import HelpScreen
from tests.tui.script import SCRIPT, play, screen_text, stage, until

WIDE, SMALL = (160, 45), (80, 24)


@pytest.mark.parametrize(
    ("keys", "first"),
    [
        pytest.param([], "Cases", id="cases"),
        pytest.param(["b"], "Eval sets", id="browser"),
        pytest.param(["p"], "Preset", id="presets"),
        pytest.param(["tab"], "Drill-down", id="detail"),
    ],
)
async def test_the_keys_of_the_focused_pane_come_first(keys: list[str], first: str) -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press(*keys)
        titles = [group.title for group in key_groups(on.app.screen)]
        assert titles[:2] == [first, "Everywhere"]
        assert titles[-1] == "Moving"
        await pilot.press("?")
        await until(pilot, lambda: isinstance(on.app.screen, HelpScreen))
        await pilot.pause()
        assert all(title in screen_text(on.app) for title in titles)
        await pilot.press("?")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))


async def test_the_whole_sheet_fits_on_a_small_terminal() -> None:
    on = stage()
    async with on.app.run_test(size=SMALL) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("?")
        await until(pilot, lambda: isinstance(on.app.screen, HelpScreen))
        await pilot.pause()
        text = screen_text(on.app)
        assert isinstance(on.app.screen, HelpScreen)
        assert on.app.screen.sheet.max_scroll_y == 0
    for shown in ("esc Close", "First divergence", "▼ regressed", "▲ fixed", "+ new", "✗ failed"):
        assert shown in text
    for key in ("enter", "space", "ctrl+p", "esc", "tab", "pgdn"):
        assert f" {key} " in text


async def test_a_smaller_one_scrolls() -> None:
    on = stage()
    async with on.app.run_test(size=(50, 12)) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("?")
        await until(pilot, lambda: isinstance(on.app.screen, HelpScreen))
        await pilot.press("end")
        await until(pilot, lambda: "not evaluated" in screen_text(on.app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))


async def test_of_several_keys_the_one_that_was_named_first_is_told_first() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE):
        groups = {group.title: dict(group.keys) for group in key_groups(on.app.screen)}
    assert groups["Preset"]["t → l"] == "Edit criteria"
    assert groups["Eval sets"]["← h"] == "Fold"


async def test_the_numbers_of_the_views_stand_on_one_line() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE):
        groups = {group.title: dict(group.keys) for group in key_groups(on.app.screen)}
    views = [key for key in groups["Drill-down"] if key[0].isdigit()]
    assert len(views) == 1
    assert groups["Drill-down"][views[0]].startswith("Why to ")
    assert groups["Moving"]["pgup pgdn"] == "Page up, down"
