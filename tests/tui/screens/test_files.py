"""What has to do with the files of a project: reading them again, and editing them."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.events import CaseStatus, Reply
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.discovery import discover
from tenxgraph_tui.tui.app import TenxApp
from tenxgraph_tui.tui.catalog import CaseId, Catalog, SetFile
from tenxgraph_tui.tui.choices import presets
from tenxgraph_tui.tui.outline import Kind
from tenxgraph_tui.tui.rereading import Rereader
from tenxgraph_tui.tui.screens.ask import AskScreen
from tenxgraph_tui.tui.screens.case import CaseScreen
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.screens.drawer import Drawer
from tenxgraph_tui.tui.widgets.browser import Browser
from tenxgraph_tui.tui.widgets.case_table import CaseTable
from tenxgraph_tui.tui.widgets.notices import EmptyView
from tests.tui.script import (
    NOW,
    SCRIPT,
    Script,
    Stage,
    catalog,
    eval_set,
    play,
    screen_text,
    stage,
    until,
)

WIDE, MEDIUM, SMALL = (160, 45), (100, 30), (80, 24)
WEATHER = "weather.evalset.json"


def reads(on: Stage, read: Callable[[], Catalog]) -> None:
    """What the files say from now on."""
    on.app.rereader = Rereader(read, presets)


def browser(on: Stage) -> Browser:
    return on.app.screen.query_one(Browser)


async def test_files_are_read_again_and_what_is_different_is_told() -> None:
    on = stage()
    reads(on, lambda: catalog(weather=["london_now", "quite_new", "newer"]))
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "2 cases new, 17 cases gone" in screen_text(on.app))
        text = screen_text(on.app)
        assert "Read again" in text
        assert "ready  3 cases in 1 set" in text
        assert "r Run 3" in text
        assert "quite_new" in text
        assert "refund_denied_by_policy" not in text


async def test_another_key_reads_them_too_and_says_when_nothing_has_changed() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("f5")
        await until(pilot, lambda: "Nothing has changed" in screen_text(on.app))


async def test_files_are_read_again_from_the_drawer() -> None:
    on = stage()
    reads(on, lambda: catalog(weather=["quite_new"]))
    async with on.app.run_test(size=SMALL, notifications=True) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(on.app.screen, Drawer))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "quite_new" in screen_text(on.app))
        assert isinstance(on.app.screen, Drawer)


async def test_a_path_that_is_gone_is_said_and_the_cases_stay() -> None:
    def gone() -> Catalog:
        raise UsageError("no such file or folder: evals")

    on = stage()
    reads(on, gone)
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "no such file or folder: evals" in screen_text(on.app))
        assert "london_now" in screen_text(on.app)


async def test_selection_folding_cursor_and_the_run_stay_when_files_are_read_again() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("b", "down", "down", "down", "space")
        assert on.desk.choices.selected == {CaseId(WEATHER, "tokyo_forecast")}
        later = catalog(
            weather=["first_of_all", "tokyo_forecast"], support=["two_orders_one_email"]
        )
        reads(on, lambda: later)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "first_of_all" in screen_text(on.app))
        assert browser(on).entry.name == "tokyo_forecast"
        assert on.desk.choices.selected == {CaseId(WEATHER, "tokyo_forecast")}
        assert "✗ [x] tokyo_forecast" in screen_text(on.app)
        assert "two_orders_one_email" not in screen_text(on.app).partition("Preset")[0]
        finished = Script().finish(CaseKey(1, "refund_denied_by_policy"), CaseStatus.PASSED)
        await play(pilot, on, finished.events[1:])
        assert "7/18" in screen_text(on.app)


async def test_a_file_that_breaks_says_so_in_its_place_and_costs_no_selection() -> None:
    on = stage(catalog(weather=["london_now", "kobe_wind"]))
    broken = SetFile(WEATHER, problem=f"{WEATHER}:3:1: no JSON: a comma is missing")
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("b", "down", "down", "space")
        reads(on, lambda: Catalog((broken,), "sets"))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "1 file cannot be read" in screen_text(on.app))
        assert "! weather" in screen_text(on.app)
        assert "a comma is missing" in screen_text(on.app)
        reads(on, lambda: catalog(weather=["london_now", "kobe_wind"]))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "1 file can be read again" in screen_text(on.app))
        assert "r Run 1 selected" in screen_text(on.app)


async def test_an_empty_project_finds_what_was_added_and_a_project_can_become_empty() -> None:
    on = stage(Catalog((), "agent", ("/agent",)))
    async with on.app.run_test(size=MEDIUM) as pilot:
        assert "No eval sets here yet" in screen_text(on.app)
        reads(on, lambda: catalog(weather=["london_now"]))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "london_now" in screen_text(on.app))
        assert isinstance(on.app.focused, CaseTable)
        assert "r Run 1" in screen_text(on.app)
        note = "a_eval.py: nothing in it makes an eval set"
        reads(on, lambda: Catalog((), "agent", ("/agent",), notes=(note,)))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "No eval sets here yet" in screen_text(on.app))
        assert note in screen_text(on.app)
        assert isinstance(on.app.focused, EmptyView)


@pytest.fixture
def folder(project: Path) -> Path:
    made = eval_set("weather", ["london", "paris"])
    made.to_file(str(project / WEATHER))
    return project


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Makes an editor of that name, which writes down what it is called with."""
    monkeypatch.setattr(TenxApp, "suspend", lambda _: nullcontext())

    def made(name: str) -> Path:
        note = tmp_path / f"{name}.called"
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(
            f'#!/bin/sh\nsed -i.bak s/london/lisbon/ {WEATHER}\necho "$@" > "{note}.new"\n'
            f'mv "{note}.new" "{note}"\n'
        )
        program.chmod(0o755)
        monkeypatch.setenv("VISUAL", str(program))
        return note

    return made


