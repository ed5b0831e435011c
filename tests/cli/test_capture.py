"""Whatever an agent prints, and however, belongs to its case and leaves our streams alone."""

# ruff: noqa: T201 - printing is what is tested here

from __future__ import annotations

import asyncio
import contextvars
import io
import logging
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tenxgraph_tui.adapters.port import CURRENT
from tenxgraph_tui.cli.capture import Capture, CaptureSink
from tenxgraph_tui.cli.logfile import LogFile
from tenxgraph_tui.cli.unkept import Unkept
from tenxgraph_tui.evaluation.events import Log, RunEvent
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.evaluation.stream import EventStream

A, B = CaseKey(0, "a"), CaseKey(0, "b")


class Stage:
    """A capture with a viewer; agents perform on it."""

    def __init__(self, folder: Path) -> None:
        self.events: list[RunEvent] = []
        self.stream = EventStream(self.events.append, run_id="r")
        self.log_file = LogFile(folder / "run.log")
        self.capture = Capture(self.stream, self.log_file)

    def perform(self, *acts: Callable[[], object], case: CaseKey | None = A) -> None:
        with self.capture:
            for act in acts:
                within(case, act)
        self.log_file.close()

    @property
    def logs(self) -> list[Log]:
        return [event for event in self.events if isinstance(event, Log)]

    @property
    def lines(self) -> list[tuple[CaseKey | None, str, str]]:
        return [(log.case, log.source, log.text) for log in self.logs]


def within(case: CaseKey | None, act: Callable[[], object]) -> None:
    """Call `act` in the context of a case, as the engine does."""

    def call() -> None:
        CURRENT.set(Recorder(case) if case is not None else None)
        act()

    contextvars.copy_context().run(call)


def open_descriptors() -> int:
    """How many descriptors are open, on any POSIX system."""
    count = 0
    for number in range(256):
        with suppress(OSError):
            os.fstat(number)
            count += 1
    return count


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(tmp_path)
    yield stage
    stage.log_file.close()


@pytest.mark.parametrize(
    ("act", "line"),
    [
        pytest.param(lambda: print("hello"), (A, "stdout", "hello"), id="print"),
        pytest.param(
            lambda: print("hello", file=sys.stderr), (A, "stderr", "hello"), id="to stderr"
        ),
        pytest.param(
            lambda: sys.stdout.writelines(["he", "llo\n"]), (A, "stdout", "hello"), id="in parts"
        ),
        pytest.param(
            lambda: sys.stdout.buffer.write(b"by\xfftes\n"), (A, "stdout", r"by\xfftes"), id="bytes"
        ),
        pytest.param(lambda: os.write(1, b"from C\n"), (None, "process", "from C"), id="C to 1"),
        pytest.param(lambda: os.write(2, b"from C"), (None, "process", "from C"), id="C to 2"),
        pytest.param(
            lambda: subprocess.run(["echo", "child"], check=True),
            (None, "process", "child"),
            id="a sub-process",
        ),
        pytest.param(
            lambda: subprocess.run(["echo", "child"], stdout=sys.stdout, check=True),
            (None, "process", "child"),
            id="a sub-process that is given sys.stdout",
        ),
        pytest.param(
            lambda: print("x", file=sys.__stdout__, flush=True),
            (None, "process", "x"),
            id="around sys.stdout",
        ),
        pytest.param(lambda: print("\ud83d"), (A, "stdout", r"\ud83d"), id="half a character"),
    ],
)
def test_output_becomes_events(
    stage: Stage,
    capfd: pytest.CaptureFixture[str],
    act: Callable[[], object],
    line: tuple[CaseKey | None, str, str],
) -> None:
    stage.perform(act)
    assert stage.lines == [line]
    assert capfd.readouterr() == ("", "")
    assert line[2].replace("\\", "") in stage.log_file.path.read_text().replace("\\", "")


