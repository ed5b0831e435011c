"""The log under the hands: warnings, a search, the whole run, and what is copied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.events import MouseEvent, MouseScrollDown, MouseScrollUp
from textual.pilot import Pilot

from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseStarted,
    CaseStatus,
    Log,
    RunFinished,
    RunStarted,
)
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.tui.intents import Copy
from tenxgraph_tui.tui.panes.log_reading import Spot
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.screens.case import CaseScreen
from tenxgraph_tui.tui.screens.value import ValueScreen
from tenxgraph_tui.tui.widgets.detail import CaseDetail
from tenxgraph_tui.tui.widgets.log_pane import LogPane
from tests.tui.kept import result
from tests.tui.panes.test_detail import Bench, has, screen
from tests.tui.panes.test_detail import until as until_there
from tests.tui.script import NOW, RUN, Script, Stage, catalog, play, screen_text, stage, until

KEY, OTHER = CaseKey(0, "a"), CaseKey(0, "b")


def line(text: str, seq: int = 0, **fields: Any) -> Log:
    return Log(seq=seq, at=NOW + seq, run_id=RUN, case=KEY, text=text, **fields)


def chatty(count: int = 40) -> DetailModel:
    """A case that printed a lot, with a warning in every tenth line."""
    lines = [
        line(f"app: step {n}", n, source="logging", level="warning" if n % 10 == 5 else "info")
        for n in range(count)
    ]
    made = EvalCaseResult(eval_id="a", passed=True)
    return DetailModel(KEY, result=made, log=tuple(lines))


def on_bench(model: DetailModel) -> Bench:
    app = Bench()

    def show() -> None:
        app.detail.show(model)
        app.detail.action_view("Log")
        app.detail.pane.focus()

    app.call_later(show)
    return app


def pane(app: Bench | Stage) -> LogPane:
    return (app if isinstance(app, Bench) else app.app.screen).query_one(LogPane)


def at(app: Bench | Stage) -> int:
    """The row with the cursor."""
    place = pane(app).place
    assert isinstance(place, Spot)
    return place.selected


async def test_n_goes_through_the_warnings() -> None:
    app = on_bench(chatty())
    async with app.run_test(size=(100, 20)) as pilot:
        await until_there(pilot, lambda: has(app, "40 lines, 4 warnings."))
        found = []
        for _ in range(5):
            await pilot.press("n")
            found.append(at(app))
    assert found == [5, 15, 25, 35, 5]


async def test_without_a_warning_it_says_so() -> None:
    app = on_bench(replace(chatty(), log=(line("hello"),)))
    async with app.run_test(size=(100, 20), notifications=True) as pilot:
        await until_there(pilot, lambda: has(app, "1 line."))
        await pilot.press("n")
        await until_there(pilot, lambda: has(app, "No warning"))


async def test_a_search_marks_what_is_typed_and_n_goes_through_it() -> None:
    app = on_bench(chatty())
    async with app.run_test(size=(100, 20)) as pilot:
        await until_there(pilot, lambda: has(app, "40 lines"))
        await pilot.press("slash", *"step 3")
        await until_there(pilot, lambda: has(app, "1 of 11 matches"))
        assert at(app) == 3
        await pilot.press("enter")
        assert pane(app).has_focus
        await pilot.press("n", "n", "N")
        await until_there(pilot, lambda: has(app, "2 of 11 matches"))
        assert at(app) == 30
        await pilot.press("slash", "escape")
        await until_there(pilot, lambda: has(app, "40 lines, 4 warnings."))
        await pilot.press("n")
        assert at(app) == 35, "without a search it goes to the next warning again"


async def test_the_line_of_a_search_goes_with_the_view() -> None:
    app = on_bench(chatty())
    async with app.run_test(size=(100, 20)) as pilot:
        await until_there(pilot, lambda: has(app, "40 lines"))
        await pilot.press("slash", "x")
        app.query_one(CaseDetail).action_view("Why")
        await pilot.pause()
        assert not any(shown.startswith("/ ") for shown in screen(app))
        assert app.detail.pane.has_focus


def wheel(turned: type[MouseEvent], over: LogPane) -> MouseEvent:
    return turned(
        over, x=5, y=5, delta_x=0, delta_y=1, button=0, shift=False, meta=False, ctrl=False
    )


async def test_keys_wheel_and_mouse_move_the_cursor() -> None:
    app = on_bench(chatty())
    async with app.run_test(size=(100, 20)) as pilot:
        await until_there(pilot, lambda: has(app, "40 lines"))
        for key, row in (("end", 39), ("home", 0), ("down", 1), ("j", 2), ("up", 1), ("k", 0)):
            await pilot.press(key)
            assert at(app) == row, key
        await pilot.press("pagedown")
        page = at(app)
        assert page > 5
        await pilot.press("pageup")
        assert at(app) == 0
        for turned, row in ((MouseScrollDown, 3), (MouseScrollUp, 0)):
            pane(app).post_message(wheel(turned, pane(app)))
            await until_there(pilot, partial(lambda row: at(app) == row, row))
        await pilot.click(LogPane, offset=(30, 4))
        assert at(app) == 3


async def test_enter_and_a_double_click_open_a_line_and_y_copies_it() -> None:
    asked: list[LogPane.Opened | LogPane.CopyAsked] = []
    app = on_bench(chatty())

    def hear(message: object) -> None:  # of a message that bubbles several times
        if isinstance(message, LogPane.Opened | LogPane.CopyAsked) and message not in asked:
            asked.append(message)

    async with app.run_test(size=(100, 20), message_hook=hear) as pilot:
        await until_there(pilot, lambda: has(app, "40 lines"))
        await pilot.press("down", "y", "enter")
        await pilot.click(LogPane, offset=(30, 4), times=2)
        await pilot.press("Y")
        await until_there(pilot, lambda: len(asked) == 4)
    found = [(type(one).__name__, one.picked.find(chatty())) for one in asked]
    assert found[:3] == [
        ("CopyAsked", "app: step 1"),
        ("Opened", "app: step 1"),
        ("Opened", "app: step 3"),
    ]
    assert found[3][1].splitlines() == [f"app: step {number}" for number in range(40)]


async def test_where_there_is_nothing_there_is_nothing_to_copy() -> None:
    app = on_bench(replace(chatty(), log=()))
    async with app.run_test(size=(100, 20), notifications=True) as pilot:
        await until_there(pilot, lambda: has(app, "No output of this case"))
        await pilot.press("y")
        await until_there(pilot, lambda: has(app, "Nothing to copy"))


async def test_the_cursor_is_where_it_was_when_one_comes_back() -> None:
    app = on_bench(chatty())
    async with app.run_test(size=(100, 20)) as pilot:
        await until_there(pilot, lambda: has(app, "40 lines"))
        await pilot.press("n", "n")
        app.detail.show(replace(chatty(), key=OTHER))
        assert at(app) == 0
        app.detail.show(chatty())
        assert at(app) == 15


# --- with a run ---------------------------------------------------------------------------------


def said(script: Script, key: CaseKey | None, *texts: str) -> Script:
    for text in texts:
        script.add(Log, case=key, text=text)
    return script


async def opened(pilot: Pilot[Any], on: Stage) -> None:
    """The log of the first case on the whole screen."""
    await pilot.press("home", "enter", "6")
    await until(pilot, lambda: isinstance(on.app.screen, CaseScreen))


def shows(on: Stage, *words: str) -> Callable[[], bool]:
    return lambda: all(word in screen_text(on.app) for word in words)


async def test_lines_come_while_a_case_runs_and_the_cursor_goes_along() -> None:
    over = catalog(weather=("a", "b"))
    on = stage(over)
    async with on.app.run_test(size=(100, 30)) as pilot:
        script = Script().begin(over).add(CaseStarted, case=KEY)
        await play(pilot, on, said(script, KEY, "asking").events)
        await opened(pilot, on)
        await until(pilot, shows(on, "asking", "1 line."))
        script.events = []
        await play(pilot, on, said(script, KEY, *(f"step {n}" for n in range(50))).events)
        await until(pilot, shows(on, "step 49", "51 lines."))
        assert at(on) == 50
        script.events = []
        await pilot.press("home")
        await play(pilot, on, said(script, KEY, "the end").events)
        await until(pilot, shows(on, "asking", "52 lines."))
        assert at(on) == 0


async def test_m_changes_between_the_case_and_the_whole_run() -> None:
    over = catalog(weather=("a", "b"))
    on = stage(over)
    async with on.app.run_test(size=(100, 30)) as pilot:
        script = Script().begin(over).add(CaseStarted, case=KEY).add(CaseStarted, case=OTHER)
        said(script, KEY, "mine")
        said(script, OTHER, "theirs")
        await play(pilot, on, said(script, None, "nobody's").events)
        await opened(pilot, on)
        await until(pilot, shows(on, "mine", "1 line."))
        assert "theirs" not in screen_text(on.app)
        await pilot.press("m")
        await until(pilot, shows(on, "theirs", "nobody's", "3 lines of the whole run."))
        await pilot.press("m")
        await until(pilot, shows(on, "1 line."))


def kept(path: Path, *, begun: Script) -> RunStore:
    """A run of which the store has what was said."""
    store = RunStore(path, clock=lambda: NOW)
    with store.writer(RUN) as writer:
        started = begun.events[0]
        assert isinstance(started, RunStarted)
        writer.started(started.model_copy(update={"number": writer.number}))
        for seq, (key, text) in enumerate([(KEY, "mine"), (None, "nobody's"), (OTHER, "theirs")]):
            writer.note(Log(seq=seq, at=NOW + seq, run_id=RUN, case=key, text=text))
        for key in (KEY, OTHER):
            writer.save(key, result(key.eval_id, CaseStatus.FAILED))
        writer.finished(RunFinished(seq=9, at=NOW, run_id=RUN, failed=2))
    return store


async def test_a_past_run_has_its_log_and_so_does_why(tmp_path: Path) -> None:
    over = catalog(weather=("a", "b"))
    store = kept(tmp_path / "runs.db", begun=Script().begin(over))
    on = stage(over, store=store, reader=ResultReader(store))
    told = list(store.events(RUN))
    assert any(isinstance(event, CaseFinished) for event in told)
    async with on.app.run_test(size=(100, 30)) as pilot:
        await play(pilot, on, told)
        await opened(pilot, on)
        await until(pilot, shows(on, "mine", "1 line."))
        await pilot.press("m")
        await until(pilot, shows(on, "theirs", "nobody's", "3 lines of the whole run."))
        await pilot.press("1")
        await until(pilot, shows(on, "printed   mine"))


async def test_what_is_copied_is_what_the_store_has(tmp_path: Path) -> None:
    over = catalog(weather=("a", "b"))
    store = kept(tmp_path / "runs.db", begun=Script().begin(over))
    on = stage(over, store=store, reader=ResultReader(store))
    copied: list[Copy] = []

    def hear(message: object) -> None:
        if isinstance(message, Copy):
            copied.append(message)

    async with on.app.run_test(size=(100, 30), message_hook=hear) as pilot:
        await play(pilot, on, list(store.events(RUN)))
        await opened(pilot, on)
        await until(pilot, shows(on, "1 line."))
        await pilot.press("Y")
        await until(pilot, lambda: bool(copied))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(on.app.screen, ValueScreen))
    assert (copied[0].name, copied[0].text) == ("the log", "mine")


@pytest.mark.parametrize("size", [(1, 1), (20, 3), (40, 10), (400, 120)])
async def test_it_is_drawn_at_any_size(size: tuple[int, int]) -> None:
    app = on_bench(chatty())
    async with app.run_test(size=size) as pilot:
        await until_there(pilot, lambda: app.detail.view == "Log")
        await pilot.press("n", "down", "slash", "x", "enter", "m")
        assert len(screen(app)) == size[1]
