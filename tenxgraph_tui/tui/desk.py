"""Everything the screens show, kept in one place that knows no screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.events import CaseFinished, Reply, RunEvent, RunFinished, RunStarted
from tenxgraph_tui.evaluation.progress import RunState
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.tui.board import Board, Earlier, alone, at_rest, over
from tenxgraph_tui.tui.catalog import CaseId, Catalog
from tenxgraph_tui.tui.changes import Change, Comparison
from tenxgraph_tui.tui.choices import Choices, Preset
from tenxgraph_tui.tui.past import Compared, PastRun, Recalled
from tenxgraph_tui.tui.pump import Fact, RunTold, WorkerEnded
from tenxgraph_tui.tui.standings import NOT_PASSED, Standings
from tenxgraph_tui.tui.trail import Trail
from tenxgraph_tui.tui.trouble import Trouble, broken_off, crashed, refused, unread


@dataclass(slots=True)
class Desk:
    """The state of a session. `request` is the run that was asked for last, `None` before one.

    `is_busy` from then until it is over. `reading` is the number of the past run that is being
    read. `last` and `good` are the newest run that is
    kept and the newest that ended by itself, as soon as the store was read.
    """

    catalog: Catalog
    choices: Choices
    root: Path
    state: RunState = field(default_factory=RunState)
    standings: Standings = field(default_factory=Standings)
    request: WorkerRequest | None = None
    requested_at: float = 0.0
    is_stopping: bool = False
    is_busy: bool = False
    trouble: Trouble | None = None
    reading: int | None = None
    last: PastRun | None = None
    good: PastRun | None = None
    comparison: Comparison = field(default_factory=Comparison)
    trail: Trail = field(default_factory=Trail)
    _awaited: str | None = None
    board: Board = field(init=False)
    _before: Board = field(init=False)
    _known: Mapping[CaseId, Earlier] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.board = self._before = alone(self.state)
        if not self.state.cases:
            self.rest()

    @property
    def is_starting(self) -> bool:
        return self.is_busy and self.state.started_at is None

    def rest(self) -> None:
        """Show the cases as they are before a run: as they were when they last ran."""
        self.state = self.catalog.idle(self.choices.preset.config)
        self.board = at_rest(self.state, self._known, self.catalog)

    def choose(self, preset: Preset) -> None:
        self.choices.preset = preset
        if self.state.started_at is None and not self.is_busy:
            self.rest()

    def reread(self, catalog: Catalog, presets: tuple[Preset, ...]) -> None:
        """The files were read again. A run that is shown, or goes on, stays as it is."""
        self.catalog = catalog
        self.choices.renew(catalog, presets)
        self.standings.keep_only(catalog.may_hold)
        if self.state.started_at is None and not self.is_busy:
            self.rest()

    def asked(self, request: WorkerRequest, now: float) -> None:
        """A run was asked for; what is known of an earlier one stays in the standings."""
        if self.state.is_running:
            self._break_off(error=None)  # it gives way, and what it still tells is too late
        if not self.is_starting:
            self._before = self.board
        self.request, self.requested_at = request, now
        self._awaited, self.reading = request.run_id, None
        self.is_busy, self.is_stopping, self.trouble = True, False, None
        self.state = self.catalog.idle(self.choices.preset.config, request.sets)
        self.board = over(self.state, self._before, self.catalog)
        self.comparison = Comparison()

    def open(self, run_id: str, number: int) -> None:
        """A past run was asked for: it is told like one that happens now, only faster."""
        self._before = self.board
        self._awaited, self.reading = run_id, number
        self.request, self.trouble = None, None

    def _not_started(self) -> None:
        """What was shown before the run was asked for is shown again."""
        self.board = self._before
        self.state = self.board.state

    def apply(self, fact: Fact) -> None:
        """Take in one fact; those of a run that is not the current one are too late."""
        match fact:
            case Recalled():
                self._recall(fact)
            case Compared():
                self._compare(fact)
            case _ if self._awaited is not None and fact.run_id != self._awaited:
                pass
            case RunTold():
                self._told(fact)
            case WorkerEnded():
                self._ended(fact)
            case Reply(error=str()):
                self.trouble = refused(fact, target=self.target_name(), root=self.root)
                self._not_started()
                self.is_busy = False
            case _:
                self._fold(fact)

    def _fold(self, event: RunEvent) -> None:
        if isinstance(event, RunStarted):
            self.state, self.comparison = RunState(), Comparison()
        self.state.apply(event)
        self.trail.note(event)
        if isinstance(event, RunStarted):
            self._started()
        elif isinstance(event, CaseFinished) and event.case in self.state.cases:
            case = self.id_of(event.case)
            self.standings.finish(case, event.status)
            if not event.case.attempt:
                self.comparison.count([(case, event.status)])
        elif isinstance(event, RunFinished):
            self._finished(event)

    def _started(self) -> None:
        """A run that was asked for leaves the other cases as they are; a past one is alone."""
        is_asked_for = self.is_busy
        self.board = (
            over(self.state, self._before, self.catalog) if is_asked_for else alone(self.state)
        )
        self.standings.begin((self.id_of(key), case) for key, case in self.state.cases.items())
        if self.reading is not None:
            self.scope_to_run()

    def _told(self, told: RunTold) -> None:
        self.reading = None
        if told.problem:
            self.trouble = unread(told.problem)
            self._not_started()

    def _recall(self, recalled: Recalled) -> None:
        """What earlier sessions left is shown until this one knows better."""
        self.last, self.good, self._known = recalled.last, recalled.good, recalled.cases
        self.standings.seed((case, known.case) for case, known in recalled.cases.items())
        if self.state.started_at is None and not self.is_busy:
            self.rest()
        elif self.request is not None and self._before.state.started_at is None:
            idle = self.catalog.idle(self.choices.preset.config)
            self._before = at_rest(idle, recalled.cases, self.catalog)
            self.board = over(self.state, self._before, self.catalog)

    def _compare(self, compared: Compared) -> None:
        """The baseline was found; what has finished meanwhile is compared now."""
        if compared.run_id == self.state.run_id:
            self.comparison = Comparison(compared.baseline)
            first = (case for key, case in self.state.cases.items() if not key.attempt)
            self.comparison.count((self.id_of(case.key), case.status) for case in first)

    def change_of(self, key: CaseKey) -> Change | None:
        """What became of a case of the run since the baseline; None of cases of other runs."""
        if key in self.board.earlier or self.comparison.baseline is None:
            return None
        return self.comparison.of(self.id_of(key), self.board.cases[key].status)

    def _finished(self, event: RunFinished) -> None:
        self.is_busy = self.is_stopping = False
        self.standings.end()
        if self.request is not None and (run := PastRun.shown(self.state)) is not None:
            self.last = run
            self.good = run if not (event.was_cancelled or event.error) else self.good
        if event.error and not self.state.done:
            self.trouble = broken_off(event.error)

    def _ended(self, ended: WorkerEnded) -> None:
        if not self.is_busy:
            return
        state, was_stopping = self.state, self.is_stopping
        done, planned = state.done, len(state.cases) if state.started_at is not None else 0
        self.is_busy = self.is_stopping = False
        if state.started_at is not None:
            self._break_off(error=None if was_stopping else "the worker stopped")
        else:
            self._not_started()
        if not was_stopping:
            self.trouble = crashed(ended, done=done, planned=planned, target=self.target_name())

    def _break_off(self, error: str | None) -> None:
        """The run on the screen goes no further."""
        state = self.state
        over = RunFinished(
            seq=0, at=state.last_at, run_id=state.run_id, was_cancelled=True, error=error
        )
        state.apply(over)
        self.standings.end()

    def id_of(self, key: CaseKey) -> CaseId:
        """The case in its file that an attempt of the run is of."""
        return CaseId(self.catalog.path_of(self.board.sets[key.set_index].file), key.eval_id)

    def key_of(self, case: CaseId) -> CaseKey | None:
        """The first attempt of a case in the run that is shown, if it is part of it."""
        files = [self.catalog.path_of(info.file) for info in self.board.sets]
        key = CaseKey(files.index(case.path), case.eval_id) if case.path in files else None
        return key if key in self.board.cases else None

    def case_of(self, key: CaseKey) -> EvalCase | None:
        """The case as its file has it now; None where the file is not part of the catalog."""
        return self.catalog.case(self.id_of(key))

    def not_passed(self) -> list[CaseKey]:
        """The attempts that failed or errored, in file order."""
        return [case.key for case in self.board.cases.values() if case.status in NOT_PASSED]

    def scope_to_run(self) -> None:
        """Run again only what the run that is shown is of."""
        self.choices.scope = frozenset(self.id_of(key) for key in self.state.cases)

    def to_run(self) -> int:
        """How many cases `r` runs; those that are skipped are not among them."""
        if self.choices.wanted is None:
            return self.catalog.runnable
        return self.catalog.count_runnable(self.choices.wanted)

    def has_cases_to_run(self) -> bool:
        """Whether there is anything that a run could be asked for."""
        wanted = self.choices.wanted
        if wanted is None:
            return len(self.catalog) > 0
        return any(case in self.catalog for case in wanted)

    def failed_ids(self) -> list[CaseId]:
        """The cases that did not pass when they last ran, in the order of the catalog."""
        failed = self.standings.failed
        return [case for case in self.catalog if case in failed]

    def target_name(self) -> str:
        """The target of the run, or how many there are."""
        if self.choices.target and self.state.started_at is None:
            return self.choices.target
        names = dict.fromkeys(info.target for info in self.state.sets if info.target)
        return next(iter(names)) if len(names) == 1 else f"{len(names)} targets" if names else ""
