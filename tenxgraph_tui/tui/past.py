"""What earlier runs left: told to the desk like everything else, once the store was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.numbers import moment
from tenxgraph_tui.evaluation.progress import RunState
from tenxgraph_tui.session.history import Baseline
from tenxgraph_tui.session.records import RunRecord, RunStatus
from tenxgraph_tui.tui.board import Earlier
from tenxgraph_tui.tui.catalog import CaseId


@dataclass(frozen=True, slots=True)
class PastRun:
    """A run in a line: `total` leaves out what was skipped, `at` is Unix seconds.

    `ending` is how it ended, where that was not by itself: `cancelled`, `interrupted`, or `running`
    where another process is still at it.
    """

    number: int
    passed: int
    total: int
    at: float
    ending: str = ""

    @classmethod
    def stored(cls, run: RunRecord | None) -> PastRun | None:
        if run is None:
            return None
        at = run.finished_at if run.finished_at is not None else run.started_at
        ending = "" if run.status is RunStatus.FINISHED else run.status.value
        return cls(run.number, run.passed, run.planned - run.skipped, at, ending)

    @classmethod
    def shown(cls, state: RunState) -> PastRun | None:
        """The run of a state, if it is kept."""
        if state.number is None or state.finished_at is None:
            return None
        total = len(state.cases) - state.counts[CaseStatus.SKIPPED]
        ending = RunStatus.CANCELLED.value if state.was_cancelled else ""
        passed = state.counts[CaseStatus.PASSED]
        return cls(state.number, passed, total, state.finished_at, ending)


@dataclass(frozen=True, slots=True)
class Recalled:
    """What is known of the cases from earlier runs.

    `last` is the newest run that began, `good` the newest that ended by itself.
    """

    last: PastRun | None = None
    good: PastRun | None = None
    cases: Mapping[CaseId, Earlier] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Compared:
    """The baseline of the run with that id; None where there is none."""

    run_id: str
    baseline: Baseline | None


def passed_at(run: PastRun, now: float) -> str:
    """`#18   27 of 36 passed, 14:32`."""
    return f"#{run.number}   {run.passed} of {run.total} passed, {moment(run.at, now)}"
