from __future__ import annotations

import gc
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.message import Message
from textual.message_pump import MessagePump

from tenxgraph_tui.evaluation.events import CaseFinished, CaseStatus, RunFinished, RunStarted
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.opening import Opening, PastRuns
from tenxgraph_tui.tui.pump import EventPump, Fact, RunTold
from tenxgraph_tui.tui.widgets.bars import strip_of
from tests.tui.script import NOW, Script, Stage, catalog, play, screen_text, stage, until

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
    on.app._companions = (*on.app._companions, Opening([lambda: seen.append(gc.isenabled())]))
    async with on.app.run_test() as pilot:
        await until(pilot, gc.isenabled)
    assert seen == [False]
    assert gc.get_freeze_count() > 0
