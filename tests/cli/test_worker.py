"""The worker as the dashboard sees it: a request in, events out, and it leaves when it should."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseStarted,
    CaseStatus,
    Log,
    Reply,
    RunEvent,
    RunFinished,
    RunStarted,
)
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.evaluation.stream import parse_line
from tenxgraph_tui.session.protocol import Cancel, Fallbacks, SetRequest, WorkerRequest
from tenxgraph_tui.session.store import RunStore
from tests.cli.conftest import WriteSet, case

COMMAND = [sys.executable, "-P", "-m", "tenxgraph_tui", "worker"]
MODULES = """
import asyncio, os, sys, time
print("loading")

def modules(messages):
    return " ".join(sorted({name.partition(".")[0] for name in sys.modules}))

async def slow(messages):
    await asyncio.sleep(0 if messages[-1]["content"] == "a" else 60)
    return messages[-1]["content"]

KEY = os.environ.get("AGENT_KEY", "no key")

def keyed(messages):
    return KEY

def stuck(messages):
    time.sleep(60)

def crash(messages):
    os.abort()

def noisy(messages):
    print("hello")
    os.write(1, b"not an event\\n")
    os.write(2, b"nor this\\n")
    return messages[-1]["content"] + str(sys.stdin.read())
"""


class Talk:
    """A running worker, spoken to line by line."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.stdin, self.stdout, self.stderr = process.stdin, process.stdout, process.stderr
        self.events: list[RunEvent] = []

    def say(self, line: bytes) -> None:
        self.stdin.write(line)
        self.stdin.flush()

    def hear(self, kind: type[RunEvent], case: CaseKey | None = None) -> None:
        """Wait for an event of that kind (and case)."""
        for event in self._coming():
            if isinstance(event, kind) and (case is None or getattr(event, "case", None) == case):
                return
        raise AssertionError(f"no {kind.__name__} came: {self.events}\n{self.stderr.read()!r}")

    def end(self) -> int:
        """Hear it out; the exit code."""
        list(self._coming())
        return self.process.wait(timeout=60)

    def _coming(self) -> Iterator[RunEvent]:
        for line in self.stdout:
            event = parse_line(line)
            assert event is not None, line
            self.events.append(event)
            yield event

    def all(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


@contextmanager
def worker(cwd: Path) -> Iterator[Talk]:
    with subprocess.Popen(
        COMMAND, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            yield Talk(process)
        finally:
            process.kill()


@pytest.fixture
def ask(write_set: WriteSet, project: Path) -> Any:
    """A request for a set with the cases `a` and `b`."""
    path = write_set(case("a"), case("b"))
    (project / "child.py").write_text(MODULES)

    def make(target: str, **fields: Any) -> WorkerRequest:
        sets = (SetRequest(path=str(path), ids=fields.pop("ids", None)),)
        return WorkerRequest(root=str(project), sets=sets, target=f"child.py:{target}", **fields)

    return make


def test_a_run_from_its_request_to_its_end(ask: Any, project: Path) -> None:
    request = ask("slow", ids=("a",), store=str(project / "runs.db"))
    with worker(project) as talk:
        talk.say(request.line())
        assert talk.end() == 0
        assert talk.stderr.read() == b""
    (started,) = talk.all(RunStarted)
    (finished,) = talk.all(CaseFinished)
    assert started.number == 1
    assert {event.run_id for event in talk.events} == {request.run_id}
    assert finished.status is CaseStatus.PASSED
    assert isinstance(talk.events[-1], RunFinished)
    assert RunStore(project / "runs.db").result(request.run_id, CaseKey(0, "a")) is not None


def test_it_loads_neither_the_interface_nor_a_model_client(ask: Any, project: Path) -> None:
    with worker(project) as talk:
        talk.say(ask("modules", ids=("a",)).line())
        talk.end()
    loaded = set(talk.all(CaseFinished)[0].response.split())
    everything = talk.all(CaseFinished)[0].response
    assert "tenxgraph_tui" in loaded or everything.endswith("…")
    assert not loaded & {"textual", "rich", "litellm", "watchfiles", "numpy", "nltk"}


def test_nothing_that_is_printed_looks_like_an_event(ask: Any, project: Path) -> None:
    with worker(project) as talk:
        talk.say(ask("noisy", ids=("a",)).line())
        assert talk.end() == 0
    said = [(log.case, log.source, log.text) for log in talk.all(Log)]
    assert (None, "stdout", "loading") in said
    assert (CaseKey(0, "a"), "stdout", "hello") in said
    assert (None, "process", "not an event") in said
    assert (None, "process", "nor this") in said
    assert talk.all(CaseFinished)[0].response == "a"


def test_what_a_case_printed_is_stored_as_it_was_told(ask: Any, project: Path) -> None:
    request = ask("noisy", store=str(project / "runs.db"))
    with worker(project) as talk:
        talk.say(request.line())
        assert talk.end() == 0
    store = RunStore(project / "runs.db")
    told = [log for log in talk.all(Log) if log.case == CaseKey(0, "a")]
    assert [log.text for log in told] == ["hello"]
    assert list(store.said_by(request.run_id, CaseKey(0, "a"))) == told
    assert list(store.said(request.run_id, 100)) == talk.all(Log)


def test_one_case_is_cancelled_and_the_other_goes_on(ask: Any, project: Path) -> None:
    with worker(project) as talk:
        talk.say(ask("slow").line())
        talk.hear(CaseFinished, CaseKey(0, "a"))
        talk.say(Cancel(CaseKey(0, "b")).line())
        assert talk.end() == 0
    statuses = {event.case.eval_id: event.status for event in talk.all(CaseFinished)}
    assert statuses == {"a": CaseStatus.PASSED, "b": CaseStatus.CANCELLED}
    assert not talk.events[-1].was_cancelled  # type: ignore[union-attr]  # the last one ends the run


def test_it_sets_the_variables_of_a_file_before_the_agent_is_imported(
    ask: Any, project: Path
) -> None:
    (project / ".env").write_text("AGENT_KEY=a\n")
    with worker(project) as talk:
        talk.say(ask("keyed", ids=("a",), env_file=str(project / ".env")).line())
        assert talk.end() == 0
    (finished,) = talk.all(CaseFinished)
    assert finished.status is CaseStatus.PASSED


def test_a_file_of_variables_that_is_not_there_is_told(ask: Any, project: Path) -> None:
    with worker(project) as talk:
        talk.say(ask("slow", ids=("a",), env_file=str(project / ".env")).line())
        assert talk.end() == 0
    assert any("there is no file" in log.text for log in talk.all(Log))


def test_what_a_set_leaves_open_is_up_to_the_fallbacks(ask: Any, project: Path) -> None:
    fallbacks = Fallbacks(target="child.py:gone", config="quick_check", config_from="ci.toml")
    request = ask("", ids=("a",), fallbacks=fallbacks).model_copy(update={"target": None})
    with worker(project) as talk:
        talk.say(request.line())
        assert talk.end() == 0
    (started,) = talk.all(RunStarted)
    (info,) = started.sets
    assert (info.target, info.config) == ("agents.py:echo", "quick_check (ci.toml)")


@pytest.mark.parametrize("target", ["slow", "stuck"])
@pytest.mark.parametrize("how", ["cancel", "the dashboard is gone"])
def test_it_stops_when_told_and_when_nobody_listens(
    ask: Any, project: Path, target: str, how: str
) -> None:
    with worker(project) as talk:
        talk.say(ask(target, ids=("b",)).line())
        talk.hear(CaseStarted)
        begin = time.monotonic()
        if how == "cancel":
            talk.say(Cancel().line())
        else:
            talk.stdin.close()
        talk.end()
        assert time.monotonic() - begin < 30
    assert [event.status for event in talk.all(CaseFinished)] == [CaseStatus.CANCELLED]
    (finished,) = talk.all(RunFinished)
    assert finished.was_cancelled


def test_a_cancel_that_comes_early_is_not_forgotten(ask: Any, project: Path) -> None:
    with worker(project) as talk:
        talk.say(ask("stuck").line() + Cancel().line())
        talk.end()
    assert {event.status for event in talk.all(CaseFinished)} == {CaseStatus.CANCELLED}


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        pytest.param({"v": 2}, 2, "protocol version 2", id="another version"),
        pytest.param({"kind": "guess"}, 2, "wrong at kind", id="another kind"),
        pytest.param({"target": "child.py:gone"}, 5, "'gone'", id="no such target"),
        pytest.param({"config": "default"}, 4, "set GEMINI_API_KEY", id="a judge"),
        pytest.param({"sets": [{"path": "gone.json"}]}, 2, "gone.json", id="no such file"),
        pytest.param({"store": "/dev/null/runs.db"}, 3, "/dev/null", id="no store"),
        pytest.param({"env_file": "child.py"}, 4, "no line like NAME=value", id="no variables"),
    ],
)
def test_what_it_cannot_do_is_a_reply(
    ask: Any, project: Path, change: dict[str, Any], code: int, told: str
) -> None:
    line = json.dumps({**json.loads(ask("slow").line()), **change})
    with worker(project) as talk:
        talk.say(line.encode() + b"\n")
        assert talk.end() == code
        assert talk.stderr.read() == b""
    assert isinstance(talk.events[-1], Reply)
    assert talk.events[-1].exit_code == code
    assert told in str(talk.events[-1].error)
    assert not talk.all(RunStarted)


