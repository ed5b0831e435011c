"""One export at a time: a worker writes the files, and here is kept how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.evaluation.events import Log, Reply, RunEvent
from tenxgraph_tui.session.protocol import ExportOptions
from tenxgraph_tui.session.workers import WorkerExit
from tenxgraph_tui.tui.control import Child, OnEvent, OnExit


@dataclass(frozen=True, slots=True)
class Written:
    """What came of it: the paths, sentences about files that were not written, and the cases."""

    files: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    cases: int = 0
    unfinished: int = 0

    @classmethod
    def told(cls, data: dict[str, Any]) -> Written:
        """As a worker answers it."""
        return cls(
            tuple(map(str, data.get("files", ()))),
            tuple(map(str, data.get("problems", ()))),
            int(data.get("cases", 0)),
            int(data.get("unfinished", 0)),
        )


class Asks(Protocol):
    """Has a worker export a run: `Conductor.export`."""

    def __call__(
        self, number: int, options: ExportOptions, on_event: OnEvent, on_exit: OnExit
    ) -> Child: ...


class Exporter:
    """`later` calls something in the thread of the interface, which is where all else happens.

    `changed` is called when there is something new to show, `done` with what was written of the
    run of that number.
    """

    def __init__(
        self,
        ask: Asks,
        later: Callable[[Callable[[], None]], object],
        changed: Callable[[], None],
        done: Callable[[int, Written], None],
    ) -> None:
        self._ask, self._later, self._changed, self._done = ask, later, changed, done
        self._child: Child | None = None
        self._begun = 0
        self.number = 0
        """The run that is, or was last, exported."""
        self.told = self.problem = ""

    @property
    def is_busy(self) -> bool:
        """Whether an export is under way."""
        return self._child is not None

    def begin(self, number: int, options: ExportOptions) -> None:
        """Have a run written; one that is under way goes on alone."""
        if self._child is not None:
            return
        self._begun += 1
        self.number, self.told, self.problem = number, "reading the run", ""
        hear = partial(self._hear, self._begun)
        try:
            self._child = self._ask(number, options, hear, hear)
        except (TenxError, OSError) as error:
            self.problem = f"the worker could not be started: {error}"
        self._changed()

    def stop(self) -> None:
        """Give it up; no file will be there half written."""
        if self._child is not None:
            self._child.stop_in_background()
            self._child = None
            self._changed()

    def _hear(self, begun: int, what: RunEvent | WorkerExit) -> None:
        """A worker tells, in a thread of its own."""
        self._later(partial(self._take, begun, what))

    def _take(self, begun: int, what: RunEvent | WorkerExit) -> None:
        """Take it in, unless it is of an export that is over or was given up."""
        if begun != self._begun or self._child is None:
            return
        match what:
            case Log():
                self.told = what.text
            case Reply(error=str() as problem):
                self._child, self.problem = None, problem
            case Reply():
                self._child = None
                self._done(self.number, Written.told(what.data))
            case WorkerExit():
                self._child, self.problem = None, what.sentence
        self._changed()
