"""The fold: events in, what a viewer needs out. Nobody else computes "what is going on"."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from functools import lru_cache
from typing import assert_never

from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseInfo,
    CaseRestarted,
    CaseStarted,
    CaseStatus,
    CriterionScored,
    Files,
    JudgeStarted,
    Log,
    Reply,
    RunEvent,
    RunFinished,
    RunRef,
    RunStarted,
    SetInfo,
    StepRecorded,
    StepStarted,
    TurnStarted,
    VerdictPreview,
)
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.live import LiveSteps
from tenxgraph_tui.evaluation.results import CaseKey

NOT_PASSED = frozenset({CaseStatus.FAILED, CaseStatus.ERROR})
"""What of a case is in need of work."""
DONE = NOT_PASSED | {CaseStatus.PASSED}
KEPT_LOG_LINES = 2000
ENOUGH_FOR_A_RATE = 3
KEPT_ALIKE = 4096


@lru_cache(maxsize=KEPT_ALIKE)
def _alike(verdict: VerdictPreview) -> VerdictPreview:
    """The first verdict that equals this one: most cases of a run pass for the same reasons."""
    return verdict


@dataclass(slots=True)
class CaseProgress:
    """One attempt as it stands. Times are in Unix seconds, from the events.

    `live` holds its steps while it runs; then they are in its result.
    """

    key: CaseKey
    info: CaseInfo
    status: CaseStatus = CaseStatus.WAITING
    started_at: float | None = None
    finished_at: float | None = None
    turn: int = 0
    step: str = ""
    node: str = ""
    steps: int = 0
    tokens: int = 0
    verdicts: dict[str, VerdictPreview] = field(default_factory=dict)
    usage: TokenUsage = field(default_factory=TokenUsage)
    cost: float | None = None
    duration_seconds: float | None = None
    error: str | None = None
    reason: str = ""
    response: str = ""
    restarts: int = 0
    known: bool = False
    unexpected: bool = False
    live: LiveSteps | None = None

    def begin(self, at: float) -> None:
        self.status, self.started_at = CaseStatus.RUNNING, at
        self.turn, self.steps, self.tokens = 0, 0, 0
        self.node = self.step = ""
        self.verdicts, self.live = {}, LiveSteps()

    def finish(self, event: CaseFinished) -> None:
        self.status, self.finished_at = event.status, event.at
        self.verdicts = {verdict.criterion: _alike(verdict) for verdict in event.verdicts}
        self.usage, self.cost = event.usage, event.cost
        self.tokens = event.usage.total_tokens
        self.duration_seconds = event.duration_seconds
        self.error, self.reason, self.response = event.error, event.reason, event.response
        self.known, self.unexpected = event.known, event.unexpected
        self.node, self.step, self.live = "", "", None


@dataclass(slots=True)
class RunState:
    """A run as far as its events tell. `version` changes with every event applied."""

    sets: tuple[SetInfo, ...] = ()
    cases: dict[CaseKey, CaseProgress] = field(default_factory=dict)
    counts: Counter[CaseStatus] = field(default_factory=Counter)
    run_id: str = ""
    number: int | None = None
    judged_from: RunRef | None = None
    started_at: float | None = None
    finished_at: float | None = None
    last_at: float = 0.0
    usage: TokenUsage = field(default_factory=TokenUsage)
    cost: float | None = None
    was_cancelled: bool = False
    error: str | None = None
    log: deque[Log] = field(default_factory=lambda: deque(maxlen=KEPT_LOG_LINES))
    version: int = 0

    @property
    def is_running(self) -> bool:
        return self.started_at is not None and self.finished_at is None

    @property
    def done(self) -> int:
        """How many attempts have a result."""
        return sum(self.counts[status] for status in DONE)

    def elapsed(self, now: float | None = None) -> float:
        """Seconds since the run started; to its end once it has finished."""
        if self.started_at is None:
            return 0.0
        end = self.finished_at if self.finished_at is not None else max(now or 0.0, self.last_at)
        return max(0.0, end - self.started_at)

    def rate(self, now: float | None = None) -> float | None:
        """Finished cases a second; None before the third."""
        elapsed = self.elapsed(now)
        return self.done / elapsed if self.done >= ENOUGH_FOR_A_RATE and elapsed > 0 else None

    def eta(self, now: float | None = None) -> float | None:
        """Seconds until the last case finishes, at the rate so far; None before the third."""
        rate = self.rate(now)
        left = self.counts[CaseStatus.WAITING] + self.counts[CaseStatus.RUNNING]
        return left / rate if rate and self.is_running else None

    def apply(self, event: RunEvent) -> None:
        """Take one event in. Events of cases that were not planned are ignored."""
        self.version += 1
        self.last_at = max(self.last_at, event.at)
        match event:
            case RunStarted():
                self._start(event)
            case CaseStarted(case=key, at=at):
                self._begin(key, at)
            case CaseRestarted(case=key, at=at):
                self._begin(key, at, restart=True)
            case TurnStarted() | StepStarted() | StepRecorded() | JudgeStarted():
                self._step(event)
            case CriterionScored(case=key, verdict=verdict):
                if (case := self.cases.get(key)) is not None:
                    case.verdicts[verdict.criterion] = verdict
            case CaseFinished():
                self._finish(event)
            case Log():
                self.log.append(event)
            case RunFinished():
                self._end(event)
            case Reply() | Files():
                pass
            case _:
                assert_never(event)

    def _start(self, event: RunStarted) -> None:
        infos = [{case.eval_id: case for case in info.cases} for info in event.sets]
        self.sets, self.run_id, self.number = event.sets, event.run_id, event.number
        self.cases = {
            key: CaseProgress(key, infos[key.set_index][key.eval_id]) for key in event.planned()
        }
        self.counts = Counter({CaseStatus.WAITING: len(self.cases)})
        self.started_at, self.finished_at = event.at, None
        self.judged_from = event.judged_from

    def _move(self, case: CaseProgress, before: CaseStatus) -> None:
        self.counts[before] -= 1
        self.counts[case.status] += 1

    def _begin(self, key: CaseKey, at: float, *, restart: bool = False) -> None:
        case = self.cases.get(key)
        if case is None:
            return
        before = case.status
        case.begin(at)
        case.restarts += restart
        self._move(case, before)

    def _step(self, event: TurnStarted | StepStarted | StepRecorded | JudgeStarted) -> None:
        case = self.cases.get(event.case)
        if case is None or case.status is not CaseStatus.RUNNING:
            return
        match event:
            case TurnStarted(turn=turn):
                case.turn, case.node, case.step = turn, "", ""
            case StepStarted(node=node, tool=tool, args=args):
                case.node, case.step = node, f"{tool}({args})" if tool else ""
                if case.live is not None:
                    case.live.started(event, case.turn)
            case StepRecorded(tokens=tokens):
                case.steps += 1
                case.tokens += tokens
                if case.live is not None:
                    case.live.recorded(event, case.turn)
            case JudgeStarted(criterion=criterion, sample=sample, of=of):
                case.node, case.step = "JUDGE", f"{criterion}, sample {sample} of {of}"

    def _finish(self, event: CaseFinished) -> None:
        case = self.cases.get(event.case)
        if case is None:
            return
        before = case.status
        case.finish(event)
        self._move(case, before)
        self.usage += event.usage
        if event.cost is not None:
            self.cost = (self.cost or 0.0) + event.cost

    def _end(self, event: RunFinished) -> None:
        self.finished_at, self.was_cancelled, self.error = (
            event.at,
            event.was_cancelled,
            event.error,
        )
        for case in self.cases.values():
            if case.status in {CaseStatus.WAITING, CaseStatus.RUNNING}:
                before, case.status, case.live = case.status, CaseStatus.CANCELLED, None
                self._move(case, before)
