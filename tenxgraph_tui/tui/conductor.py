"""Carries out what the user asks for: runs start and end here, and what they tell comes in here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.protocol import ExportOptions, WorkerRequest
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.choices import judged_again
from tenxgraph_tui.tui.control import Child, OnEvent, OnExit, RunControl
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.past_runs import PastRuns
from tenxgraph_tui.tui.presets import Preset
from tenxgraph_tui.tui.pump import Fact, WorkerEnded


class Conductor:
    """Between the desk, the worker and the runs that are kept.

    `store` None keeps no run; `clock` gives Unix seconds.
    """

    def __init__(
        self,
        desk: Desk,
        control: RunControl,
        store: str | None,
        clock: Callable[[], float],
        past: PastRuns | None = None,
    ) -> None:
        self._desk, self._control = desk, control
        self._store, self._clock, self._past = store, clock, past

    @property
    def folder(self) -> Path | None:
        """Where the runs of the project lie, and what else is kept of it."""
        return Path(self._store).parent if self._store is not None else None

    def run(
        self,
        only: Iterable[CaseId] | None = None,
        *,
        first: Iterable[CaseId] = (),
        preset: Preset | None = None,
    ) -> WorkerRequest:
        """Run the given cases, else the selection, else everything; what runs is stopped first.

        `first` are cases that begin before the others. `preset` is for this run alone.
        """
        desk = self._desk
        if self._past is not None:
            self._past.stop()
        request = desk.choices.request(
            desk.catalog,
            root=str(desk.root),
            store=self._store,
            only=only,
            first=first,
            preset=preset,
        )
        desk.asked(request, self._clock())
        self._control.run(request)
        return request

    def judge_again(
        self, cases: Iterable[CaseId], model: str | None, *, is_afresh: bool = True
    ) -> None:
        """Have what the run on the desk did judged by the preset in use, and by that model.

        Where not `is_afresh`, answers that are kept are taken, if the settings want any kept.
        """
        desk, number = self._desk, self._desk.state.number
        if number is None:
            return
        choices = desk.choices
        request = choices.request(desk.catalog, root=str(desk.root), store=self._store, only=cases)
        request = judged_again(request, number, choices.preset, model, is_afresh=is_afresh)
        desk.asked(request, self._clock())
        self._control.run(request)

    def stop(self) -> None:
        """Have the run that goes on ended, whatever it is doing: another one is about to begin."""
        self._desk.is_stopping = True
        self._control.stop()

    def cancel(self) -> None:
        """End the run early; asked a second time, by force."""
        self._desk.is_stopping = True
        self._control.cancel()

    def cancel_case(self, case: CaseKey) -> None:
        """Have one case of the run given up; the others go on."""
        self._control.cancel_case(case)

    def open(self, run_id: str, number: int) -> bool:
        """Show a past run; False, and nothing changes, while a run goes on."""
        if self._past is None or self._desk.is_busy:
            return False
        self._desk.open(run_id, number)
        self._past.tell(run_id)
        return True

    def export(
        self, number: int, options: ExportOptions, on_event: OnEvent, on_exit: OnExit
    ) -> Child:
        """Have the report files of a run that is kept written, whatever else goes on.

        Raises:
            TenxError: the worker cannot be started.
        """
        request = WorkerRequest(
            kind="export",
            root=str(self._desk.root),
            store=self._store,
            run_id=str(number),
            export=options,
        )
        return self._control.aside(request, on_event, on_exit)

    def take_in(self, facts: Iterable[Fact]) -> None:
        """Fold what a worker told."""
        for fact in facts:
            self._desk.apply(fact)
            if isinstance(fact, WorkerEnded):
                self._control.ended(fact.run_id)
