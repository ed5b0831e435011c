"""The next worker waits behind the one that works: started, the library loaded, nothing asked yet.

So a run begins with the import of the agent, and not with that of everything else.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.evaluation.events import RunEvent, RunStarted
from tenxgraph_tui.session.protocol import Need, WorkerRequest
from tenxgraph_tui.session.workers import Worker, WorkerExit, command_of

OnEvent = Callable[[RunEvent], None]
OnExit = Callable[[WorkerExit], None]

LAST_WAIT = 1.0
"""Seconds that the end waits for a killed worker to be gone."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a process has from its start on; where it differs, another worker is needed.

    `marks` tell an interpreter, its packages and the folder from what has taken their place since.
    """

    python: str
    cwd: str
    env: frozenset[tuple[str, str]]
    marks: tuple[tuple[int, int] | None, ...]

    @classmethod
    def now(cls, python: str) -> Surroundings:
        """As a process would find them that starts now."""
        cwd = os.getcwd()  # noqa: PTH109 - as text
        packages = sorted(Path(python).parent.parent.glob("[Ll]ib/python3*/site-packages"))
        marks = (_folder(cwd), *(_change(path) for path in (Path(python), *packages)))
        return cls(python, cwd, frozenset(os.environ.items()), marks)


class Standby:
    """Starts workers, each in the place of one that was started before; from any thread.

    `python` says which interpreter they run under, and raises a `TenxError` where there is none.
    """

    def __init__(self, python: Callable[[], str]) -> None:
        self._python = python
        self._changing = threading.Lock()
        self._waiting: _Waiting | None = None
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """The process that waits, if one does."""
        waiting = self._waiting
        return waiting.worker.pid if waiting is not None and waiting.worker.is_running else None

    def launch(self, request: WorkerRequest, on_event: OnEvent, on_exit: OnExit) -> Worker:
        """Have `request` carried out; as soon as its run has begun, the next worker gets ready.

        Raises:
            TenxError: no worker can be started.
        """
        here = Surroundings.now(self._python())

        def hear(event: RunEvent) -> None:
            on_event(event)
            if isinstance(event, RunStarted):
                self.prepare(needs_of(event))

        def bury(how: WorkerExit) -> None:
            on_exit(how)
            self.prepare()

        with self._changing:
            waiting, self._waiting = self._waiting, None
        if waiting is not None and waiting.here == here and waiting.serve(hear, bury):
            waiting.worker.start(request)
            return waiting.worker
        if waiting is not None:
            waiting.worker.kill()
        worker = Worker(hear, bury, command=command_of(here.python))
        worker.start(request)
        return worker

    def prepare(self, needs: Iterable[Need] = ()) -> None:
        """Have a worker ready that knows of `needs`; one that is and fits stays.

        That none can be started is told by the run that needs one.
        """
        wanted = frozenset(needs)
        try:
            here = Surroundings.now(self._python())
        except (TenxError, OSError):
            return
        with self._changing:
            if self._is_closed or (self._waiting and self._waiting.is_right(here, wanted)):
                return
            before, self._waiting = self._waiting, None
            if before is not None:
                before.worker.kill()
            try:
                self._waiting = _Waiting(here, wanted)
            except TenxError:
                return

    def close(self) -> None:
        """End the one that waits; none is started any more."""
        with self._changing:
            self._is_closed = True
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.worker.kill()
            waiting.worker.wait(LAST_WAIT)


class _Waiting:
    """A worker without a request, and whom it will tell of what it does."""

    def __init__(self, here: Surroundings, needs: frozenset[Need]) -> None:
        self.here, self._needs = here, needs
        self._settling = threading.Lock()
        self._is_over = False
        self._on_event: OnEvent = _ignore
        self._on_exit: OnExit = _ignore
        flags = (flag for need in sorted(needs) for flag in ("--need", need))
        command = command_of(here.python, "--warm", *flags)
        self.worker = Worker(self._tell, self._end, command=command)
        self.worker.warm_up()

    def is_right(self, here: Surroundings, needs: frozenset[Need]) -> bool:
        return self.worker.is_running and self.here == here and needs <= self._needs

    def serve(self, on_event: OnEvent, on_exit: OnExit) -> bool:
        """From now on tell these; False if there is nothing left that could tell."""
        with self._settling:
            if self._is_over or not self.worker.is_running:
                return False
            self._on_event, self._on_exit = on_event, on_exit
            return True

    def _tell(self, event: RunEvent) -> None:
        self._on_event(event)

    def _end(self, how: WorkerExit) -> None:
        with self._settling:
            self._is_over = True
        self._on_exit(how)


def needs_of(event: RunStarted) -> set[Need]:
    """What the next run will need, if it is like this one."""
    asks = any(each.judged for info in event.sets for each in info.criteria)
    return {"judge"} if asks or any(s.target.startswith("model:") for s in event.sets) else set()


def _ignore(_: object) -> None:
    """Nobody asked it for anything."""


def _folder(path: str) -> tuple[int, int]:
    status = os.stat(path)  # noqa: PTH116 - as text
    return status.st_dev, status.st_ino


def _change(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns
