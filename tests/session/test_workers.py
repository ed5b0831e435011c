"""Whatever the worker does, the dashboard reads it, is never held up, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.events import Log, RunEvent, RunFinished
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.protocol import SetRequest, WorkerRequest, parse_command, parse_request
from tenxgraph_tui.session.workers import Worker, WorkerExit

LONG = 20.0
OPEN_FILES = Path("/proc/self/fd")
REQUEST = WorkerRequest(root="/", run_id="r1")

SLEEPER = "[sys.executable, '-I', '-S', '-c', 'import time; time.sleep(99)']"

SAYS = """
import json, os, signal, subprocess, sys, time
def say(kind, **fields):
    event = {"seq": 0, "at": 1.0, "run_id": "r1", "kind": kind, **fields}
    print(json.dumps(event), flush=True)
def end(): say("run_finished")
request = sys.stdin.readline()
"""


class Watcher:
    """A worker on a script, and what it told."""

    def __init__(self, script: str) -> None:
        self.events: list[RunEvent] = []
        self.exits: list[WorkerExit] = []
        self.worker = Worker(self.events.append, self.exits.append, command=command(script))

    def started(self, request: WorkerRequest = REQUEST) -> Watcher:
        self.worker.start(request)
        return self

    def texts(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, Log)]

    def ended(self) -> WorkerExit:
        assert self.worker.wait(LONG)
        until(lambda: self.exits)
        assert len(self.exits) == 1
        return self.exits[0]


def command(script: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", SAYS + script]


def until(is_true: Callable[[], object]) -> None:
    give_up = time.monotonic() + LONG
    while not is_true():
        assert time.monotonic() < give_up
        time.sleep(0.005)


def exists(pid: int) -> bool:
    """Whether that process lives; an orphan that nobody has buried yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def descriptors() -> set[str]:
    """Those of ours that are open, where the system can tell."""
    return set(os.listdir(OPEN_FILES)) if OPEN_FILES.exists() else set()  # noqa: PTH208 - names


@pytest.fixture(autouse=True)
def _leaves_no_threads_and_no_descriptors() -> Iterator[None]:
    before = descriptors()
    yield
    until(lambda: not [t for t in threading.enumerate() if t.name in {"worker", "stop"}])
    assert descriptors() <= before


def test_events_arrive_in_order_and_the_exit_comes_last() -> None:
    watcher = Watcher("for i in range(500): say('log', text=str(i))\nend()").started()

    left = watcher.ended()

    assert watcher.texts() == [str(number) for number in range(500)]
    assert isinstance(watcher.events[-1], RunFinished)
    assert left == WorkerExit(code=0, has_answered=True, was_stopped=False)
    assert not left.is_crash
    assert not watcher.worker.is_running


def test_the_worker_gets_its_request_however_long() -> None:
    sets = tuple(SetRequest(path=f"{number}", ids=("x" * 500,)) for number in range(2000))
    request = WorkerRequest(root="/", sets=sets)
    watcher = Watcher("time.sleep(0.2); say('log', text=request); end()").started(request)

    assert watcher.ended().has_answered
    assert parse_request(watcher.texts()[0]) == request


def test_commands_reach_the_worker() -> None:
    watcher = Watcher("for line in sys.stdin: say('log', text=line)\n").started()

    watcher.worker.cancel(CaseKey(1, "a\nb"))
    watcher.worker.cancel()
    until(lambda: len(watcher.events) == 2)
    watcher.worker.kill()

    cases = [command.case for text in watcher.texts() if (command := parse_command(text))]
    assert cases == [CaseKey(1, "a\nb"), None]
    assert not watcher.ended().is_crash


CRASHES = [
    pytest.param("sys.exit(7)", 7, "ended with exit code 7", id="exits at once"),
    pytest.param("os._exit(0)", 0, "ended with exit code 0", id="says nothing and is content"),
    pytest.param(
        "raise RuntimeError('no luck')", 1, "exit code 1: RuntimeError: no luck", id="raises"
    ),
    pytest.param(
        "os.kill(os.getpid(), signal.SIGSEGV)", -11, "was killed by SIGSEGV", id="crashes in C"
    ),
    pytest.param(
        "os.write(1, b'half a li'); os._exit(3)", 3, "code 3: half a li", id="stops in a line"
    ),
    pytest.param(
        "os.write(1, bytes(range(256)) * 9 + b'\\n\\x1b[2Jbye\\n'); sys.exit(4)",
        4,
        r"code 4: \x1b[2Jbye",
        id="writes garbage",
    ),
    pytest.param(
        "say('run_started', sets=7); sys.exit(5)", 5, "an event that cannot be read", id="lies"
    ),
    pytest.param("say('song', text='la'); sys.exit(6)", 6, '"song"', id="says something new"),
]


@pytest.mark.parametrize(("script", "code", "says"), CRASHES)
def test_a_crash_is_told_in_one_line(script: str, code: int, says: str) -> None:
    left = Watcher("say('log', text='hello')\n" + script).started().ended()

    assert left.is_crash
    assert left.code == code
    assert says in left.sentence
    assert "\n" not in left.sentence


def test_a_child_that_never_reads_and_never_ends_can_be_stopped() -> None:
    """It ignores every signal that can be ignored."""
    script = (
        "for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)"
        "\nsay('log', text='ready')\nwhile True: time.sleep(60)"
    )
    watcher = Watcher(script).started()
    until(watcher.texts)

    begin = time.monotonic()
    watcher.worker.stop_in_background()
    assert time.monotonic() - begin < 0.5

    left = watcher.ended()
    assert left.code == -signal.SIGKILL
    assert left.was_stopped
    assert not left.is_crash


