"""Several criteria as one: all of them, any of them, or their weighted mean."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from tenxgraph_tui.evaluation.config import CriterionConfig
from tenxgraph_tui.evaluation.criteria.base import BaseCriterion, assess
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult, TokenUsage
from tenxgraph_tui.evaluation.results import CriterionResult, NotEvaluated, Score, Verdict

NOTHING = NotEvaluated("none of the criteria could be checked")


class CompositeCriterion(BaseCriterion):
    """Passes where all of `criteria` pass, or with `require_all=False` where any does.

    The score is the lowest of theirs, or the highest. Each is measured by its own threshold; one
    that is set in `config` must be met by the score as well. Criteria that are not evaluated do not
    count. One in error makes the whole an error, unless any is enough and another passes.
    """

    name = "composite_criterion"
    description = "Combines criteria: all or any of them must pass"
    decides: ClassVar[bool] = True

    def __init__(
        self,
        criteria: list[BaseCriterion],
        require_all: bool = True,
        config: CriterionConfig | None = None,
    ) -> None:
        super().__init__(config)
        self.criteria = list(criteria)
        self.require_all = require_all

    def validate_config(self) -> list[str]:
        """What is wrong with this criterion and with those in it."""
        return [*super().validate_config(), *_problems(self.criteria)]

    async def evaluate(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        """The verdict of all together; `details["sub_results"]` has each."""
        parts = await _assessed(self.criteria, actual, expected)
        result = self._combined(parts)
        result.details |= {
            "require_all": self.require_all,
            "sub_results": [part.model_dump(mode="json") for part in parts],
        }
        result.token_usage = sum((part.token_usage for part in parts), TokenUsage())
        return result

    def _combined(self, parts: Sequence[CriterionResult]) -> CriterionResult:
        passed = _with(parts, Verdict.PASSED)
        failed, broken = _with(parts, Verdict.FAILED), _with(parts, Verdict.ERROR)
        if broken and (self.require_all or not passed):
            return self._failure(_told(broken))
        if not passed and not failed:
            return self._judged(NOTHING)
        extreme = min if self.require_all else max
        score = Score(extreme(part.score for part in [*passed, *failed]), _reason(passed, failed))
        threshold = self.threshold if "threshold" in self.config.model_fields_set else 0.0
        result = CriterionResult.judged(self.name, score, threshold)
        result.threshold = self.threshold
        enough = not failed if self.require_all else bool(passed)
        if result.passed and not enough:
            result.passed, result.verdict = False, Verdict.FAILED
        return result


class WeightedCriterion(BaseCriterion):
    """The mean of the criteria's scores, each weighted by a finite number of at least 0.

    The weights need not add up to 1. Criteria that are not evaluated do not count; one in error
    makes the whole an error.

    Raises:
        ValueError: a weight is negative, infinite or no number.
    """

    name = "weighted_criterion"
    description = "Weighted mean of the scores of several criteria"

    def __init__(
        self,
        criteria_weights: list[tuple[BaseCriterion, float]],
        config: CriterionConfig | None = None,
    ) -> None:
        super().__init__(config)
        self.criteria_weights = list(criteria_weights)
        for criterion, weight in self.criteria_weights:
            if not math.isfinite(weight) or weight < 0:
                raise ValueError(
                    f"the weight of {criterion.name} must be a finite number of at least 0, "
                    f"not {weight}"
                )

    def validate_config(self) -> list[str]:
        """What is wrong with this criterion and with those in it."""
        problems = [*super().validate_config(), *_problems([c for c, _ in self.criteria_weights])]
        if self.criteria_weights and not any(weight for _, weight in self.criteria_weights):
            problems.append("all weights are 0")
        return problems

    async def evaluate(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        """The verdict on the mean; `details["sub_results"]` has each score with its weight."""
        weights = [weight for criterion, weight in self.criteria_weights if criterion.is_enabled]
        parts = await _assessed([c for c, _ in self.criteria_weights], actual, expected)
        result = self._mean(parts, weights)
        result.details["sub_results"] = [
            {**part.model_dump(mode="json"), "weight": weight}
            for part, weight in zip(parts, weights, strict=True)
        ]
        result.token_usage = sum((part.token_usage for part in parts), TokenUsage())
        return result

    def _mean(self, parts: Sequence[CriterionResult], weights: Sequence[float]) -> CriterionResult:
        broken = _with(parts, Verdict.ERROR)
        if broken:
            return self._failure(_told(broken))
        scored = [
            (part, weight)
            for part, weight in zip(parts, weights, strict=True)
            if part.verdict is not Verdict.NOT_EVALUATED and weight
        ]
        if not scored:
            return self._judged(NOTHING)
        total = math.fsum(weight for _, weight in scored)
        mean = math.fsum(part.score * weight / total for part, weight in scored)
        told = ", ".join(f"{part.criterion} {part.score:.2f} × {w:g}" for part, w in scored)
        return self._judged(Score(mean, told))


def all_in(criterion: BaseCriterion) -> Iterator[BaseCriterion]:
    """A criterion and the enabled ones in it, however deep."""
    yield criterion
    inner: list[BaseCriterion] = []
    if isinstance(criterion, CompositeCriterion):
        inner = criterion.criteria
    elif isinstance(criterion, WeightedCriterion):
        inner = [each for each, _ in criterion.criteria_weights]
    for each in inner:
        if each.is_enabled:
            yield from all_in(each)


async def _assessed(
    criteria: Iterable[BaseCriterion], actual: ExecutionResult, expected: EvalCase
) -> list[CriterionResult]:
    return [await assess(each, actual, expected) for each in criteria if each.is_enabled]


def _problems(criteria: Sequence[BaseCriterion]) -> list[str]:
    if not any(criterion.is_enabled for criterion in criteria):
        return ["there is no criterion in it"]
    return [
        f"{criterion.name}: {problem}"
        for criterion in criteria
        if criterion.is_enabled
        for problem in criterion.validate_config()
    ]


def _with(parts: Iterable[CriterionResult], verdict: Verdict) -> list[CriterionResult]:
    return [part for part in parts if part.verdict is verdict]


def _told(parts: Iterable[CriterionResult]) -> str:
    return "; ".join(f"{part.criterion}: {part.reason or part.verdict.value}" for part in parts)


def _reason(passed: Sequence[CriterionResult], failed: Sequence[CriterionResult]) -> str:
    total = len(passed) + len(failed)
    return f"{len(passed)} of {total} passed" + (f"; {_told(failed)}" if failed else "")