def over_files(folder: Path) -> Stage:
    def read() -> Catalog:
        return Catalog.of(discover([], folder), "agent", (str(folder),))

    on = stage(read())
    on.desk.root = folder
    reads(on, read)
    return on


def line_of(folder: Path, eval_id: str) -> int:
    lines = (folder / WEATHER).read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if json.dumps(eval_id) in line)


async def test_a_case_is_edited_where_it_stands_and_its_file_is_read_again(
    folder: Path, editor: Callable[[str], Path]
) -> None:
    called, on = editor("vim"), over_files(folder)
    line = line_of(folder, "paris")
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        assert "o Edit" in screen_text(on.app)
        await pilot.press("down", "o")
        await until(pilot, called.exists)
        assert called.read_text().split() == [f"+{line}", str(folder / WEATHER)]
        await until(pilot, lambda: "1 case new, 1 case gone" in screen_text(on.app))
        await until(pilot, lambda: "lisbon" in screen_text(on.app))


async def test_an_editor_with_a_window_is_not_waited_for(
    folder: Path, editor: Callable[[str], Path]
) -> None:
    called, on = editor("code"), over_files(folder)
    line = line_of(folder, "london")
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: f"Opened {WEATHER}" in screen_text(on.app))
        await until(pilot, called.exists)
        assert called.read_text().split() == ["--wait", "--goto", f"{folder / WEATHER}:{line}"]
        await until(pilot, lambda: "lisbon" in screen_text(on.app))


async def test_a_file_is_edited_from_the_browser_and_from_the_whole_case(
    folder: Path, editor: Callable[[str], Path]
) -> None:
    called, on = editor("nano"), over_files(folder)
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("b", "down", "o")
        await until(pilot, called.exists)
        assert called.read_text().split() == [str(folder / WEATHER)]
        called.unlink()
        await pilot.press("escape", "down", "enter")
        await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))
        await pilot.press("o")
        await until(pilot, called.exists)
        assert called.read_text().split()[0] == f"+{line_of(folder, 'paris')}"


