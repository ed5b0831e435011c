"""What one criterion concluded: the single place where a number meets a threshold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from pydantic import Field, model_validator

from tenxgraph_tui.evaluation.execution import TokenUsage, Usage
from tenxgraph_tui.evaluation.models import PublicModel, built

TOLERANCE = 1e-9
"""How far below its threshold a score may lie and still pass: float noise, nothing else."""


class Verdict(StrEnum):
    """What a criterion concluded; only passed and failed have a score and count in averages.

    An error is a check that could not be made, `not_evaluated` one that there was nothing for.
    """

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
    """What a criterion returns when there is nothing to score, and why: neither 0.0 nor 1.0."""

    reason: str


class CriterionResult(PublicModel):
    """The verdict of one criterion.

    `score` and `threshold` are from 0.0 to 1.0. Where `verdict` is `error` or `not_evaluated`, the
    score is 0.0, so that 10xGraph reads our files, and says nothing; `error` holds the reason.
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
    def _has_a_verdict(cls, value: Any) -> Any:
        """Files of 10xGraph have none, and may hold a score that is no number."""
        if not isinstance(value, dict):
            return value
        score = value.get("score")
        if isinstance(score, float) and not math.isfinite(score):
            error = value.get("error") or _no_share(score)
            return {**value, "score": 0.0, "passed": False, "error": error, "verdict": "error"}
        if "verdict" in value:
            return value
        passed = Verdict.PASSED if value.get("passed") else Verdict.FAILED
        return {**value, "verdict": Verdict.ERROR if value.get("error") else passed}

    @classmethod
    def judged(cls, criterion: str, score: Score, threshold: float) -> Self:
        """The only place where a number meets a threshold.

        A score that is no number from 0.0 to 1.0 makes the verdict an error.
        """
        if not -TOLERANCE <= score.value <= 1.0 + TOLERANCE:  # NaN is not either
            return cls.failure(criterion, _no_share(score.value), threshold)
        value = min(max(score.value, 0.0), 1.0)
        passed = value >= threshold - TOLERANCE
        return built(
            cls,
            criterion=criterion,
            score=value,
            passed=passed,
            threshold=threshold,
            details={"reason": score.reason, **score.details},
            error=None,
            token_usage=TokenUsage(),
            verdict=Verdict.PASSED if passed else Verdict.FAILED,
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
        """A check that there was nothing for; its score of 0.0 counts nowhere."""
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
        """A check that could not be made; it makes its case an error."""
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
        """A scored check, passed or failed by its threshold; the name is 10xGraph's.

        A score out of 0.0 to 1.0 makes it an error.
        """
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


def _no_share(score: float) -> str:
    return f"a score must be a number from 0.0 to 1.0, not {score}"
