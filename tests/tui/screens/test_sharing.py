"""Copying and exporting as one does it: by keys, by mouse, from the palette."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tenxgraph_tui.cli.main import main
from tenxgraph_tui.evaluation.events import CaseStatus, Log, Reply
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.session.workers import WorkerExit
from tenxgraph_tui.tui import editors
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.exporting.app import MOST_PAGES
from tenxgraph_tui.tui.exporting.choice import ExportChoice
from tenxgraph_tui.tui.past import PastRun
from tenxgraph_tui.tui.presets import edited
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.screens.copies import CopyScreen
from tenxgraph_tui.tui.screens.export import ExportScreen
from tenxgraph_tui.tui.start import make_app
from tests.tui.kept import keep
from tests.tui.scenes import done
from tests.tui.script import SCRIPT, Script, Stage, catalog, play, screen_text, stage, until

WIDE = (160, 45)
KEPT = {"tokyo_forecast": CaseStatus.FAILED, "kobe_wind": CaseStatus.ERROR}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def click(pilot: Pilot[Any], words: str) -> None:
    """Click where the screen shows some words."""
    lines = screen_text(pilot.app).splitlines()
    y, line = next((y, line) for y, line in enumerate(lines) if words in line)
    await pilot.click(offset=(line.index(words), y))


async def palette(pilot: Pilot[Any], words: str) -> None:
    """Choose the first command that the palette finds for some words."""
    await pilot.press("ctrl+p", *words)
    await until(pilot, lambda: f"> {words}" in screen_text(pilot.app))
    await pilot.press("enter")


# --- copying -------------------------------------------------------------------------------------


async def test_y_offers_what_can_be_copied_and_enter_copies_it() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await play(pilot, on, done(on.desk.catalog))
        await pilot.press("]", "y")
        await until(pilot, lambda: isinstance(on.app.screen, CopyScreen))
        text = screen_text(on.app)
        for told in (
            "Command that reruns tokyo_forecast",
            "Command that runs the 18 cases",
            "Command that reopens run #18",
            "Pytest test of tokyo_forecast",
            "tenxgraph-tui run weather.evalset.json::tokyo_forecast",
        ):
            assert told in text
        await pilot.press("down")
        await until(
            pilot, lambda: "run weather.evalset.json support.evalset" in screen_text(on.app)
        )
        await pilot.press("up", "y")
        await until(pilot, lambda: "Copied the command that reruns" in screen_text(on.app))
        assert on.app.clipboard == "tenxgraph-tui run weather.evalset.json::tokyo_forecast"
        assert not isinstance(on.app.screen, CopyScreen)


async def test_one_click_is_enough_and_one_beside_it_copies_nothing() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await play(pilot, on, done(on.desk.catalog))
        await pilot.press("y")
        await until(pilot, lambda: isinstance(on.app.screen, CopyScreen))
        await click(pilot, "Command that reopens run #18")
        await until(pilot, lambda: on.app.clipboard.endswith("tenxgraph-tui open 18"))
        await pilot.press("y")
        await until(pilot, lambda: isinstance(on.app.screen, CopyScreen))
        await pilot.click(offset=(2, 2))
        await until(pilot, lambda: not isinstance(on.app.screen, CopyScreen))
        await pilot.press("y", "escape")
        assert on.app.clipboard.endswith("tenxgraph-tui open 18")


async def test_the_selection_is_what_r_would_run() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("space", "down", "space", "y")
        await until(pilot, lambda: isinstance(on.app.screen, CopyScreen))
        assert "Command that runs the selected 2 cases" in screen_text(on.app)
        assert "reopens" not in screen_text(on.app)  # nothing has run
        assert "Pytest" not in screen_text(on.app)
        await pilot.press("down", "enter")
        await until(pilot, lambda: bool(on.app.clipboard))
        assert on.app.clipboard == (
            "tenxgraph-tui run weather.evalset.json::london_now weather.evalset.json::osaka_weekend"
        )


async def test_criteria_that_are_in_no_file_are_told_to_be_missing() -> None:
    on = stage()
    offline = on.desk.choices.preset
    assert offline.config is not None
    config = offline.config.model_copy(deep=True)
    config.disable_criterion("rouge_match")
    on.desk.choose(edited(offline, config))
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("y", "enter")
        await until(pilot, lambda: "Not all of it" in screen_text(on.app))
        assert "offline (edited) is in no file" in screen_text(on.app)
        assert "--preset" not in on.app.clipboard


def kept_stage(path: Path, over: Catalog | None = None) -> tuple[Stage, int]:
    """A stage over a store with one run."""
    over = over or catalog()
    number = keep(path / "runs.db", over, KEPT)
    store = RunStore(path / "runs.db")
    return stage(over, reader=ResultReader(store), store=store), number


async def test_a_case_is_a_test_with_the_config_of_its_run(here: Path) -> None:
    on, number = kept_stage(here)
    store = RunStore(here / "runs.db")
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        on.app.open_run(store.resolve("last"), number)
        await until(pilot, lambda: on.desk.state.finished_at is not None)
        await pilot.press("]", "y", "end", "enter")
        await until(pilot, lambda: "Not copied" in screen_text(on.app))
        assert "What the case was checked with is not kept" in screen_text(on.app)


async def test_a_store_that_cannot_be_read_is_said(here: Path) -> None:
    on, _ = kept_stage(here)
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await play(pilot, on, done(on.desk.catalog))  # a run that the store has not
        await pilot.press("]", "y", "end", "enter")
        await until(pilot, lambda: "there is no run 'run-1'" in screen_text(on.app))


async def test_the_palette_copies_from_the_full_screen_too() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await play(pilot, on, done(on.desk.catalog))
        await pilot.press("]", "enter")
        await palette(pilot, "copy the command that reruns")
        await until(pilot, lambda: bool(on.app.clipboard))
        assert on.app.clipboard == "tenxgraph-tui run weather.evalset.json::tokyo_forecast"


async def test_where_no_case_is_listed_nothing_is_offered() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("/", *"nowhere", "enter", "y")
        await pilot.pause()
        assert not isinstance(on.app.screen, CopyScreen)
        assert "y Copy" not in screen_text(on.app)


# --- exporting -----------------------------------------------------------------------------------


async def begun(pilot: Pilot[Any], on: Stage, keys: Sequence[str] = ()) -> None:
    """An export of what the script tells, after some keys on the sheet."""
    await play(pilot, on, SCRIPT)
    await pilot.press("e")
    await until(pilot, lambda: isinstance(on.app.screen, ExportScreen))
    await pilot.press(*keys, "enter")
    await until(pilot, lambda: bool(on.children))


def answer(on: Stage, **data: Any) -> None:
    reply = Reply(seq=1, at=0.0, run_id="18", request="export", **data)
    on.children[-1].on_event(reply)


async def test_a_run_that_goes_on_is_exported_as_far_as_it_is() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await begun(pilot, on)
        text = screen_text(on.app)
        assert "Export run #18  it goes on: 6 of 18 cases are over" in text
        request = on.children[-1].request
        assert (request.kind, request.run_id) == ("export", "18")
        assert request.export is not None
        assert request.export.formats == ("json", "html")
        assert request.export.folder == str(Path.cwd() / "eval_reports")
        on.children[-1].on_event(Log(seq=0, at=0.0, run_id="18", text="50% written"))
        await until(pilot, lambda: "▸ run #18: 50% written" in screen_text(on.app))
        files = [str(Path.cwd() / "eval_reports" / name) for name in ("a.json", "a.html")]
        answer(on, data={"files": files, "cases": 6, "unfinished": 12})
        await until(pilot, lambda: "Exported run #18" in screen_text(on.app))
        text = " ".join(screen_text(on.app).split())
        assert "12 cases of it are not over yet" in text
        message = " ".join(list(on.app._notifications)[-1].message.split())
        assert "2 files in eval_reports: a.json, …" in message
        assert not isinstance(on.app.screen, ExportScreen)


async def test_what_is_switched_is_asked_for_and_remembered() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await begun(pilot, on, ["space", "down", "down", "space", "end", "up", "space"])
        asked = on.children[-1].request.export
        assert asked is not None
        assert (asked.formats, asked.without) == (("html", "junit"), ("tool_call_details",))
        assert on.remembered.export == ExportChoice(
            formats=("html", "junit"), without=("tool_call_details",)
        )


async def test_boxes_are_switched_by_mouse() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("e")
        await until(pilot, lambda: "[ ] Markdown" in screen_text(on.app))
        await click(pilot, "Markdown")
        await click(pilot, "Markdown")
        await until(pilot, lambda: "[x] Markdown" in screen_text(on.app))
        await pilot.click(offset=(2, 2))
        await until(pilot, lambda: not isinstance(on.app.screen, ExportScreen))


async def test_another_folder_is_typed_and_a_file_is_none(here: Path) -> None:
    (here / "notes.txt").touch()
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("e", *["down"] * 4, "space")
        await until(pilot, lambda: "Folder for reports" in screen_text(on.app))
        await pilot.press("ctrl+u", *"notes.txt", "enter")
        await until(pilot, lambda: "notes.txt is a file" in screen_text(on.app))
        await pilot.press("ctrl+u", *"out", "enter")
        await until(pilot, lambda: "into   out" in screen_text(on.app))
        await pilot.press("enter")
        await until(pilot, lambda: bool(on.children))
        asked = on.children[-1].request.export
        assert asked is not None
        assert asked.folder == str(here / "out")


async def test_without_a_format_it_does_not_begin() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await play(pilot, on, SCRIPT)
        await pilot.press("e", "space", "down", "space", "enter")
        await until(pilot, lambda: "! choose a format" in screen_text(on.app))
        assert on.children == []


async def test_what_went_wrong_stands_on_the_sheet_until_something_is_changed() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await begun(pilot, on)
        answer(on, error="eval_reports: Read-only file system", exit_code=2)
        await until(pilot, lambda: "! eval_reports: Read-only file" in screen_text(on.app))
        assert isinstance(on.app.screen, ExportScreen)
        await pilot.press("space")
        await until(pilot, lambda: "Read-only" not in screen_text(on.app))


async def test_an_export_goes_on_without_its_sheet_and_is_stopped_on_it() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await begun(pilot, on)
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(on.app.screen, ExportScreen))
        assert on.children[-1].calls == []
        await pilot.press("e")
        await until(pilot, lambda: "x Stop" in screen_text(on.app))
        await pilot.press("enter", "x")
        await until(pilot, lambda: "enter Export" in screen_text(on.app))
        assert on.children[-1].calls == ["stop"]
        assert len(on.children) == 1


async def test_a_file_that_was_not_written_is_told_beside_those_that_were() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await begun(pilot, on)
        answer(on, data={"files": ["out/a.json"], "problems": ["HTMLReporter: no space left"]})
        await until(pilot, lambda: "HTMLReporter: no space left" in screen_text(on.app))
        assert "Exported run #18" in screen_text(on.app)


async def test_before_a_run_the_last_one_is_exported() -> None:
    on = stage()
    on.desk.last = PastRun(17, 30, 36, 0.0)
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: "Export run #17  the last one, 36 cases" in screen_text(on.app))
        await pilot.press("e")
        await until(pilot, lambda: bool(on.children))
        assert on.children[-1].request.run_id == "17"


async def test_without_any_run_it_says_what_to_do() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: "No run is kept yet. r runs." in screen_text(on.app))
        assert not isinstance(on.app.screen, ExportScreen)


async def test_a_run_that_is_not_kept_cannot_be_exported() -> None:
    on = stage()
    events = Script().begin(on.desk.catalog, number=18).finish(CaseKey(0, "london_now")).events
    started = replace if False else events[0].model_copy(update={"number": None})
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await play(pilot, on, [started, *events[1:]])
        await pilot.press("e")
        await until(pilot, lambda: "Nothing to export" in screen_text(on.app))


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a browser was asked to show."""
    asked: list[str] = []

    def leave_open(command: Sequence[str], on_closed: object) -> None:
        assert callable(on_closed)
        asked.append(command[-1])

    monkeypatch.setattr(editors, "leave_open", leave_open)
    return asked