async def test_a_problem_is_opened_at_its_line(folder: Path, editor: Callable[[str], Path]) -> None:
    (folder / "bad.evalset.json").write_text('{"eval_cases": [\n{"eval_id": "x"},\n,]}')
    called, on = editor("vim"), over_files(folder)
    async with on.app.run_test(size=WIDE) as pilot:
        await pilot.press("b", "end", "enter")
        assert browser(on).entry.kind is Kind.NOTE
        await until(pilot, called.exists)
        assert called.read_text().split() == ["+3", str(folder / "bad.evalset.json")]


async def test_an_error_of_the_target_is_opened_at_its_line(
    folder: Path, editor: Callable[[str], Path]
) -> None:
    called, on = editor("vim"), over_files(folder)
    (folder / "agents.py").write_text("\n\nretrun 1\n")
    async with on.app.run_test(size=MEDIUM) as pilot:
        await pilot.press("r")
        run_id = on.children[-1].request.run_id
        error = "target agents.py:a could not be imported: SyntaxError: bad (agents.py:3)"
        await play(
            pilot,
            on,
            [Reply(seq=0, at=NOW, run_id=run_id, request="run", error=error, exit_code=5)],
        )
        await until(pilot, lambda: "o Open line 3" in screen_text(on.app))
        await pilot.press("o")
        await until(pilot, called.exists)
        assert called.read_text().split()[0] == "+3"
        assert called.read_text().split()[1].endswith("agents.py")


async def test_without_an_editor_it_is_said_what_to_set(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    on = over_files(folder)
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: "No editor is set" in screen_text(on.app))
        assert "Set $EDITOR, or editor in the settings" in screen_text(on.app)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        pytest.param("no-such-editor", "no-such-editor: No such file", id="in the terminal"),
        pytest.param("/nowhere/code -w", "/nowhere/code: No such file", id="with a window"),
        pytest.param("vim '", "is no command", id="not a command"),
    ],
)
async def test_an_editor_that_cannot_be_started_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, told: str
) -> None:
    monkeypatch.setattr(TenxApp, "suspend", lambda _: nullcontext())
    monkeypatch.setenv("VISUAL", command)
    on = over_files(folder)
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: "The editor did not open" in screen_text(on.app))
        assert told in screen_text(on.app)


async def test_where_there_is_no_terminal_to_lend_it_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "vim")
    on = over_files(folder)
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: "No terminal to lend" in screen_text(on.app))


async def test_an_empty_project_is_left_for_another_folder(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "elsewhere").mkdir()
    monkeypatch.setenv("HOME", str(project))
    on = stage(Catalog((), "agent", (str(project),)))
    async with on.app.run_test(size=MEDIUM) as pilot:
        assert "o Open a folder" in screen_text(on.app)
        await pilot.press("o")
        await until(pilot, lambda: isinstance(on.app.screen, AskScreen))
        await pilot.press("enter")
        await until(pilot, lambda: "type the path of a folder" in screen_text(on.app))
        await pilot.press(*"~/elswhere", "enter")
        await until(pilot, lambda: "did you mean" in screen_text(on.app))
        assert on.app.going_to is None
        await pilot.press(*(["backspace"] * len("lswhere")), *"lse")
        await until(pilot, lambda: "elsewhere/" in screen_text(on.app))
        await pilot.press("right", "enter")
        await until(pilot, lambda: on.app.return_code is not None)
    assert on.app.going_to == project / "elsewhere"


async def test_another_folder_is_asked_for_and_not_opened() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM) as pilot:
        on.app.action_open_folder()
        await until(pilot, lambda: isinstance(on.app.screen, AskScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(on.app.screen, DashboardScreen))
    assert on.app.going_to is None


async def test_a_run_that_goes_on_is_not_left_for_another_folder() -> None:
    on = stage()
    async with on.app.run_test(size=MEDIUM, notifications=True) as pilot:
        await pilot.press("r")
        on.app.action_open_folder()
        await until(pilot, lambda: "A run goes on. x cancels it." in screen_text(on.app))
        assert isinstance(on.app.screen, DashboardScreen)
