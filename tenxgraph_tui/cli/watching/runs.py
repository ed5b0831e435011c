"""The run that goes on: its worker, what it has told, and how it came to its end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tenxgraph_tui.cli.compose import shown
from tenxgraph_tui.cli.watching.messages import Left, Message, Told, Wrote
from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.evaluation.events import Reply, RunEvent
from tenxgraph_tui.evaluation.progress import RunState
from tenxgraph_tui.session.protocol import ExportOptions, WorkerRequest
from tenxgraph_tui.session.standby import Standby
from tenxgraph_tui.session.watching.loop import Ending
from tenxgraph_tui.session.workers import Worker, WorkerExit

LAST_GRACE = 0.12
"""Seconds for each stage of the end when watch is left: results are kept already."""

Post = Callable[[Message], None]


@dataclass(slots=True)
class WatchedRun:
    """One run; `asked_at` is in Unix seconds. `refusal` is why the worker could not begin it."""

    request: WorkerRequest
    reason: str
    asked_at: float
    state: RunState = field(default_factory=RunState)
    refusal: Reply | None = None

    @property
    def planned(self) -> int:
        """How many cases it was asked for, as far as they are named."""
        return sum(len(one.ids or ()) for one in self.request.sets)

    def apply(self, event: RunEvent) -> None:
        """Take in what its worker told."""
        if isinstance(event, Reply):
            self.refusal = event
        self.state.apply(event)

    @property
    def ending(self) -> Ending:
        """How it ended, now that its worker is gone."""
        if self.state.finished_at is None or (self.state.error and not self.state.done):
            return Ending.FAILED
        return Ending.CANCELLED if self.state.was_cancelled else Ending.COMPLETED


class Runs:
    """Starts workers and ends them; what they tell is posted, from threads of theirs."""

    def __init__(self, standby: Standby, post: Post) -> None:
        self._standby, self._post = standby, post
        self._worker: Worker | None = None
        self._aside: list[Worker] = []
        self.now: WatchedRun | None = None

    def start(self, request: WorkerRequest, reason: str) -> None:
        """Have a run begin; none goes on.

        Raises:
            TenxError: no worker can be started.
        """
        run_id, post = request.run_id, self._post
        self.now = WatchedRun(request, reason, time.time())
        self._worker = self._standby.launch(
            request,
            lambda event: post(Told(run_id, event)),
            lambda how: post(Left(run_id, how)),
        )

    def cancel(self) -> None:
        """Have the run come to its end early; its results so far count."""
        if self._worker is not None:
            self._worker.cancel()

    def stop(self) -> None:
        """End the worker, whatever it does; `Left` will be posted."""
        if self._worker is not None:
            self._worker.stop_in_background()

    def is_current(self, run_id: str) -> bool:
        """Whether that is the run that goes on."""
        return self.now is not None and self.now.request.run_id == run_id

    def over(self) -> WatchedRun:
        """The worker is gone: the run that it carried out."""
        ended, self.now, self._worker = self.now, None, None
        assert ended is not None
        return ended

    def export(self, run: WatchedRun, options: ExportOptions) -> None:
        """Have the report files of a run written, beside all else; `Wrote` is posted."""
        request = WorkerRequest(
            kind="export",
            root=run.request.root,
            store=run.request.store,
            run_id=run.request.run_id,
            export=options,
        )
        answers: list[Reply] = []

        def hear(event: RunEvent) -> None:
            if isinstance(event, Reply):
                answers.append(event)

        def left(how: WorkerExit) -> None:
            self._post(Wrote(_written(answers[0]) if answers else (how.sentence,)))

        worker = Worker(hear, left)
        try:
            worker.start(request)
        except TenxError as error:
            self._post(Wrote((str(error),)))
            return
        self._aside = [*(one for one in self._aside if one.is_running), worker]

    def close(self) -> None:
        """End everything; takes half a second where an agent does not listen."""
        self._standby.close()
        enders = [
            threading.Thread(target=worker.stop, args=(LAST_GRACE,), daemon=True)
            for worker in (self._worker, *self._aside)
            if worker is not None and worker.is_running
        ]
        for ender in enders:
            ender.start()
        for ender in enders:
            ender.join()


def _written(reply: Reply) -> tuple[str, ...]:
    if reply.error is not None:
        return (reply.error,)
    files = (f"wrote {shown(Path(path))}" for path in reply.data.get("files", ()))
    return (*files, *map(str, reply.data.get("problems", ())))