@pytest.mark.parametrize("line", [b"", b"\n", b"nonsense\n", b"[]\n", b"\xff\xfe\n"])
def test_what_is_no_request_is_a_reply_too(project: Path, line: bytes) -> None:
    with worker(project) as talk:
        talk.say(line)
        talk.stdin.close()
        assert talk.end() == 2
        assert talk.stderr.read() == b""
    assert isinstance(talk.events[-1], Reply)


def test_a_crash_leaves_the_place_it_happened_at(ask: Any, project: Path) -> None:
    with worker(project) as talk:
        talk.say(ask("crash", ids=("a",)).line())
        assert talk.end() < 0
        told = talk.stderr.read().decode()
    assert "Fatal Python error: Aborted" in told
    assert "child.py" in told


def test_a_file_of_the_project_shadows_nothing_of_ours(ask: Any, project: Path) -> None:
    for name in ("json", "asyncio", "pydantic", "tenxgraph_tui", "sqlite3", "six"):
        (project / f"{name}.py").write_text("raise SystemExit('shadowed')")
    with worker(project) as talk:
        talk.say(ask("slow", ids=("a",)).line())
        assert talk.end() == 0
    assert talk.all(CaseFinished)[0].status is CaseStatus.PASSED


def test_it_is_not_offered(project: Path) -> None:
    assert project.is_dir()
    done = subprocess.run(
        [sys.executable, "-m", "tenxgraph_tui", "--help"],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ),
    )
    assert "worker" not in done.stdout
