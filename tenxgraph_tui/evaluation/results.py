"""What came of it: scores, verdicts, case results, summaries and reports."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

from pydantic import Field, model_validator

from tenxgraph_tui.evaluation.dataset import ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.execution import TokenUsage, Usage
from tenxgraph_tui.evaluation.models import PublicModel

if TYPE_CHECKING:
    from tenxgraph_tui.evaluation.events import RunFinished, RunStarted

TOLERANCE = 1e-9
"""How far below its threshold a score may lie and still pass: float noise, nothing else."""


class CaseKey(NamedTuple):
    """What events and the store are keyed by: two files may share ids, a case may be repeated."""

    set_index: int
    eval_id: str
    attempt: int = 0


class Verdict(StrEnum):
    """What a criterion concluded."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    NOT_EVALUATED = "not_evaluated"


@dataclass(frozen=True, slots=True)
class Score:
    """A finite number in [0, 1], the reason for it, and evidence for the reports."""

    value: float
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NotEvaluated:
    """There was nothing to score, and why."""

    reason: str


class CriterionResult(PublicModel):
    """The verdict of one criterion.

    `score` is always finite, so that 10xGraph reads our files; where `verdict` is `error` or
    `not_evaluated` it is 0.0 and says nothing, and `error` holds the reason.
    """

    criterion: str
    score: float
    passed: bool
    threshold: float = 0.0
    details: dict[str, Any] = Field(default_factory=dict)
    error: str | None = None
    token_usage: Usage = Field(default_factory=TokenUsage)
    verdict: Verdict = Verdict.FAILED

    @model_validator(mode="before")
    @classmethod
    def _old_files_have_no_verdict(cls, value: Any) -> Any:
        if not isinstance(value, dict) or "verdict" in value:
            return value
        passed = Verdict.PASSED if value.get("passed") else Verdict.FAILED
        return {**value, "verdict": Verdict.ERROR if value.get("error") else passed}

    @classmethod
    def judged(cls, criterion: str, score: Score, threshold: float) -> Self:
        """The only place where a number meets a threshold.

        A score that is no number from 0.0 to 1.0 makes the verdict an error.
        """
        if not -TOLERANCE <= score.value <= 1.0 + TOLERANCE:  # NaN is not either
            wrong = f"a score must be a number from 0.0 to 1.0, not {score.value}"
            return cls.failure(criterion, wrong, threshold)
        value = min(max(score.value, 0.0), 1.0)
        passed = value >= threshold - TOLERANCE
        return cls(
            criterion=criterion,
            score=value,
            threshold=threshold,
            passed=passed,
            verdict=Verdict.PASSED if passed else Verdict.FAILED,
            details={"reason": score.reason, **score.details},
        )

    def judged_again(self, threshold: float) -> Self:
        """The same evidence with the verdict that its score has at `threshold`.

        Verdicts without a score stay what they are.
        """
        if self.verdict in (Verdict.ERROR, Verdict.NOT_EVALUATED):
            return self
        again = type(self).judged(self.criterion, Score(self.score), threshold)
        again.details = again.details if again.error else self.details
        again.token_usage = self.token_usage
        return again

    @classmethod
    def not_evaluated(cls, criterion: str, reason: str, threshold: float = 0.0) -> Self:
        """A check that there was nothing for."""
        return cls(
            criterion=criterion,
            score=0.0,
            passed=False,
            threshold=threshold,
            error=f"not evaluated: {reason}",
            verdict=Verdict.NOT_EVALUATED,
            details={"reason": reason},
        )

    @classmethod
    def failure(cls, criterion: str, error: str, threshold: float = 0.0) -> Self:
        """A check that could not be made."""
        return cls(
            criterion=criterion,
            score=0.0,
            passed=False,
            threshold=threshold,
            error=error,
            verdict=Verdict.ERROR,
        )

    @classmethod
    def success(
        cls,
        criterion: str,
        score: float,
        threshold: float,
        details: dict[str, Any] | None = None,
        token_usage: TokenUsage | None = None,
    ) -> Self:
        """A scored check, passed or failed by its threshold; the name is 10xGraph's."""
        result = cls.judged(criterion, Score(score), threshold)
        result.details = dict(details or {})
        result.token_usage = token_usage or TokenUsage()
        return result

    @property
    def is_error(self) -> bool:
        """Whether the check could not be made."""
        return self.verdict is Verdict.ERROR

    @property
    def reason(self) -> str | None:
        """Why: the criterion's reason, or the error."""
        reason = self.details.get("reason") or self.error
        return str(reason) if reason else None


