"""Several criteria as one: what passes, what fails, and what cannot be told."""

from __future__ import annotations

import math

import pytest

from tenxgraph_tui.evaluation.config import CriterionConfig
from tenxgraph_tui.evaluation.criteria import BaseCriterion, assess
from tenxgraph_tui.evaluation.criteria.composite import CompositeCriterion, WeightedCriterion
from tenxgraph_tui.evaluation.criteria.text import ContainsKeywordsCriterion
from tenxgraph_tui.evaluation.criteria.tools import ToolNameMatchCriterion
from tenxgraph_tui.evaluation.dataset import EvalCase, ToolCall
from tenxgraph_tui.evaluation.execution import ExecutionResult, TokenUsage
from tenxgraph_tui.evaluation.results import CriterionResult, NotEvaluated, Score, Verdict

CASE = EvalCase.single_turn("c", "q", "an answer")
DONE = ExecutionResult(actual_response="an answer")


class Fixed(BaseCriterion):
    """Scores what it is told to, and costs three tokens."""

    def __init__(self, value: float | None, threshold: float = 0.8, name: str = "fixed") -> None:
        super().__init__(CriterionConfig(threshold=threshold))
        self.value, self.name = value, name

    async def evaluate(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        if self.value is None:
            return self._judged(NotEvaluated("nothing there"))
        result = self._judged(Score(self.value, "because"))
        result.token_usage = TokenUsage(2, 1)
        return result


class Broken(BaseCriterion):
    name = "broken"

    async def evaluate(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        raise OSError("no answer")


GOOD, BAD, NONE, ERROR = Fixed(0.9), Fixed(0.5), Fixed(None), Broken()


async def judged(criterion: BaseCriterion) -> CriterionResult:
    return await assess(criterion, DONE, CASE)


@pytest.mark.parametrize(
    ("parts", "every", "some"),
    [
        pytest.param([GOOD, GOOD], "passed", "passed", id="all pass"),
        pytest.param([GOOD, BAD], "failed", "passed", id="one of two passes"),
        pytest.param([BAD, BAD], "failed", "failed", id="none passes"),
        pytest.param([GOOD, NONE], "passed", "passed", id="what is not evaluated does not count"),
        pytest.param([BAD, NONE], "failed", "failed", id="nor does it help"),
        pytest.param([NONE, NONE], "not_evaluated", "not_evaluated", id="none is evaluated"),
        pytest.param([], "not_evaluated", "not_evaluated", id="there is none"),
        pytest.param([GOOD, ERROR], "error", "passed", id="one is an error, another passes"),
        pytest.param([BAD, ERROR], "error", "error", id="one is an error, another fails"),
        pytest.param([NONE, ERROR], "error", "error", id="one is an error, another says nothing"),
        pytest.param(
            [GOOD, Fixed(0.1, threshold=0.05)], "passed", "passed", id="each by its own threshold"
        ),
        pytest.param(
            [Fixed(0.95, threshold=1.0), Fixed(0.1, threshold=0.05)],
            "failed",
            "passed",
            id="the higher score is not always the one that passes",
        ),
    ],
)
async def test_all_or_any_must_pass(parts: list[BaseCriterion], every: str, some: str) -> None:
    assert (await judged(CompositeCriterion(parts))).verdict == every
    assert (await judged(CompositeCriterion(parts, require_all=False))).verdict == some


async def test_the_score_is_the_lowest_or_the_highest() -> None:
    parts: list[BaseCriterion] = [Fixed(0.4), Fixed(0.9), NONE]

    assert (await judged(CompositeCriterion(parts))).score == 0.4
    assert (await judged(CompositeCriterion(parts, require_all=False))).score == 0.9


@pytest.mark.parametrize("require_all", [True, False])
async def test_a_threshold_that_was_set_must_be_met_too(require_all: bool) -> None:
    parts: list[BaseCriterion] = [Fixed(0.9), Fixed(0.95)]

    async def passes(threshold: float) -> bool:
        config = CriterionConfig(threshold=threshold)
        return (await judged(CompositeCriterion(parts, require_all, config))).passed

    assert [await passes(0.9), await passes(1.0)] == [True, False]


async def test_the_default_threshold_asks_for_nothing() -> None:
    """The default of 0.8 was not chosen by anyone: a part that passes at 0.5 has passed."""
    result = await judged(CompositeCriterion([Fixed(0.5, threshold=0.5)]))

    assert (result.passed, result.score, result.threshold) == (True, 0.5, 0.8)


async def test_the_parts_their_reasons_and_their_tokens_are_in_the_result() -> None:
    result = await judged(CompositeCriterion([Fixed(1.0), Fixed(0.5, name="other"), NONE]))

    assert result.reason == "1 of 2 passed; other: because"
    assert result.details["require_all"] is True
    assert [part["verdict"] for part in result.details["sub_results"]] == [
        "passed",
        "failed",
        "not_evaluated",
    ]
    assert result.token_usage == TokenUsage(4, 2)


async def test_an_error_names_the_part() -> None:
    result = await judged(CompositeCriterion([GOOD, ERROR]))

    assert result.error == "broken: OSError: no answer"
    assert len(result.details["sub_results"]) == 2


async def test_a_part_that_is_switched_off_is_not_asked() -> None:
    off = Broken(CriterionConfig(enabled=False))

    assert (await judged(CompositeCriterion([GOOD, off]))).passed
    assert (await judged(WeightedCriterion([(GOOD, 1.0), (off, 9.0)]))).passed


async def test_composites_can_be_nested() -> None:
    any_of = CompositeCriterion([BAD, GOOD], require_all=False)

    assert (await judged(CompositeCriterion([any_of, GOOD]))).passed
    assert not (await judged(CompositeCriterion([any_of, BAD]))).passed


@pytest.mark.parametrize(
    ("parts", "score"),
    [
        pytest.param([(Fixed(1.0), 0.3), (Fixed(0.5), 0.7)], 0.65, id="weights that add up to 1"),
        pytest.param([(Fixed(1.0), 3), (Fixed(0.5), 7)], 0.65, id="weights that do not"),
        pytest.param([(Fixed(1.0), 1), (Fixed(0.0), 0)], 1.0, id="a weight of 0"),
        pytest.param([(Fixed(0.6), 1), (NONE, 9)], 0.6, id="a part that is not evaluated"),
        pytest.param([(Fixed(0.7), 0.1)] * 3, 0.7, id="float noise"),
    ],
)
async def test_the_weighted_mean(parts: list[tuple[BaseCriterion, float]], score: float) -> None:
    result = await judged(WeightedCriterion(parts, CriterionConfig(threshold=score)))

    assert result.score == pytest.approx(score, abs=1e-9)
    assert result.passed


async def test_the_weighted_mean_is_judged_by_its_own_threshold() -> None:
    result = await judged(WeightedCriterion([(GOOD, 1.0), (Fixed(0.6), 1.0)]))

    assert (result.score, result.threshold, result.passed) == (0.75, 0.8, False)
    assert result.reason == "fixed 0.90 × 1, fixed 0.60 × 1"
    assert [part["weight"] for part in result.details["sub_results"]] == [1.0, 1.0]
    assert result.token_usage == TokenUsage(4, 2)


async def test_an_error_is_not_averaged_away() -> None:
    result = await judged(WeightedCriterion([(GOOD, 1000.0), (ERROR, 0.001)]))

    assert (result.verdict, result.error) == (Verdict.ERROR, "broken: OSError: no answer")


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([], id="no criterion"),
        pytest.param([(GOOD, 0.0)], id="no weight"),
        pytest.param([(NONE, 1.0)], id="nothing evaluated"),
    ],
)
async def test_a_mean_of_nothing_is_no_score(parts: list[tuple[BaseCriterion, float]]) -> None:
    result = await judged(WeightedCriterion(parts))

    assert (result.verdict, result.score, result.passed) == (Verdict.NOT_EVALUATED, 0.0, False)