@pytest.mark.parametrize(
    ("log", "text", "level"),
    [
        pytest.param(
            lambda: logging.getLogger("my.agent").warning("n = %d", 7),
            "my.agent: n = 7",
            "warning",
            id="a warning",
        ),
        pytest.param(
            lambda: logging.getLogger("my.agent").error("gone"),
            "my.agent: gone",
            "error",
            id="an error",
        ),
        pytest.param(
            lambda: logging.getLogger("tenxgraph_tui_agent").warning("not of ours"),
            "tenxgraph_tui_agent: not of ours",
            "warning",
            id="of one who is called nearly as we are",
        ),
    ],
)
def test_log_records_of_those_who_did_not_configure_logging(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, log: Callable[[], None], text: str, level: str
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # pytest has its own there
    stage.perform(log, lambda: logging.getLogger("my.agent").info("not shown by Python either"))
    assert [(log.case, log.source, log.text, log.level) for log in stage.logs] == [
        (A, "logging", text, level)
    ]


def test_a_record_of_ours_is_a_notice_of_ours(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    stage.perform(lambda: logging.getLogger("tenxgraph_tui.some.where").warning("unknown key"))
    assert [(log.source, log.text, log.level) for log in stage.logs] == [
        ("tenxgraph", "unknown key", "warning")
    ]


def test_a_handler_that_the_agent_made_writes_to_its_case(stage: Stage) -> None:
    logger = logging.getLogger("configured.agent")
    logger.propagate = False

    def act() -> None:
        logger.addHandler(logging.StreamHandler())
        logger.error("mine")

    stage.perform(act)
    logger.handlers.clear()
    assert stage.lines == [(A, "stderr", "mine")]


def test_warnings_are_one_line_with_their_place(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def act() -> None:
        warnings.showwarning(UserWarning("careful"), UserWarning, "agents.py", 7)

    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    stage.perform(act)
    assert stage.lines == [(A, "warnings", "agents.py:7: UserWarning: careful")]


async def test_cases_that_run_at_once_do_not_mix(stage: Stage) -> None:
    async def agent(case: CaseKey) -> None:
        CURRENT.set(Recorder(case))
        for number in range(20):
            sys.stdout.write(f"{case.eval_id}")
            await asyncio.sleep(0)
            await asyncio.to_thread(print, f" {number}")

    with stage.capture:
        await asyncio.gather(*(agent(CaseKey(0, f"c{number}")) for number in range(10)))
    for number in range(10):
        said = [text for case, _, text in stage.lines if case == CaseKey(0, f"c{number}")]
        assert said == [f"c{number} {line}" for line in range(20)]


def test_the_last_words_of_a_case_come_before_its_result(stage: Stage) -> None:
    saved: list[int] = []

    class Sink(Unkept):
        def save(self, key: CaseKey, result: EvalCaseResult) -> None:
            saved.append(len(stage.logs))

    sink = CaptureSink(Sink(), stage.capture.book)
    with stage.capture:
        within(A, lambda: sys.stdout.write("last words"))
        within(B, lambda: sys.stdout.write("still talking"))
        sink.save(A, EvalCaseResult(eval_id="a", passed=True))
    assert saved == [1]
    assert stage.lines == [(A, "stdout", "last words"), (B, "stdout", "still talking")]


def test_an_agent_reads_nothing_from_our_input(stage: Stage) -> None:
    read: list[bytes] = []
    stage.perform(lambda: read.append(os.read(0, 10)))
    assert read == [b""]


def test_everything_is_as_before_afterwards(
    stage: Stage, capfd: pytest.CaptureFixture[str]
) -> None:
    before = (sys.stdin, sys.stdout, sys.stderr, logging.lastResort, warnings.showwarning)
    descriptors = open_descriptors()
    with pytest.raises(ZeroDivisionError), stage.capture:
        print(1 // 0)
    assert (sys.stdin, sys.stdout, sys.stderr, logging.lastResort, warnings.showwarning) == before
    assert open_descriptors() == descriptors
    os.write(1, b"ours again")
    assert capfd.readouterr().out == "ours again"


def test_a_child_that_keeps_the_pipe_open_holds_nobody_up(stage: Stage) -> None:
    children: list[subprocess.Popen[bytes]] = []
    stage.perform(lambda: children.append(subprocess.Popen(["sleep", "60"])))
    assert children[0].poll() is None
    children[0].kill()
    children[0].wait()


def test_a_viewer_that_fails_does_not_take_the_agent_with_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(event: RunEvent) -> None:
        raise OSError(f"cannot show {event.kind}")

    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    stage.stream = EventStream(fail, stage.events.append, run_id="r")
    stage.capture = Capture(stage.stream, stage.log_file)
    stage.perform(lambda: print("hello"))
    assert stage.lines[0] == (A, "stdout", "hello")
    assert any("dropping observer" in text for _, _, text in stage.lines)


def test_a_module_may_put_a_wrapper_of_its_own_around_the_buffer_again_and_again(
    stage: Stage,
) -> None:
    def wrap() -> None:
        sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8")
        print("wrapped")
        sys.stdout.flush()

    stage.perform(wrap, wrap)
    assert [text for _, _, text in stage.lines] == ["wrapped", "wrapped"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_what_a_forked_process_prints_comes_through_the_pipe_and_is_told_once(
    stage: Stage,
) -> None:
    def fork() -> None:
        child = os.fork()
        if child == 0:
            print("printed there")
            assert logging.lastResort is not None
            logging.lastResort.handle(logging.makeLogRecord({"name": "there", "msg": "logged"}))
            os._exit(0)
        os.waitpid(child, 0)

    stage.perform(fork)
    assert [(case, text) for case, _, text in stage.lines] == [
        (None, "printed there"),
        (None, "there: logged"),
    ]
