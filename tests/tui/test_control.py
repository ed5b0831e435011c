from __future__ import annotations

import pytest

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.session.workers import WorkerExit
from tenxgraph_tui.tui.control import LAST_GRACE, OnEvent, OnExit, RunControl
from tenxgraph_tui.tui.pump import EventPump, Fact, WorkerEnded
from tests.tui.script import FakeChild


class Facts(EventPump):
    """Keeps what a worker told, in the hands of the test."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[Fact] = []

    def __call__(self, fact: Fact) -> None:
        self.told.append(fact)


class Workshop:
    def __init__(self) -> None:
        self.facts = Facts()
        self.children: list[FakeChild] = []
        self.control = RunControl(self.facts, self.launch)

    def launch(self, request: WorkerRequest, on_event: OnEvent, on_exit: OnExit) -> FakeChild:
        self.children.append(FakeChild(request, on_event, on_exit))
        return self.children[-1]

    def run(self, run_id: str) -> None:
        self.control.run(WorkerRequest(root=".", run_id=run_id))

    @property
    def started(self) -> list[str]:
        return [child.request.run_id for child in self.children]


@pytest.fixture
def workshop() -> Workshop:
    return Workshop()


def test_a_run_in_progress_is_stopped_before_the_next_begins(workshop: Workshop) -> None:
    workshop.run("one")
    workshop.run("two")
    assert workshop.started == ["one"]
    assert workshop.children[0].calls == ["stop"]
    workshop.control.ended("one")
    assert workshop.started == ["one", "two"]


def test_of_several_that_wait_the_last_one_runs(workshop: Workshop) -> None:
    for run_id in ("one", "two", "three"):
        workshop.run(run_id)
    workshop.control.ended("one")
    assert workshop.started == ["one", "three"]


def test_the_end_of_an_older_worker_says_nothing_about_this_one(workshop: Workshop) -> None:
    workshop.run("one")
    workshop.control.ended("one")
    workshop.run("two")
    workshop.control.ended("one")
    workshop.run("three")
    assert workshop.started == ["one", "two"]


def test_cancelling_asks_first_and_stops_when_asked_again(workshop: Workshop) -> None:
    workshop.run("one")
    workshop.control.cancel()
    assert workshop.children[0].calls == ["cancel"]
    workshop.control.cancel()
    assert workshop.children[0].calls == ["cancel", "stop"]


def test_cancelling_forgets_the_run_that_waited(workshop: Workshop) -> None:
    workshop.run("one")
    workshop.run("two")
    workshop.control.cancel()
    workshop.control.ended("one")
    assert workshop.started == ["one"]


def test_a_run_that_was_cancelled_while_it_waited_is_over(workshop: Workshop) -> None:
    workshop.run("one")
    workshop.run("two")
    workshop.control.cancel()
    assert workshop.facts.told == [WorkerEnded("two", 0)]


def test_closing_ends_the_worker_at_once(workshop: Workshop) -> None:
    workshop.run("one")
    workshop.control.close()
    assert workshop.children[0].calls == [f"stop within {LAST_GRACE}"]


def test_what_a_worker_says_and_its_end_go_through_the_pump(workshop: Workshop) -> None:
    workshop.run("one")
    workshop.children[0].on_exit(WorkerExit(3, False, False, ("a line",)))
    assert workshop.facts.told == [WorkerEnded("one", 3, ("a line",))]


def test_a_worker_that_cannot_be_started_is_told_like_one_that_died() -> None:
    facts = Facts()

    def fail(*_: object) -> FakeChild:
        raise UsageError("cannot start /nowhere/python: no such file")

    RunControl(facts, fail).run(WorkerRequest(root=".", run_id="one"))
    (ended,) = facts.told
    assert isinstance(ended, WorkerEnded)
    assert "/nowhere/python" in ended.stderr[0]