STAGES = [
    pytest.param("sys.stdin.readline(); end()", 0, id="when it is asked"),
    pytest.param("time.sleep(60)", -signal.SIGINT, id="when it is interrupted"),
    pytest.param("signal.signal(2, signal.SIG_IGN); time.sleep(60)", -15, id="terminated"),
]


@pytest.mark.parametrize(("script", "code"), STAGES)
def test_a_worker_leaves_at_the_first_stage_that_it_heeds(script: str, code: int) -> None:
    ready = "signal.signal(2, signal.SIG_DFL)\n" + script.replace(
        "time.sleep", "say('log', text='ready'); time.sleep"
    ).replace("sys.stdin", "say('log', text='ready'); sys.stdin")
    watcher = Watcher(ready).started()
    until(watcher.texts)

    assert watcher.worker.stop()
    assert watcher.ended().code == code


def test_children_of_the_worker_die_with_it_and_cannot_hold_the_pipes() -> None:
    script = (
        f"child = subprocess.Popen({SLEEPER})\nsay('log', text=str(child.pid)); end(); os._exit(0)"
    )
    watcher = Watcher(script).started()

    assert watcher.ended().has_answered
    grandchild = int(watcher.texts()[0])
    until(lambda: not exists(grandchild))


def test_a_grandchild_that_left_the_group_cannot_hold_the_pipes() -> None:
    script = (
        f"child = subprocess.Popen({SLEEPER}, start_new_session=True)"
        "\nsay('log', text=str(child.pid)); end(); os._exit(0)"
    )
    watcher = Watcher(script).started()

    assert watcher.ended().has_answered
    os.kill(int(watcher.texts()[0]), signal.SIGKILL)


def test_a_grandchild_that_never_stops_talking_cannot_hold_us() -> None:
    script = (
        "child = subprocess.Popen(['yes'], start_new_session=True)"
        "\nsay('log', text=str(child.pid)); end(); os._exit(0)"
    )
    watcher = Watcher(script).started()

    assert watcher.ended().has_answered
    os.kill(int(watcher.texts()[0]), signal.SIGKILL)


def test_a_worker_that_closes_its_output_is_ended() -> None:
    watcher = Watcher("say('log', text='x'); os.close(1); time.sleep(99)").started()

    left = watcher.ended()

    assert left.is_crash
    assert "it closed its standard output" in left.said


def test_a_worker_that_has_answered_is_told_that_no_more_will_come() -> None:
    left = Watcher("end()\nsys.stdin.read()\nsys.exit(0)").started().ended()

    assert left == WorkerExit(code=0, has_answered=True, was_stopped=False)


def test_a_worker_that_has_answered_and_lingers_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenxgraph_tui.session.workers.PATIENCE", 0.1)
    watcher = Watcher("signal.signal(2, signal.SIG_DFL); end(); time.sleep(99)").started()

    left = watcher.ended()

    assert left.code == -signal.SIGINT
    assert not left.is_crash


def test_a_flood_on_both_pipes_is_read_to_its_end() -> None:
    script = (
        "for i in range(3000):\n"
        "    os.write(2, b'e' * 1000 + b'\\n'); say('log', text=str(i))\n"
        "os.write(2, b'the last\\n'); sys.exit(9)"
    )
    watcher = Watcher(script).started()

    left = watcher.ended()

    assert len(watcher.texts()) == 3000
    assert left.said[-1] == "the last"
    assert len(left.said) <= 200


def test_a_listener_that_raises_is_no_reason_to_stop_reading(
    caplog: pytest.LogCaptureFixture,
) -> None:
    seen: list[RunEvent] = []

    def listen(event: RunEvent) -> None:
        seen.append(event)
        raise ValueError("not today")

    exits: list[WorkerExit] = []
    worker = Worker(listen, exits.append, command=command("say('log', text='a'); end()"))
    worker.start(REQUEST)
    until(lambda: exits)

    assert len(seen) == 2
    assert "not today" in caplog.text


def test_an_interpreter_that_is_not_there_is_named() -> None:
    worker = Worker(print, print, command=["/no/such/python", "worker"])

    with pytest.raises(UsageError, match=r"cannot start /no/such/python: No such file"):
        worker.start(REQUEST)
    assert not worker.is_running
    assert worker.stop()


def test_nothing_happens_to_a_worker_that_is_gone() -> None:
    watcher = Watcher("end()").started()
    watcher.ended()

    watcher.worker.cancel()
    watcher.worker.kill()
    watcher.worker.stop_in_background()
    assert watcher.worker.stop()
    assert len(watcher.exits) == 1


def test_a_stop_that_comes_before_the_worker_is_up_is_kept() -> None:
    watcher = Watcher("time.sleep(99)").started()

    assert watcher.worker.stop(grace=0.1)
    assert watcher.ended().was_stopped


@pytest.mark.skipif(not OPEN_FILES.exists(), reason="the system does not list open files")
def test_no_descriptor_of_ours_leaks_into_a_worker() -> None:
    """Else a worker would not see the end of its input when the dashboard dies."""
    one = Watcher("sys.stdin.read()").started()
    two = Watcher("say('log', text=' '.join(os.listdir('/proc/self/fd'))); end()").started()

    two.ended()
    one.worker.kill()
    one.ended()

    assert len(two.texts()[0].split()) == 4  # 0, 1, 2 and that of the listing itself
