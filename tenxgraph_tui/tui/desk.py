"""Everything the screens show, kept in one place that knows no screen."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.events import CaseFinished, Reply, RunFinished, RunStarted
from tenxgraph_tui.evaluation.progress import RunState
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.tui.board import Board, alone, over
from tenxgraph_tui.tui.catalog import CaseId, Catalog
from tenxgraph_tui.tui.choices import Choices, Preset
from tenxgraph_tui.tui.pump import Fact, WorkerEnded
from tenxgraph_tui.tui.standings import NOT_PASSED, Standings
from tenxgraph_tui.tui.trouble import Trouble, broken_off, crashed, refused


@dataclass(slots=True)
class Desk:
    """The state of a session. `request` is the run that was asked for last, `None` before one.

    `is_busy` from then until it is over.
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
    board: Board = field(init=False)
    _before: Board = field(init=False)

    def __post_init__(self) -> None:
        self.board = self._before = alone(self.state)
        if not self.state.cases:
            self.rest()

    @property
    def is_starting(self) -> bool:
        return self.is_busy and self.state.started_at is None

    def rest(self) -> None:
        """Show the cases as they are before a run."""
        self.state = self.catalog.idle(self.choices.preset.config)
        self.board = alone(self.state)

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
        self.is_busy, self.is_stopping, self.trouble = True, False, None
        self.state = self.catalog.idle(self.choices.preset.config, request.sets)
        self.board = over(self.state, self._before, self.catalog)

    def _not_started(self) -> None:
        """What was shown before the run was asked for is shown again."""
        self.board = self._before
        self.state = self.board.state

    def apply(self, fact: Fact) -> None:
        """Take in one fact; those of a run that is not the current one are too late."""
        if self.request is not None and fact.run_id != self.request.run_id:
            return
        if isinstance(fact, WorkerEnded):
            self._ended(fact)
            return
        if isinstance(fact, Reply):
            if fact.error is not None:
                self.trouble = refused(fact, target=self.target_name(), root=self.root)
                self._not_started()
                self.is_busy = False
            return
        if isinstance(fact, RunStarted):
            self.state, before = RunState(), self._before if self.is_busy else self.board
        self.state.apply(fact)
        if isinstance(fact, RunStarted):
            self.board = over(self.state, before, self.catalog)
            cases = self.state.cases.items()
            self.standings.begin((self.id_of(key), case) for key, case in cases)
        elif isinstance(fact, CaseFinished) and fact.case in self.state.cases:
            self.standings.finish(self.id_of(fact.case), fact.status)
        elif isinstance(fact, RunFinished):
            self._finished(fact)

    def _finished(self, event: RunFinished) -> None:
        self.is_busy = self.is_stopping = False
        self.standings.end()
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
        return any(self.catalog.case(case) is not None for case in wanted)

    def run_label(self) -> str:
        """What `r` does, with its size."""
        picked = " selected" if self.choices.selected else ""
        return f"Run {self.to_run()}{picked}"

    def why_none_failed(self) -> str:
        """What to say where a case that did not pass was asked for and there is none."""
        if self.is_busy:
            return "No case has failed so far."
        if self.state.started_at is None:
            return "No case has run yet. r runs them."
        return "No case failed in this run."

    def failed_ids(self) -> list[CaseId]:
        """The cases that did not pass when they last ran, in the order of the catalog."""
        failed = self.standings.failed
        return [case for case in self.catalog if case in failed]

    def facts(self) -> list[tuple[str, str]]:
        """What is run, by what, for the top of the screen: (label, value)."""
        target, config = self.target_name(), self.config_name()
        number = self.state.number
        return [
            ("" if target.endswith(" targets") else "target", target),
            ("" if config.endswith(" configs") else "preset", config),
            ("run", f"#{number}" if number is not None else ""),
        ]

    def target_name(self) -> str:
        """The target of the run, or how many there are."""
        if self.choices.target and self.state.started_at is None:
            return self.choices.target
        names = dict.fromkeys(info.target for info in self.state.sets if info.target)
        return next(iter(names)) if len(names) == 1 else f"{len(names)} targets" if names else ""

    def config_name(self) -> str:
        """The config of the run that is shown, else the one that the next run takes."""
        names = dict.fromkeys(info.config for info in self.state.sets if info.config)
        if len(names) == 1:
            return next(iter(names))
        return f"{len(names)} configs" if names else self.choices.preset.name