class NodeDetail(PublicModel):
    """A model call as 10xGraph's reports list it."""

    node_name: str = ""
    input_messages: list[dict[str, Any]] = Field(default_factory=list)
    response_text: str = ""
    token_usage: Usage = Field(default_factory=TokenUsage)
    timestamp: float = 0.0


class EvalCaseResult(PublicModel):
    """Everything about one attempt of a case.

    `error` is set exactly when the case is an error: the agent raised or timed out, a criterion
    could not be evaluated, or nothing was checked. `duration_seconds` is the agent's time over all
    turns, without scoring and waiting. `token_usage` includes judges, `agent_token_usage` does not.
    """

    eval_id: str
    name: str = ""
    passed: bool
    criterion_results: list[CriterionResult] = Field(default_factory=list)
    actual_trajectory: list[TrajectoryStep] = Field(default_factory=list)
    actual_tool_calls: list[ToolCall] = Field(default_factory=list)
    actual_response: str = ""
    messages: list[dict[str, Any]] = Field(default_factory=list)
    node_responses: list[dict[str, Any]] = Field(default_factory=list)
    node_visits: list[str] = Field(default_factory=list)
    duration_seconds: float = 0.0
    error: str | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    turn_results: list[dict[str, Any]] = Field(default_factory=list)
    token_usage: Usage = Field(default_factory=TokenUsage)
    agent_token_usage: Usage = Field(default_factory=TokenUsage)
    node_details: list[NodeDetail] = Field(default_factory=list)

    @classmethod
    def success(
        cls,
        eval_id: str,
        criterion_results: list[CriterionResult],
        actual_trajectory: list[TrajectoryStep] | None = None,
        actual_tool_calls: list[ToolCall] | None = None,
        actual_response: str = "",
        messages: list[dict[str, Any]] | None = None,
        node_responses: list[dict[str, Any]] | None = None,
        node_visits: list[str] | None = None,
        duration_seconds: float = 0.0,
        name: str = "",
        metadata: dict[str, Any] | None = None,
        turn_results: list[dict[str, Any]] | None = None,
        token_usage: TokenUsage | None = None,
        agent_token_usage: TokenUsage | None = None,
        node_details: list[NodeDetail] | None = None,
    ) -> Self:
        """The result of a case whose agent ran through; the verdicts decide what it is."""
        error = error_of(criterion_results)
        verdicts = {result.verdict for result in criterion_results}
        return cls(
            eval_id=eval_id,
            name=name,
            passed=error is None and Verdict.FAILED not in verdicts,
            error=error,
            criterion_results=criterion_results,
            actual_trajectory=actual_trajectory or [],
            actual_tool_calls=actual_tool_calls or [],
            actual_response=actual_response,
            messages=messages or [],
            node_responses=node_responses or [],
            node_visits=node_visits or [],
            duration_seconds=duration_seconds,
            metadata=metadata or {},
            turn_results=turn_results or [],
            token_usage=token_usage or TokenUsage(),
            agent_token_usage=agent_token_usage or TokenUsage(),
            node_details=node_details or [],
        )

    @classmethod
    def failure(
        cls, eval_id: str, error: str, name: str = "", duration_seconds: float = 0.0
    ) -> Self:
        """The result of a case that could not be run or checked."""
        return cls(
            eval_id=eval_id,
            error=error,
            name=name,
            passed=False,
            duration_seconds=duration_seconds,
        )

    @property
    def is_error(self) -> bool:
        """Whether the case could not be run or checked."""
        return self.error is not None

    @property
    def failed_criteria(self) -> list[CriterionResult]:
        """The criteria that failed or could not be evaluated."""
        bad = {Verdict.FAILED, Verdict.ERROR}
        return [result for result in self.criterion_results if result.verdict in bad]

    @property
    def passed_criteria(self) -> list[CriterionResult]:
        """The criteria that passed."""
        return [r for r in self.criterion_results if r.verdict is Verdict.PASSED]

    def get_criterion_result(self, name: str) -> CriterionResult | None:
        """The result with that reported name, or None."""
        return next((r for r in self.criterion_results if r.criterion == name), None)


