"""The dashboard's side of the process that runs agent code."""

from __future__ import annotations

import logging
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tenxgraph_tui.evaluation.events import Reply, RunEvent, RunFinished
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.evaluation.stream import parse_line
from tenxgraph_tui.evaluation.visible import visible
from tenxgraph_tui.session.child import Child
from tenxgraph_tui.session.pipes import Pipes
from tenxgraph_tui.session.protocol import Cancel, WorkerRequest

log = logging.getLogger(__name__)

GRACE = 0.5
"""Seconds that a worker has to leave after it was asked, interrupted and terminated, each time."""

PATIENCE = 5.0
"""Seconds that a worker has to leave after it has answered."""

KEPT_LINES = 200
LONGEST_LINE = 2000


@dataclass(frozen=True, slots=True)
class WorkerExit:
    """How a worker ended.

    `code` is negative for a signal. `has_answered` means that the event which ends a request
    was seen; `was_stopped`, that we ended it. `said` are the last lines on its standard error, and
    what it wrote that was no event.
    """

    code: int
    has_answered: bool
    was_stopped: bool
    said: tuple[str, ...] = ()

    @property
    def is_crash(self) -> bool:
        """Whether it ended before its work was done, and not because of us."""
        return not (self.has_answered or self.was_stopped)

    @property
    def sentence(self) -> str:
        """What happened, in one line."""
        last = next((line.strip() for line in reversed(self.said) if line.strip()), "")
        return f"the worker {ending(self.code)}{': ' if last else ''}{visible(last)}"


def ending(code: int) -> str:
    """How a process went, by its exit code; one below 0 is the signal that killed it."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def command_of(python: str = sys.executable, *flags: str) -> list[str]:
    """How a worker is started; `-P` keeps the working directory from shadowing our imports."""
    return [python, "-P", "-m", "tenxgraph_tui", "worker", *flags]


class Output:
    """What a worker writes: events, which are handed on, and other lines, of which some are kept.

    `on_answer` is called before the event that ends the request is handed on.
    """

    def __init__(self, on_event: Callable[[RunEvent], None], on_answer: Callable[[], None]) -> None:
        self._on_event, self._on_answer = on_event, on_answer
        self.has_answered = False
        self.said: deque[str] = deque(maxlen=KEPT_LINES)

    def take(self, line: bytes) -> None:
        """A line of its standard output."""
        try:
            event = parse_line(line)
        except ValueError:
            self.keep(b"an event that cannot be read: " + line)
            return
        if event is None:
            self.keep(line)
            return
        if isinstance(event, RunFinished | Reply):
            self.has_answered = True
            self._on_answer()
        try:
            self._on_event(event)
        except Exception:
            log.exception("an event was not taken: %s", event.kind)

    def keep(self, line: bytes) -> None:
        """A line of its standard error, or one that is no event."""
        self.said.append(line[:LONGEST_LINE].decode(errors="replace"))


class Worker:
    """One worker process and its one request.

    `on_event` is called in a thread of ours for every event and must not block; `on_exit` is called
    there once, last, when the process is gone and its pipes are closed.
    """

    def __init__(
        self,
        on_event: Callable[[RunEvent], None],
        on_exit: Callable[[WorkerExit], None],
        *,
        command: Sequence[str] = (),
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._output, self._on_exit = Output(on_event, self._hang_up), on_exit
        self._command, self._cwd, self._env = list(command) or command_of(), cwd, env
        self._child: Child | None = None
        self._pipes: Pipes | None = None
        self._ended = threading.Event()
        self._is_stopping = threading.Lock()
        self._was_stopped = False

    @property
    def is_running(self) -> bool:
        """Whether there is a process that has not ended."""
        return self._child is not None and not self._ended.is_set()

    @property
    def pid(self) -> int | None:
        """The process and its group; None before `start`."""
        return self._child.pid if self._child is not None else None

    def warm_up(self) -> None:
        """Start the process, which then waits for its request; called once, before `start`.

        Raises:
            UsageError: the interpreter cannot be started.
        """
        self._begin()

    def start(self, request: WorkerRequest) -> None:
        """Hand `request` to the process, which is started if it was not warmed up; called once.

        Raises:
            UsageError: the interpreter cannot be started.
        """
        pipes = self._pipes or self._begin()
        pipes.send(request.line())

    def _begin(self) -> Pipes:
        child = Child(self._command, cwd=self._cwd, env=self._env)
        pipes = Pipes(child.pipes, self._output.take, self._output.keep)
        self._child, self._pipes = child, pipes
        threading.Thread(
            target=self._serve, args=(child, pipes), daemon=True, name="worker"
        ).start()
        return pipes

    def cancel(self, case: CaseKey | None = None) -> None:
        """Ask the worker to cancel one attempt, or the run; returns at once."""
        if self._pipes is not None:
            self._pipes.send(Cancel(case).line())

    def stop_in_background(self) -> None:
        """`stop` without waiting for it."""
        self._was_stopped = True
        threading.Thread(target=self._by_stages, args=(GRACE,), daemon=True, name="stop").start()

    def stop(self, grace: float = GRACE) -> bool:
        """End the process and its group: ask, interrupt, terminate, kill, each after `grace` s.

        Returns whether it is gone; takes at most four times `grace`.
        """
        self._was_stopped = True
        return self._by_stages(grace)

    def kill(self) -> None:
        """End the process and its group at once, for a dashboard that has to leave."""
        self._was_stopped = True
        if self._child is not None:
            self._child.signal(signal.Signals["SIGKILL"])

    def wait(self, timeout: float | None = None) -> bool:
        """Whether the process has ended within `timeout` seconds."""
        return self._ended.wait(timeout)

    def _by_stages(self, grace: float) -> bool:
        if self._child is None:
            return True
        with self._is_stopping:
            self.cancel()
            for stage in ("", "SIGINT", "SIGTERM", "SIGKILL"):
                if stage:
                    self._child.signal(signal.Signals[stage])
                if self._ended.wait(grace):
                    return True
        return False

    def _serve(self, child: Child, pipes: Pipes) -> None:
        pipes.serve(child.has_exited, on_overdue=self._end_the_lingering)
        code = child.reap()
        pipes.close()
        self._ended.set()
        output = self._output
        self._on_exit(WorkerExit(code, output.has_answered, self._was_stopped, tuple(output.said)))

    def _end_the_lingering(self) -> None:
        if not self._output.has_answered:
            self._output.said.append("it closed its standard output")
        threading.Thread(target=self._by_stages, args=(GRACE,), daemon=True, name="stop").start()

    def _hang_up(self) -> None:
        if self._pipes is not None:
            self._pipes.hang_up(PATIENCE)
