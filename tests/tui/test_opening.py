from __future__ import annotations

import gc
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from textual.message import Message
from textual.message_pump import MessagePump

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.events import CaseFinished, CaseStatus, RunFinished, RunStarted
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.discovery import ListModules
from tenxgraph_tui.session.project import store_path
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.tui import start as starting
from tenxgraph_tui.tui.beginning import read_again
from tenxgraph_tui.tui.catalog import CaseId, Catalog
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.opening import Opening
from tenxgraph_tui.tui.past_runs import PastRuns
from tenxgraph_tui.tui.pump import EventPump, Fact, RunTold
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.widgets.bars import strip_of
from tenxgraph_tui.tui.widgets.case_table import CaseTable
from tests.tui.script import (
    NOW,
    Script,
    Stage,
    catalog,
    eval_set,
    play,
    screen_text,
    stage,
    until,
)

IDS = ("london", "paris", "rome")


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    """Two runs of three cases: all of the first passed, one of the second failed."""
    kept = RunStore(tmp_path / "runs.db")
    for number, bad in ((1, ()), (2, ("paris",))):
        script = Script(f"run-{number}").begin(catalog(weather=IDS), number=number)
        for eval_id in IDS:
            status = CaseStatus.FAILED if eval_id in bad else CaseStatus.PASSED
            script.finish(CaseKey(0, eval_id), status)
        write(kept, script.end())
    return kept


def write(store: RunStore, script: Script) -> None:
    with store.writer(script.run_id) as sink:
        for event in script.events:
            match event:
                case RunStarted():
                    sink.started(event)
                case CaseFinished(case=key, status=status):
                    passed = status is CaseStatus.PASSED
                    sink.save(key, EvalCaseResult(eval_id=key.eval_id, passed=passed))
                case RunFinished():
                    sink.finished(event)


class Node(MessagePump):
    """Takes what a pump has, without an application."""

    def __init__(self) -> None:
        super().__init__()
        self._facts: list[Fact] = []

    def post_message(self, message: Message) -> bool:
        assert isinstance(message, EventPump.Drained)
        self._facts += message.events
        return True

    def taken(self, pump: EventPump) -> list[Fact]:
        pump.drain(self)
        return self._facts


def over(store: RunStore) -> Stage:
    return stage(catalog(weather=IDS), store=store)


async def test_a_past_run_takes_the_place_of_what_was_shown(store: RunStore) -> None:
    on = over(store)
    async with on.app.run_test(size=(100, 30)) as pilot:
        on.app.open_run("run-2", 2)
        assert (head := strip_of(on.desk, NOW)[0]).word == "reading"
        assert head.rest == "run #2"
        await until(pilot, lambda: "2/3 passed" in screen_text(on.app))
        assert "run #2" in screen_text(on.app)
        on.app.open_run("run-1", 1)
        await until(pilot, lambda: "3/3 passed" in screen_text(on.app))
    assert on.desk.reading is None
    scope = frozenset(CaseId("weather.evalset.json", name) for name in IDS)
    assert on.desk.choices.scope == scope


async def test_no_past_run_is_shown_while_one_goes_on(store: RunStore) -> None:
    on = over(store)
    async with on.app.run_test(size=(100, 30), notifications=True) as pilot:
        await pilot.press("r")
        on.app.open_run("run-2", 2)
        await until(pilot, lambda: "A run goes on. x cancels it." in screen_text(on.app))
    assert on.desk.is_busy
    assert on.desk.reading is None


async def test_a_run_that_begins_is_not_mixed_with_one_that_was_being_read(store: RunStore) -> None:
    on = over(store)
    async with on.app.run_test(size=(100, 30)) as pilot:
        on.app.open_run("run-2", 2)
        await pilot.press("r")
        request = on.children[0].request
        script = Script(request.run_id).begin(on.desk.catalog, number=3)
        await play(pilot, on, script.finish(CaseKey(0, "rome")).events)
        await until(pilot, lambda: not told(threading.enumerate()))
        await pilot.pause(0.2)
    assert on.desk.state.number == 3
    assert on.desk.state.counts[CaseStatus.PASSED] == 1


def told(threads: list[threading.Thread]) -> bool:
    return any(thread.name == "past run" for thread in threads)


async def test_a_run_that_cannot_be_read_says_why_and_what_was_shown_stays(store: RunStore) -> None:
    with sqlite3.connect(store.path) as database:
        database.execute("UPDATE cases SET event = 'torn'")
    on = over(store)
    async with on.app.run_test(size=(100, 30)) as pilot:
        on.app.open_run("run-2", 2)
        await until(pilot, lambda: on.desk.trouble is not None)
        assert "the run could not be read" in screen_text(on.app)
        await pilot.press("escape")
        assert "· waiting" in screen_text(on.app)
    assert on.desk.state.number is None


def test_a_newer_wish_ends_the_telling_of_an_older_one(store: RunStore) -> None:
    pump, node = EventPump(), Node()
    past = PastRuns(store, pump)
    past.want("run-1")
    past.read("run-2")
    assert node.taken(pump) == []
    past.read("run-1")
    names = [type(fact).__name__ for fact in node.taken(pump)]
    assert names == ["RunStarted", *["CaseFinished"] * 3, "RunFinished", "RunTold"]


