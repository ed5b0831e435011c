"""What was said is told while a run goes on and read from the store afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.events import Log, SetInfo
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.tui.board import Source
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.logs import Logs
from tenxgraph_tui.tui.results import ResultReader
from tests.tui.script import RUN, Script, catalog, stage

KEY = CaseKey(0, "a")
HERE = Source(RUN, 18, KEY, SetInfo(eval_set_id="weather"))
EARLIER = Source("earlier", 17, KEY, SetInfo(eval_set_id="weather"))


class Store:
    """Remembers two lines of every case, and is asked for a whole run only as often as is right."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.is_broken = False

    def result(self, run_id: str, key: CaseKey) -> EvalCaseResult:
        return EvalCaseResult(eval_id=key.eval_id, passed=True)

    def said_by(self, run_id: str, key: CaseKey) -> tuple[Log, ...]:
        return tuple(line(f"stored {number}", key, number) for number in range(2))

    def said(self, run_id: str, at_most: int) -> tuple[Log, ...]:
        self.asked.append(run_id)
        if self.is_broken:
            raise StoreError("cannot read the run store")
        return (line("stored", KEY),)


def line(text: str, key: CaseKey | None, seq: int = 0) -> Log:
    return Log(seq=seq, at=0.0, run_id=RUN, case=key, text=text)


def texts(lines: tuple[Log, ...] | None) -> list[str] | None:
    return None if lines is None else [line.text for line in lines]


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A run of one case that has begun."""
    over = catalog(weather=("a",))
    desk = stage(over).desk
    for event in Script().begin(over).events:
        desk.state.apply(event)
    return desk


@pytest.fixture
def logs(desk: Desk, store: Store) -> Logs:
    return Logs(desk, ResultReader(store))  # type: ignore[arg-type]  # a store in small


def read(logs: Logs, source: Source) -> None:
    logs._reader.read(source.run_id, source.key)


def test_what_is_told_is_there_at_once_and_the_same_until_more_is_said(
    desk: Desk, logs: Logs
) -> None:
    assert logs.of_case(HERE) == ()
    desk.state.log.append(line("one", KEY))
    desk.state.log.append(line("theirs", CaseKey(0, "b")))
    first = logs.of_case(HERE)
    assert texts(first) == ["one"]
    assert logs.of_case(HERE) is first
    desk.state.log.append(line("two", KEY))
    assert texts(logs.of_case(HERE)) == ["one", "two"]


def test_of_what_was_told_and_what_is_stored_the_one_with_more_is_shown(
    desk: Desk, logs: Logs
) -> None:
    desk.state.log.append(line("told", KEY))
    assert texts(logs.of_case(HERE)) == ["told"]
    read(logs, HERE)
    assert texts(logs.of_case(HERE)) == ["stored 0", "stored 1"]
    desk.state.log.extend(line(f"told {number}", KEY) for number in range(9))
    assert texts(logs.of_case(HERE)) == ["told", *(f"told {number}" for number in range(9))]


def test_a_case_of_an_earlier_run_has_what_is_stored_of_it(desk: Desk, logs: Logs) -> None:
    desk.state.log.append(line("of this run", KEY))
    assert logs.of_case(EARLIER) == ()
    read(logs, EARLIER)
    assert texts(logs.of_case(EARLIER)) == ["stored 0", "stored 1"]


def test_the_run_that_goes_on_is_never_read(desk: Desk, logs: Logs, store: Store) -> None:
    assert logs.of_run(RUN) == ()
    assert not logs.is_to_be_read(RUN)
    desk.state.log.append(line("told", None))
    assert texts(logs.of_run(RUN)) == ["told"]
    assert logs.of_run(RUN) is logs.of_run(RUN)
    assert store.asked == []


def test_another_run_is_read_once(logs: Logs, store: Store) -> None:
    assert logs.of_run("earlier") is None
    assert [logs.is_to_be_read("earlier") for _ in range(3)] == [True, False, False]
    logs.read("earlier")
    assert texts(logs.of_run("earlier")) == ["stored"]
    assert not logs.is_to_be_read("earlier")
    assert store.asked == ["earlier"]


def test_a_run_that_cannot_be_read_is_empty_and_not_asked_for_again(
    logs: Logs, store: Store
) -> None:
    store.is_broken = True
    with pytest.raises(StoreError):
        logs.read("earlier")
    assert logs.of_run("earlier") == ()
    assert not logs.is_to_be_read("earlier")
