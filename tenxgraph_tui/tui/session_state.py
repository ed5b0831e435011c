"""What is known in a session: what there is to run, what was chosen, and how everything stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.progress import NOT_PASSED, RunState
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.evaluation.secrets import shown_spec
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.tui.board import Board, Earlier, alone, at_rest
from tenxgraph_tui.tui.catalog import CaseId, Catalog
from tenxgraph_tui.tui.changes import Against, Change, Comparison
from tenxgraph_tui.tui.choices import Choices, Preset
from tenxgraph_tui.tui.idle import idle
from tenxgraph_tui.tui.past import PastRun
from tenxgraph_tui.tui.standings import Standings
from tenxgraph_tui.tui.trail import Trail
from tenxgraph_tui.tui.trouble import Trouble
from tenxgraph_tui.tui.watching.state import Watch


@dataclass(slots=True)
class SessionState:
    """The state of a session. `request` is the run that was asked for last, `None` before one.

    `is_busy` from then until it is over. `reading` is the number of the past run that is being
    read, `files_to_come` counts the eval-set files that were too large to be waited for. `last` and
    `good` are the newest run that is kept and the newest that ended by itself, as soon as the store
    was read.
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
    files_to_come: int = 0
    last: PastRun | None = None
    good: PastRun | None = None
    comparison: Comparison = field(default_factory=Comparison)
    watch: Watch = field(default_factory=Watch)
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

    @property
    def is_blocked(self) -> bool:
        """Whether an error stands in the place of the results; watch mode leaves these in sight."""
        return self.trouble is not None and not self.watch.is_on

    def rest(self) -> None:
        """Show the cases as they are before a run: as they were when they last ran."""
        self.state = idle(self.catalog, self.choices.preset.checked)
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

    def change_of(self, key: CaseKey) -> Change | None:
        """What became of a case of the run since the baseline; None of cases of other runs."""
        if key in self.board.earlier or self.comparison.baseline is None:
            return None
        return self.comparison.of(self.id_of(key), self.board.cases[key].status)

    def against(self, key: CaseKey) -> Against | None:
        """The same, with what it follows from."""
        if key in self.board.earlier:
            return None
        return self.comparison.against(self.id_of(key), self.board.cases[key].status)

    def target_name(self) -> str:
        """The target of the run, or how many there are."""
        if self.choices.target and self.state.started_at is None:
            return shown_spec(self.choices.target)
        standing = self.choices.terms.fallbacks.target or ""
        named = (info.target or standing for info in self.state.sets)
        names = dict.fromkeys(shown_spec(name) for name in named if name)
        return next(iter(names)) if len(names) == 1 else f"{len(names)} targets" if names else ""