def test_a_run_that_is_not_there_is_told_as_a_problem(store: RunStore) -> None:
    pump, node = EventPump(), Node()
    past = PastRuns(store, pump)
    past.want("no-such-run")
    past.read("no-such-run")
    assert node.taken(pump) == [RunTold("no-such-run", "there is no run 'no-such-run'")]


@pytest.fixture
def uncollected() -> Iterator[None]:
    threshold = gc.get_threshold()
    gc.disable()
    yield
    gc.enable()
    gc.set_threshold(*threshold)
    gc.unfreeze()


@pytest.mark.usefixtures("uncollected")
async def test_what_is_read_while_opening_is_never_looked_through_for_garbage() -> None:
    on = stage()
    seen: list[bool] = []
    opening = Opening(on.desk, lambda: None, lambda: seen.append(gc.isenabled()))
    on.app._companions = [*on.app._companions, opening]
    async with on.app.run_test() as pilot:
        await until(pilot, gc.isenabled)
    assert seen == [False]
    assert gc.get_freeze_count() > 0


def slow(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Every project is too large to be waited for, and is read once the event is set."""
    may_read = threading.Event()

    def read_then(
        desk: Desk, places: Sequence[str | Path], list_modules: ListModules | None = None
    ) -> Catalog:
        may_read.wait()
        return read_again(desk, places, list_modules)

    monkeypatch.setattr(starting, "LARGE", 0)
    monkeypatch.setattr(starting, "read_again", read_then)
    return may_read


@pytest.fixture
def weather(project: Path) -> Path:
    eval_set("weather", IDS, config="tool_usage").to_file(str(project / "weather.evalset.json"))
    return project


@pytest.mark.usefixtures("weather")
async def test_many_cases_are_read_after_the_first_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    may_read = slow(monkeypatch)
    app, _ = starting.make_app(paths=[])
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "reading  1 file" in screen_text(app))
        assert "No eval sets" not in screen_text(app)
        assert "Run" not in screen_text(app).splitlines()[-1]
        may_read.set()
        await until(pilot, lambda: "3 cases in 1 set" in screen_text(app))
        assert "london" in screen_text(app)
        assert "r Run 3" in screen_text(app)
        assert isinstance(app.screen.focused, CaseTable)
    assert app.desk.choices.preset.name == "as the sets say"


@pytest.mark.usefixtures("weather")
async def test_what_was_chosen_before_is_chosen_once_the_files_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app, _ = starting.make_app(paths=[])
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("down", "space", "2", "q")
    may_read = slow(monkeypatch)
    app, _ = starting.make_app(paths=[])
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "reading  1 file" in screen_text(app))
        may_read.set()
        await until(pilot, lambda: "1 of 3 cases selected" in screen_text(app))
        dashboard = app.screen
        assert isinstance(dashboard, DashboardScreen)
        await until(pilot, lambda: dashboard.table.key == CaseKey(0, "rome"))
        assert dashboard.view.detail.view == "Trajectory"


async def test_files_that_cannot_be_read_after_all_leave_a_word_and_an_empty_project(
    monkeypatch: pytest.MonkeyPatch, weather: Path
) -> None:
    may_read = slow(monkeypatch)
    sets = weather / "sets"
    sets.mkdir()
    (weather / "weather.evalset.json").rename(sets / "weather.evalset.json")
    app, _ = starting.make_app(paths=["sets"])
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await until(pilot, lambda: "reading  1 file" in screen_text(app))
        sets.rename(weather / "other")
        may_read.set()
        await until(pilot, lambda: "no such file or folder" in screen_text(app))
        await until(pilot, lambda: "No eval sets" in screen_text(app))


async def test_a_past_run_comes_after_the_files_it_is_of(
    monkeypatch: pytest.MonkeyPatch, weather: Path
) -> None:
    script = Script("run-1").begin(catalog(weather=IDS), number=1)
    for eval_id in IDS:
        script.finish(CaseKey(0, eval_id))
    write(RunStore(store_path(weather)), script.end())
    may_read = slow(monkeypatch)
    app, _ = starting.make_app(paths=[], run="last")
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "reading  1 file" in screen_text(app))
        assert app.desk.state.started_at is None
        may_read.set()
        await until(pilot, lambda: "3/3 passed" in screen_text(app))
    assert app.desk.choices.scope == frozenset(app.desk.catalog)


async def test_a_confeval_that_is_wrong_is_told_of_before_any_run(project: Path) -> None:
    eval_set("weather", IDS).to_file(str(project / "weather.evalset.json"))
    (project / "confeval.py").write_text("x = 1\n\nEVAL_CONFIG = 1 +\n")
    app, _ = starting.make_app(paths=[])
    async with app.run_test(size=(160, 45), notifications=True) as pilot:
        await until(pilot, lambda: "1 file cannot be read" in screen_text(app))
        text = screen_text(app)
        assert "confeval.py:3: it cannot be imported" in " ".join(text.split())
        line = next(each for each in text.splitlines() if "! confeval.py" in each)
        assert "line 3" in line
        assert "3 cases in 1 set" in text


def test_a_case_that_is_named_is_looked_for_at_once(
    monkeypatch: pytest.MonkeyPatch, weather: Path
) -> None:
    monkeypatch.setattr(starting, "LARGE", 0)
    with pytest.raises(UsageError, match="did you mean 'rome'"):
        starting.make_app(paths=[f"{weather}/weather.evalset.json::rom"])
