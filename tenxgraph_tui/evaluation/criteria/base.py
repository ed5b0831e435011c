"""What a criterion is: the documented way in (`evaluate`), and ours behind it (`score`)."""

from __future__ import annotations

from typing import Any, ClassVar

from tenxgraph_tui.errors import worded
from tenxgraph_tui.evaluation.config import CriterionConfig
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult, TokenUsage
from tenxgraph_tui.evaluation.results import CriterionResult, NotEvaluated, Score


class BaseCriterion:
    """Judges one aspect of an execution.

    A subclass implements `score`, or overrides `evaluate` as 10xGraph documents it, returning
    `self._result(score, details)` or `self._failure(error)`. In the second case its score and
    details are kept and `assess` derives `passed` again from the threshold, unless the class says
    `decides = True`. A criterion keeps no state between cases.
    """

    name: str = "base_criterion"
    description: str = ""
    decides: ClassVar[bool] = False

    def __init__(self, config: CriterionConfig | None = None) -> None:
        self.config = config or CriterionConfig()

    @property
    def threshold(self) -> float:
        """The least score that passes, from 0.0 to 1.0."""
        return self.config.threshold

    @property
    def is_enabled(self) -> bool:
        """Whether the config wants this criterion to be checked."""
        return self.config.enabled

    async def evaluate(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        """The verdict on what the target did in `expected`."""
        return self._judged(await self.score(actual, expected))

    async def score(self, actual: ExecutionResult, expected: EvalCase) -> Score | NotEvaluated:
        """A number from 0.0 to 1.0 with its reason, or why there is nothing to score.

        Whatever it raises makes the verdict an error.
        """
        raise NotImplementedError(f"{type(self).__name__} implements neither score nor evaluate")

    def validate_config(self) -> list[str]:
        """What is wrong with the config, one sentence each; nothing if it is in order."""
        if 0.0 <= self.threshold <= 1.0:
            return []
        return [f"Threshold must be between 0.0 and 1.0, got {self.threshold}"]

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name={self.name!r}, threshold={self.threshold})"

    def _result(
        self,
        score: float,
        details: dict[str, Any] | None = None,
        token_usage: TokenUsage | None = None,
    ) -> CriterionResult:
        """For subclasses: a scored result, passed or failed by the threshold."""
        return CriterionResult.success(self.name, score, self.threshold, details, token_usage)

    def _failure(self, error: str) -> CriterionResult:
        """For subclasses: the result of a check that could not be made."""
        return CriterionResult.failure(self.name, error, self.threshold)

    def _judged(self, outcome: Score | NotEvaluated) -> CriterionResult:
        if isinstance(outcome, NotEvaluated):
            return CriterionResult.not_evaluated(self.name, outcome.reason, self.threshold)
        return CriterionResult.judged(self.name, outcome, self.threshold)


class SyncCriterion(BaseCriterion):
    """A criterion that waits for nothing: implements `score_sync`, or overrides `evaluate_sync`."""

    name: str = "sync_criterion"

    async def evaluate(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        """The same as `evaluate_sync`."""
        return self.evaluate_sync(actual, expected)

    def evaluate_sync(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        """The verdict on what the target did in `expected`."""
        return self._judged(self.score_sync(actual, expected))

    def score_sync(self, actual: ExecutionResult, expected: EvalCase) -> Score | NotEvaluated:
        """Like `score`, without waiting."""
        raise NotImplementedError(f"{type(self).__name__} implements no score_sync")

    async def score(self, actual: ExecutionResult, expected: EvalCase) -> Score | NotEvaluated:
        """The same as `score_sync`."""
        return self.score_sync(actual, expected)


async def assess(
    criterion: BaseCriterion, actual: ExecutionResult, expected: EvalCase
) -> CriterionResult:
    """The verdict of any criterion, also of one that raises or that decided by itself.

    An exception becomes an error verdict that names its type; a `passed` that the criterion was not
    asked to decide is derived again from its score and threshold.
    """
    try:
        result = await criterion.evaluate(actual, expected)
    except Exception as error:  # noqa: BLE001 - a broken criterion is a verdict, not a crash
        reason = worded(error)
        return CriterionResult.failure(criterion.name, reason, criterion.threshold)
    if not isinstance(result, CriterionResult):
        reason = f"{type(criterion).__name__} returned {type(result).__name__}, no CriterionResult"
        return CriterionResult.failure(criterion.name, reason, criterion.threshold)
    if criterion.decides or not _overrides(type(criterion)):
        return result
    return result.judged_again(criterion.threshold)


def _overrides(kind: type[BaseCriterion]) -> bool:
    """Whether a class brings its own `evaluate`, which may have compared with a threshold."""
    ours = {BaseCriterion.evaluate, SyncCriterion.evaluate}
    if kind.evaluate not in ours:
        return True
    return issubclass(kind, SyncCriterion) and kind.evaluate_sync is not SyncCriterion.evaluate_sync
