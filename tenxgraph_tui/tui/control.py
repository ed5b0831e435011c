"""Starting and stopping runs: at most one of them goes on, and nobody ever waits for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.evaluation.events import RunEvent
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.session.workers import WorkerExit
from tenxgraph_tui.tui.pump import EventPump, WorkerEnded

OnEvent = Callable[[RunEvent], None]
OnExit = Callable[[WorkerExit], None]

LAST_GRACE = 0.15
"""Seconds for each stage of the end when the dashboard is left: results are kept already."""


class Child(Protocol):
    """A worker that was started: `session.workers.Worker`, or a test's."""

    def cancel(self, case: CaseKey | None = None) -> None:
        """Ask it to give up one case, or to end its run early; results so far are kept."""

    def stop_in_background(self) -> None:
        """End it and everything it started, by force if it does not listen."""

    def stop(self, grace: float) -> bool:
        """The same, waiting for it: `grace` seconds a stage."""


Launch = Callable[[WorkerRequest, OnEvent, OnExit], Child]


class RunControl:
    """Owns the workers. Called from the interface's thread only; the worker tells the pump.

    `on_close` is called before the workers are ended for good.
    """

    def __init__(
        self, pump: EventPump, launch: Launch, on_close: Callable[[], None] = lambda: None
    ) -> None:
        self._pump, self._launch, self._on_close = pump, launch, on_close
        self._child: Child | None = None
        self._run_id = ""
        self._next: WorkerRequest | None = None
        self._asked_to_cancel = False
        self._aside: Child | None = None

    def run(self, request: WorkerRequest) -> None:
        """Start a run; one that is in progress is stopped first."""
        if self._child is None:
            self._begin(request)
            return
        self._next = request
        self._child.stop_in_background()

    def stop(self) -> None:
        """End the run at once; nobody waits for its results."""
        if self._next is not None:
            self.cancel()
        elif self._child is not None:
            self._child.stop_in_background()

    def cancel(self) -> None:
        """End the run early; asked a second time, do not wait for the agent any more."""
        if self._next is not None:
            # the worker that it waited for is being stopped already, and is nobody's run any more
            waiting, self._next = self._next, None
            self._pump(WorkerEnded(waiting.run_id, 0))
            return
        if self._child is None:
            return
        if self._asked_to_cancel:
            self._child.stop_in_background()
        else:
            self._child.cancel()
        self._asked_to_cancel = True

    def cancel_case(self, case: CaseKey) -> None:
        """Have one case given up; the others go on."""
        if self._child is not None and self._next is None:
            self._child.cancel(case)

    def ended(self, run_id: str) -> None:
        """The worker of that run is gone; the run that waited for it begins."""
        if run_id != self._run_id:
            return
        self._child = None
        if self._next is not None:
            request, self._next = self._next, None
            self._begin(request)

    def aside(self, request: WorkerRequest, on_event: OnEvent, on_exit: OnExit) -> Child:
        """Start a worker that is no run and waits for none: its owner hears of it, in a thread.

        Raises:
            TenxError: it cannot be started.
        """
        self._aside = self._launch(request, on_event, on_exit)
        return self._aside

    def close(self) -> None:
        """End everything, whatever it is doing."""
        self._next = None
        self._on_close()
        for child in (self._child, self._aside):
            if child is not None:
                child.stop(LAST_GRACE)

    def _begin(self, request: WorkerRequest) -> None:
        self._run_id, self._asked_to_cancel = request.run_id, False
        pump = self._pump

        def gone(how: WorkerExit) -> None:
            pump(WorkerEnded(request.run_id, how.code, how.said))

        try:
            self._child = self._launch(request, pump, gone)
        except (TenxError, OSError) as error:
            said = (f"the worker could not be started: {error}",)
            pump(WorkerEnded(request.run_id, 1, said))
