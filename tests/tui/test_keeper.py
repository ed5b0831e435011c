"""What was chosen in one session is found by the next one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tenxgraph_tui.tui import start as starting
from tenxgraph_tui.tui.app import TenxApp
from tenxgraph_tui.tui.remembered import Memory
from tenxgraph_tui.tui.widgets.case_table import CaseTable
from tenxgraph_tui.tui.widgets.detail import CaseDetail
from tests.tui.script import eval_set, screen_text, until


@pytest.fixture
def path(project: Path) -> Path:
    for name, ids in (("weather", ["london", "paris", "tokyo"]), ("support", ["refund"])):
        eval_set(name, ids, target="agents.py:assistant").to_file(f"{name}.evalset.json")
    return project / ".tenxgraph-tui" / "dashboard.json"


def opened(*paths: str, preset: str | None = None) -> TenxApp:
    return starting.make_app(paths=paths, preset=preset)[0]


def selected(app: TenxApp) -> set[str]:
    return {case.eval_id for case in app.desk.choices.selected}


def selected_in(path: Path) -> list[list[str]]:
    return list(json.loads(path.read_text())["selected"])


def write(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text)


async def first_session() -> None:
    app = opened()
    async with app.run_test(size=(160, 45)) as pilot:
        await pilot.press("down", "space")  # it moves on to the next case
        await pilot.press("p", "down", "enter", "escape", "2")
        await until(pilot, lambda: app.desk.choices.preset.name != "offline")
        await pilot.press("q")


async def test_preset_selection_cursor_and_tab_are_put_back(path: Path) -> None:
    await first_session()
    app = opened()
    async with app.run_test(size=(160, 45)) as pilot:
        detail, table = app.screen.query_one(CaseDetail), app.screen.query_one(CaseTable)
        await until(pilot, lambda: detail.view == "Trajectory")
        assert table.key is not None
        at = table.key.eval_id
        assert "1 of 4 cases selected" in screen_text(app)
    kept = Memory(path).values
    assert kept.case is not None
    assert at == kept.case.eval_id != "refund"
    assert app.desk.choices.preset.name == kept.preset != "offline"
    assert selected(app) == {place.eval_id for place in kept.selected}
    assert len(selected(app)) == 1


async def test_the_command_line_wins(path: Path) -> None:
    await first_session()
    assert opened(preset="strict").desk.choices.preset.name == "strict"


async def test_an_environment_variable_wins(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await first_session()
    monkeypatch.setenv("TENXGRAPH_TUI_PRESET", "relaxed")
    assert opened().desk.choices.preset.name == "relaxed"


async def test_what_is_no_longer_there_is_not_selected(path: Path) -> None:
    await first_session()
    eval_set("weather", ["rome"], target="agents.py:assistant").to_file("weather.evalset.json")
    eval_set("support", ["other"], target="agents.py:assistant").to_file("support.evalset.json")
    app = opened()
    async with app.run_test(size=(160, 45)) as pilot:
        await pilot.pause()
        assert not selected(app)


async def test_the_same_case_is_found_from_another_folder(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await first_session()
    elsewhere = path.parents[1] / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert len(selected(opened("../weather.evalset.json", "../support.evalset.json"))) == 1


async def test_looking_at_a_part_forgets_nothing_of_the_rest(path: Path) -> None:
    await first_session()
    before = selected_in(path)
    other = {"weather.evalset.json": "support", "support.evalset.json": "weather"}[before[0][0]]
    app = opened(f"{other}.evalset.json")
    async with app.run_test(size=(160, 45)) as pilot:
        await pilot.press("q")
    assert selected_in(path) == before


def test_a_preset_that_is_gone_leaves_the_default(path: Path) -> None:
    write(path, '{"version": 1, "preset": "of-last-year"}')
    assert opened().desk.choices.preset.name == "offline"


async def test_what_a_large_project_is_read_for_is_put_back_when_it_is_there(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await first_session()
    before = selected_in(path)
    monkeypatch.setattr(starting, "LARGE", 0)
    eval_set("other", ["one"], target="agents.py:assistant").to_file("other.evalset.json")
    app = opened("other.evalset.json", f"{before[0][0]}")
    async with app.run_test(size=(160, 45)) as pilot:
        app._keeper.tick(app)
        await until(pilot, lambda: len(selected(app)) == 1)
        await pilot.press("q")
    assert selected_in(path) == before


async def test_a_broken_memory_is_said_once_and_stops_nothing(path: Path) -> None:
    write(path, "{")
    app = opened()
    async with app.run_test(size=(160, 45), notifications=True) as pilot:
        await until(pilot, lambda: "! Not remembered" in screen_text(app))
        assert "london" in screen_text(app)


async def test_what_cannot_be_written_is_said_once(path: Path) -> None:
    app = opened()
    async with app.run_test(size=(160, 45), notifications=True) as pilot:
        path.parent.write_text("no folder can be made here")
        await pilot.press("space")
        app._keeper.tick(app)
        await until(pilot, lambda: "! Not remembered" in screen_text(app))
        app.clear_notifications()
        await pilot.press("space")
        app._keeper.tick(app)
        await pilot.pause()
        assert "! Not remembered" not in screen_text(app)


async def test_the_palette_forgets_it_all(path: Path) -> None:
    await first_session()
    app = opened()
    async with app.run_test(size=(160, 45), notifications=True) as pilot:
        await pilot.press("ctrl+p", *"forget", "enter")
        await until(pilot, lambda: "✓ Forgotten" in screen_text(app))
        await pilot.press("q")
    assert not Memory(path).values.selected
    assert opened().desk.choices.preset.name == "offline"
