from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.settings import Settings, load
from tenxgraph_tui.tui.app import TenxApp
from tenxgraph_tui.tui.intents import EditFile
from tenxgraph_tui.tui.screens.columns import ColumnsScreen
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.screens.settings import SettingFoot, SettingList, SettingsScreen
from tenxgraph_tui.tui.screens.themes import ThemeList, ThemeScreen
from tests.tui.script import SCRIPT, Stage, play, screen_text, stage, until

WIDE, SMALL = (160, 45), (80, 24)


def row(name: str) -> int:
    """Where a setting stands in the sheet."""
    return list(Settings.model_fields).index(name)


def line_of(on: Stage, name: str) -> list[str]:
    lines = (line.replace("┃", " ").split() for line in screen_text(on.app).splitlines())
    return next(line[line.index(name) :] for line in lines if name in line)


@pytest.mark.parametrize("size", [WIDE, SMALL], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_settings_are_shown_with_their_origin(size: tuple[int, int], tmp_path: Path) -> None:
    (tmp_path / "tenxgraph-tui.toml").write_text("timeout = 30\n")
    on = stage(settings=load(tmp_path, {}, {}))
    async with on.app.run_test(size=size) as pilot:
        await pilot.press(",")
        await until(pilot, lambda: isinstance(on.app.screen, SettingsScreen))
        await pilot.pause()
        assert line_of(on, "timeout")[:3] == ["timeout", "30", "tenxgraph-tui.toml"]
        assert "esc Close" in screen_text(on.app)
        await pilot.press(",")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))


async def test_colours_are_tried_on_and_kept_for_the_project() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press(",", *["down"] * row("theme"))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(on.app.screen, ThemeScreen))
        await pilot.press("down")
        await until(pilot, lambda: on.app.theme == "tenx-light")
        assert on.remembered.theme is None
        await pilot.press("escape")
        await until(pilot, lambda: on.app.theme == "tenx-dark")
        await until(pilot, lambda: isinstance(on.app.screen, SettingsScreen))
        await pilot.press("enter", "down", "down", "enter")
        await until(pilot, lambda: isinstance(on.app.screen, SettingsScreen))
        await pilot.pause()
        assert on.remembered.theme == on.app.theme == "tenx-contrast"
        assert line_of(on, "theme")[:4] == ["theme", "tenx-contrast", "chosen", "here"]
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))


async def test_signs_are_switched_in_place() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press(",", *["down"] * row("ascii"))
        await pilot.press("space")
        await until(pilot, lambda: line_of(on, "ascii")[1] == "yes")
        assert on.remembered.ascii is True
        await pilot.press("escape")
        await until(pilot, lambda: "x failed" in screen_text(on.app))


async def test_columns_are_chosen_on_their_own_sheet() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press(",", *["down"] * row("columns"), "enter")
        await until(pilot, lambda: isinstance(on.app.screen, ColumnsScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))


async def test_all_keys_stand_on_the_second_tab_with_the_ids_that_settings_need() -> None:
    on = stage()
    async with on.app.run_test(size=SMALL) as pilot:
        await pilot.press(",", "2", "down")
        await until(pilot, lambda: "run.failed" in screen_text(on.app))
        assert line_of(on, "run.failed")[:4] == ["run.failed", "f", "Rerun", "failed"]
        assert '"run.start" = "f9" under [keys]' in screen_text(on.app)
        await pilot.press("1")
        await until(pilot, lambda: "max_concurrency" in screen_text(on.app))


async def test_o_opens_the_place_of_a_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tenxgraph-tui.toml").write_text('\ntarget = "a.py:a"\n')
    asked: list[EditFile] = []
    monkeypatch.setattr(
        TenxApp, "on_edit_file", lambda _, message: asked.append(message), raising=False
    )
    on = stage(settings=load(tmp_path, {}, {}))
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press(",", "down", "o")
        await until(pilot, lambda: len(asked) == 1)
    assert (asked[0].file, asked[0].line) == (str(tmp_path / "tenxgraph-tui.toml"), 2)


async def test_the_mouse_chooses_tabs_rows_and_themes() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press(",")
        await until(pilot, lambda: isinstance(on.app.screen, SettingsScreen))
        rule = on.app.screen.query_one(SettingList)
        await pilot.click(SettingList, offset=(16, 0))
        await until(pilot, lambda: rule.tab.name == "Keys")
        await pilot.click(SettingList, offset=(3, 0))
        await until(pilot, lambda: rule.tab.name == "Settings")
        await pilot.click(SettingList, offset=(5, 1 + row("theme")))
        await until(pilot, lambda: "enter Change" in screen_text(on.app))
        await pilot.click(SettingList, offset=(5, 1 + row("theme")))
        await until(pilot, lambda: isinstance(on.app.screen, ThemeScreen))
        await pilot.click(ThemeList, offset=(5, 2))
        await until(pilot, lambda: on.app.theme == "tenx-light")
        await pilot.click(ThemeList, offset=(5, 2))
        await until(pilot, lambda: on.remembered.theme == "tenx-light")
        await pilot.click(offset=(1, 1))
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))


async def test_a_theme_is_found_by_its_name() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("ctrl+p", *"choose colo", "enter")
        await until(pilot, lambda: isinstance(on.app.screen, ThemeScreen))
        await pilot.press("escape", "ctrl+p", *"dracula", "enter")
        await until(pilot, lambda: on.app.theme == "dracula")
        assert on.remembered.theme == "dracula"
        await pilot.press("ctrl+p", *"ascii", "enter")
        await until(pilot, lambda: on.app.look.is_ascii)


@pytest.mark.parametrize("size", [(1, 1), (20, 3), (40, 10), (400, 120)], ids=str)
async def test_the_sheets_fit_any_terminal(size: tuple[int, int]) -> None:
    on = stage()
    async with on.app.run_test(size=size) as pilot:
        await pilot.press(",")
        await until(pilot, lambda: isinstance(on.app.screen, SettingsScreen))
        await pilot.pause()
        assert on.app.screen.query_one(SettingFoot)
        await pilot.press("2", "escape", "ctrl+p", *"choose colo", "enter")
        await pilot.pause()
        assert max(map(len, screen_text(on.app).splitlines())) <= size[0]


async def test_enter_on_what_is_not_changed_here_says_how_it_is(tmp_path: Path) -> None:
    on = stage(settings=load(tmp_path, {}, {}))
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press(",", *["down"] * row("timeout"), "enter")
        await until(pilot, lambda: bool(list(on.app._notifications)))
        (toast,) = on.app._notifications
        assert toast.title == "– Not changed here"
        assert "tenxgraph-tui.toml" in toast.message
