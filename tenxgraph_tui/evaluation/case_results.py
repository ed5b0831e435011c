"""What came of one attempt of a case: its evidence and its verdicts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Self

from pydantic import Field

from tenxgraph_tui.evaluation.dataset import ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.execution import TokenUsage, Usage
from tenxgraph_tui.evaluation.models import PublicModel
from tenxgraph_tui.evaluation.verdicts import CriterionResult, Verdict


class CaseKey(NamedTuple):
    """What events and the store are keyed by: two files may share ids, a case may be repeated."""

    set_index: int
    eval_id: str
    attempt: int = 0


class NodeDetail(PublicModel):
    """A model call as 10xGraph's reports list it; `timestamp` is in Unix seconds."""

    node_name: str = ""
    input_messages: list[dict[str, Any]] = Field(default_factory=list)
    response_text: str = ""
    token_usage: Usage = Field(default_factory=TokenUsage)
    timestamp: float = 0.0


UNUSUAL = ("xfailed", "unexpected_pass")
"""Keys of `EvalCaseResult.metadata` that a pass carries when `metadata.xfail` of its case spoke."""


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
        """The result of a case whose agent ran through; the verdicts decide what it is.

        `duration_seconds` leaves out scoring and waiting.
        """
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
        """The result of a case that could not be run or checked, after `duration_seconds`."""
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
    def is_noteworthy(self) -> bool:
        """Whether it did not pass, or passed other than was expected (`xfail`)."""
        return not self.passed or not self.metadata.keys().isdisjoint(UNUSUAL)

    @property
    def failed_criteria(self) -> list[CriterionResult]:
        """The criteria that failed or could not be evaluated."""
        bad = {Verdict.FAILED, Verdict.ERROR}
        return [result for result in self.criterion_results if result.verdict in bad]

    @property
    def passed_criteria(self) -> list[CriterionResult]:
        """The criteria that passed; those that were not evaluated are not among them."""
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