@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf])
def test_other_weights_are_refused(weight: float) -> None:
    with pytest.raises(ValueError, match="the weight of fixed must be a finite number"):
        WeightedCriterion([(GOOD, weight)])


def test_what_is_wrong_within_is_found_before_a_run() -> None:
    bad = Fixed(1.0, name="inner")
    bad.config.threshold = 2.0
    wrong = "inner: Threshold must be between 0.0 and 1.0, got 2.0"

    assert CompositeCriterion([GOOD, bad]).validate_config() == [wrong]
    assert WeightedCriterion([(GOOD, 1.0), (bad, 1.0)]).validate_config() == [wrong]
    assert CompositeCriterion([]).validate_config() == ["there is no criterion in it"]
    assert WeightedCriterion([]).validate_config() == ["there is no criterion in it"]
    assert WeightedCriterion([(GOOD, 0.0)]).validate_config() == ["all weights are 0"]


async def test_the_documented_example() -> None:
    criterion = CompositeCriterion(
        criteria=[ToolNameMatchCriterion(), ContainsKeywordsCriterion(keywords=["refund"])],
        require_all=True,
        config=CriterionConfig(threshold=1.0),
    )
    case = EvalCase.single_turn("c", "q", expected_tools=[ToolCall(name="find")])
    done = ExecutionResult(
        tool_calls=[ToolCall(name="find")], actual_response="Your refund is on its way."
    )

    assert (await criterion.evaluate(done, case)).passed
    assert not (await criterion.evaluate(ExecutionResult(), case)).passed
    assert criterion.name == "composite_criterion"
    assert WeightedCriterion([]).name == "weighted_criterion"