def error_of(results: Iterable[CriterionResult]) -> str | None:
    """Why the criteria make their case an error, or None if it is passed or failed.

    A criterion in error decides; else at least one must have passed or failed.
    """
    results = list(results)
    broken = next((r for r in results if r.verdict is Verdict.ERROR), None)
    if broken is not None:
        return f"{broken.criterion}: {broken.error}"
    if any(r.verdict is not Verdict.NOT_EVALUATED for r in results):
        return None
    reasons = dict.fromkeys(r.reason or "" for r in results)
    return f"nothing to check: {'; '.join(reasons)}" if reasons else "nothing to check"


class EvalSummary(PublicModel):
    """Counts over the case results: `total_cases == passed + failed + error` always."""

    total_cases: int = 0
    passed_cases: int = 0
    failed_cases: int = 0
    error_cases: int = 0
    pass_rate: float = 0.0
    avg_duration_seconds: float = 0.0
    total_duration_seconds: float = 0.0
    criterion_stats: dict[str, dict[str, Any]] = Field(default_factory=dict)
    total_token_usage: Usage = Field(default_factory=TokenUsage)
    per_case_token_usage: dict[str, Usage] = Field(default_factory=dict)
    avg_tokens_per_case: float = 0.0

    @classmethod
    def from_results(cls, results: Iterable[EvalCaseResult]) -> EvalSummary:
        """Count; where a case has both, its `error` wins over `passed`."""
        from tenxgraph_tui.evaluation.summary import SummaryBuilder

        builder = SummaryBuilder()
        for result in results:
            builder.add(result)
        return builder.build()


class ReportSource(Protocol):
    """What a reporter reads: a report in memory, or a run in the store of any size."""

    @property
    def eval_set_id(self) -> str: ...
    @property
    def eval_set_name(self) -> str: ...
    @property
    def summary(self) -> EvalSummary: ...
    @property
    def config_used(self) -> dict[str, Any]: ...
    @property
    def timestamp(self) -> float: ...
    @property
    def metadata(self) -> dict[str, Any]: ...
    def iter_results(self) -> Iterator[EvalCaseResult]:
        """The case results in file order, one at a time."""


class ResultSink(Protocol):
    """Where results go *before* anyone is told of them. A sink that raises stops the run."""

    def started(self, event: RunStarted) -> None:
        """The run is about to begin."""

    def save(self, key: CaseKey, result: EvalCaseResult) -> None:
        """Keep one result; called once an attempt, from any thread."""

    def finished(self, event: RunFinished) -> None:
        """The run is over; everything saved must be durable when this returns."""


class EvalReport(PublicModel):
    """The results of one eval set and their summary."""

    eval_set_id: str
    eval_set_name: str = ""
    results: list[EvalCaseResult] = Field(default_factory=list)
    summary: EvalSummary = Field(default_factory=EvalSummary)
    config_used: dict[str, Any] = Field(default_factory=dict)
    timestamp: float = Field(default_factory=time.time)
    metadata: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def create(
        cls,
        eval_set_id: str,
        results: list[EvalCaseResult],
        eval_set_name: str = "",
        config_used: dict[str, Any] | None = None,
    ) -> Self:
        """A report with its summary counted."""
        return cls(
            eval_set_id=eval_set_id,
            eval_set_name=eval_set_name,
            results=results,
            summary=EvalSummary.from_results(results),
            config_used=config_used or {},
        )

    @classmethod
    def from_file(cls, path: str) -> EvalReport:
        """Read a JSON report, ours or 10xGraph's."""
        from pathlib import Path

        return cls.model_validate_json(Path(path).read_bytes())

    def to_file(self, path: str) -> None:
        """Write the report as JSON; the folder must exist."""
        from tenxgraph_tui.evaluation.formats import write_json

        write_json(path, self.model_dump(mode="json"))

    @property
    def passed(self) -> bool:
        """Whether there were cases and all of them passed."""
        return bool(self.results) and self.summary.passed_cases == self.summary.total_cases

    @property
    def failed_cases(self) -> list[EvalCaseResult]:
        """The cases that did not pass."""
        return [result for result in self.results if not result.passed]

    @property
    def passed_cases(self) -> list[EvalCaseResult]:
        """The cases that passed."""
        return [result for result in self.results if result.passed]

    def get_case_result(self, eval_id: str) -> EvalCaseResult | None:
        """The result of the case with that id, or None."""
        return next((r for r in self.results if r.eval_id == eval_id), None)

    def iter_results(self) -> Iterator[EvalCaseResult]:
        """The results in file order (a `ReportSource`)."""
        return iter(self.results)

    def format_summary(self) -> str:
        """A short text: counts, criteria and what failed."""
        from tenxgraph_tui.evaluation.summary import format_summary

        return format_summary(self)
