"""An export in the background: what a worker tells of it, and what became of it."""

from __future__ import annotations

from typing import Any

import pytest

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.events import Log, Reply
from tenxgraph_tui.session.protocol import ExportOptions, WorkerRequest
from tenxgraph_tui.session.workers import WorkerExit
from tenxgraph_tui.tui.control import OnEvent, OnExit
from tenxgraph_tui.tui.exporting.job import Exporter, Written
from tests.tui.script import FakeChild

OPTIONS = ExportOptions(formats=("json",), folder="out")
LEFT = WorkerExit(0, has_answered=True, was_stopped=False)
CRASHED = WorkerExit(-9, has_answered=False, was_stopped=False, said=("MemoryError",))


class Desk:
    """An exporter whose worker is played by the test."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.children: list[FakeChild] = []
        self.done: list[tuple[int, Written]] = []
        self.drawn: list[tuple[str, str, bool]] = []
        self.job = Exporter(
            self.ask, lambda call: call(), self.draw, lambda *what: self.done.append(what)
        )

    def ask(
        self, number: int, options: ExportOptions, on_event: OnEvent, on_exit: OnExit
    ) -> FakeChild:
        if self.error is not None:
            raise self.error
        request = WorkerRequest(kind="export", root=".", run_id=str(number), export=options)
        self.children.append(FakeChild(request, on_event, on_exit))
        return self.children[-1]

    def draw(self) -> None:
        self.drawn.append((self.job.told, self.job.problem, self.job.is_busy))


def log(text: str) -> Log:
    return Log(seq=0, at=0.0, run_id="x", source="tenxgraph", text=text)


def reply(**fields: Any) -> Reply:
    return Reply(seq=0, at=0.0, run_id="x", request="export", **fields)


def test_its_progress_and_its_files_are_told() -> None:
    desk = Desk()
    desk.job.begin(18, OPTIONS)
    (child,) = desk.children
    assert (child.request.run_id, child.request.export) == ("18", OPTIONS)
    child.on_event(log("50% written"))
    assert desk.drawn[-1] == ("50% written", "", True)
    child.on_event(reply(data={"files": ["out/a.json"], "cases": 3, "unfinished": 1}))
    assert desk.done == [(18, Written(("out/a.json",), (), 3, 1))]
    assert not desk.job.is_busy
    child.on_exit(LEFT)
    assert desk.job.problem == ""


def test_a_second_one_waits_until_the_first_is_over() -> None:
    desk = Desk()
    desk.job.begin(18, OPTIONS)
    desk.job.begin(19, OPTIONS)
    assert (len(desk.children), desk.job.number) == (1, 18)
    desk.children[0].on_event(reply())
    desk.job.begin(19, OPTIONS)
    assert (len(desk.children), desk.job.number) == (2, 19)
    desk.children[0].on_exit(CRASHED)  # the end of the first is none of the second
    assert desk.job.is_busy
    assert desk.job.problem == ""


def test_why_nothing_was_written_is_a_problem_that_a_new_one_forgets() -> None:
    desk = Desk()
    desk.job.begin(18, OPTIONS)
    desk.children[0].on_event(reply(error="out: Read-only file system", exit_code=2))
    assert (desk.job.problem, desk.job.is_busy) == ("out: Read-only file system", False)
    desk.job.begin(18, OPTIONS)
    assert desk.job.problem == ""
    assert desk.done == []


def test_a_worker_that_died_says_how() -> None:
    desk = Desk()
    desk.job.begin(18, OPTIONS)
    desk.children[0].on_exit(CRASHED)
    assert desk.job.problem == "the worker was killed by SIGKILL: MemoryError"
    assert not desk.job.is_busy


@pytest.mark.parametrize("error", [UsageError("no python"), OSError("no memory")])
def test_a_worker_that_does_not_start_is_a_problem(error: Exception) -> None:
    desk = Desk(error)
    desk.job.begin(18, OPTIONS)
    assert desk.job.problem == f"the worker could not be started: {error}"
    assert not desk.job.is_busy


def test_what_is_given_up_is_stopped_and_not_heard_any_more() -> None:
    desk = Desk()
    desk.job.begin(18, OPTIONS)
    desk.job.stop()
    (child,) = desk.children
    assert child.calls == ["stop"]
    child.on_event(reply(error="the export was given up"))
    child.on_exit(LEFT)
    assert (desk.job.problem, desk.job.is_busy) == ("", False)
    desk.job.stop()
    assert child.calls == ["stop"]