async def test_the_page_is_opened_on_request_alone(
    opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    pages = [str(Path.cwd() / f"set {place}.html") for place in range(MOST_PAGES + 1)]
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await begun(pilot, on)
        answer(on, data={"files": [pages[0]]})
        await until(pilot, lambda: "Exported run #18" in screen_text(on.app))
        assert opened == []
        await palette(pilot, "open the exported")
        await until(pilot, lambda: opened == [Path(pages[0]).as_uri()])
        await pilot.press("e", "end", "space", "enter")
        await until(pilot, lambda: len(on.children) == 2)
        answer(on, data={"files": pages})
        await until(pilot, lambda: len(opened) == 1 + MOST_PAGES)


async def test_where_there_is_no_browser_the_page_is_named(
    opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SSH_CONNECTION", "1 2 3 4")
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await begun(pilot, on, ["end", "space"])
        answer(on, data={"files": [str(Path.cwd() / "out" / "a.html")]})
        await until(pilot, lambda: "The page is out/a.html." in screen_text(on.app))
        assert opened == []


async def test_a_real_worker_writes_a_real_run(project: Path) -> None:
    (project / "agents.py").write_text("def echo(messages):\n    return 'nothing'\n")
    (project / "one.evalset.json").write_text(
        '{"eval_set_id": "one", "metadata": {"target": "agents.py:echo"}, "eval_cases": '
        '[{"eval_id": "a", "conversation": [{"user_content": {"role": "user", "content": "hi"}, '
        '"expected_final_response": {"role": "assistant", "content": "hello you"}}]}]}'
    )
    assert main(["run", "one.evalset.json", "--preset", "quick_check", "--quiet"]) == 1
    app, control = make_app(paths=[], run="last")
    reports = project / "eval_reports"
    try:
        async with app.run_test(size=WIDE, notifications=True) as pilot:
            await until(pilot, lambda: app.desk.state.finished_at is not None)
            await pilot.press("e", *["down"] * 3, "space", "enter")
            await until(pilot, lambda: "Exported run #1" in screen_text(app), seconds=30)
            await until(pilot, lambda: not app._exporter.is_busy)
    finally:
        control.close()
    endings = sorted(file.suffix for file in reports.iterdir())
    assert endings == [".html", ".json", ".md"]


async def test_an_export_ends_with_the_dashboard() -> None:
    on = stage()
    async with on.app.run_test(size=WIDE, notifications=True) as pilot:
        await begun(pilot, on)
        child = on.children[-1]
    on.app.conductor._control.close()
    assert child.calls == ["stop within 0.15"]
    child.on_exit(WorkerExit(0, has_answered=False, was_stopped=True))
