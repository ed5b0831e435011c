"""The contract of a criterion, for ours and for those that users write."""

from __future__ import annotations

import math

import pytest

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.config import (
    REPORTED_NAMES,
    SLOTS,
    CriterionConfig,
    EvalConfig,
)
from tenxgraph_tui.evaluation.criteria import (
    CRITERIA_REGISTRY,
    BaseCriterion,
    SyncCriterion,
    assess,
    build,
    judged_slots,
)
from tenxgraph_tui.evaluation.criteria.tools import ToolNameMatchCriterion
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult, TokenUsage
from tenxgraph_tui.evaluation.presets import PRESETS, EvalPresets
from tenxgraph_tui.evaluation.results import CriterionResult, NotEvaluated, Score, Verdict

CASE = EvalCase.single_turn("c", "q", "an answer")
DONE = ExecutionResult(actual_response="an answer")


class Scored(BaseCriterion):
    name = "scored"

    def __init__(self, value: float, threshold: float = 0.8) -> None:
        super().__init__(CriterionConfig(threshold=threshold))
        self.value = value

    async def score(self, actual: ExecutionResult, expected: EvalCase) -> Score | NotEvaluated:
        return Score(self.value, "because")


class OwnEvaluate(Scored):
    async def evaluate(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        return CriterionResult(
            criterion="own",
            score=self.value,
            passed=True,
            threshold=0.1,
            details={"reason": "mine"},
            token_usage=TokenUsage(3, 4),
        )


class OwnSync(SyncCriterion):
    name = "own_sync"

    def evaluate_sync(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        return CriterionResult(criterion=self.name, score=0.5, passed=True)


class Decides(OwnEvaluate):
    decides = True


class Broken(BaseCriterion):
    name = "broken"

    async def score(self, actual: ExecutionResult, expected: EvalCase) -> Score:
        raise KeyError("k")


class Nothing(BaseCriterion):
    name = "nothing"

    async def evaluate(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        return None  # type: ignore[return-value]  # what a forgotten return gives


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        pytest.param(0.8, Verdict.PASSED, id="at the threshold"),
        pytest.param(0.8 - 1e-10, Verdict.PASSED, id="float noise below it"),
        pytest.param(0.79, Verdict.FAILED, id="below it"),
        pytest.param(1 + 1e-12, Verdict.PASSED, id="float noise above one"),
        pytest.param(math.nan, Verdict.ERROR, id="not a number"),
        pytest.param(math.inf, Verdict.ERROR, id="infinite"),
        pytest.param(1.5, Verdict.ERROR, id="above one"),
        pytest.param(-0.5, Verdict.ERROR, id="below zero"),
    ],
)
async def test_a_score_becomes_a_verdict(value: float, verdict: Verdict) -> None:
    result = await Scored(value).evaluate(DONE, CASE)

    assert result.verdict is verdict
    assert 0.0 <= result.score <= 1.0


async def test_the_reason_and_the_threshold_are_in_the_result() -> None:
    result = await Scored(0.5, threshold=0.7).evaluate(DONE, CASE)

    assert (result.criterion, result.threshold, result.reason) == ("scored", 0.7, "because")


async def test_a_users_own_evaluate_keeps_its_evidence_but_not_its_passed() -> None:
    result = await assess(OwnEvaluate(0.5), DONE, CASE)

    assert (result.verdict, result.passed, result.threshold) == (Verdict.FAILED, False, 0.8)
    assert (result.score, result.reason, result.token_usage.total_tokens) == (0.5, "mine", 7)


async def test_the_same_for_a_users_own_evaluate_sync() -> None:
    assert (await assess(OwnSync(), DONE, CASE)).verdict is Verdict.FAILED


async def test_a_criterion_that_decides_is_believed() -> None:
    assert (await assess(Decides(0.5), DONE, CASE)).passed


async def test_a_users_score_that_is_no_number_is_an_error() -> None:
    result = await assess(OwnEvaluate(math.nan), DONE, CASE)

    assert result.error == "a score must be a number from 0.0 to 1.0, not nan"


@pytest.mark.parametrize(
    ("criterion", "error"),
    [
        pytest.param(Broken(), "KeyError: 'k'", id="it raises"),
        pytest.param(
            BaseCriterion(),
            "NotImplementedError: BaseCriterion implements neither score nor evaluate",
            id="it implements nothing",
        ),
        pytest.param(
            Nothing(), "Nothing returned NoneType, no CriterionResult", id="it returns nothing"
        ),
    ],
)
async def test_d47_a_broken_criterion_is_an_error_with_its_threshold(
    criterion: BaseCriterion, error: str
) -> None:
    result = await assess(criterion, DONE, CASE)

    assert (result.verdict, result.error, result.threshold) == (Verdict.ERROR, error, 0.8)


def test_a_criterion_shows_its_name_and_threshold() -> None:
    shown = repr(ToolNameMatchCriterion())

    assert shown == "ToolNameMatchCriterion(name='tool_name_match_score', threshold=0.8)"


def test_validate_config_finds_a_threshold_that_was_set_later() -> None:
    criterion = ToolNameMatchCriterion()
    assert criterion.validate_config() == []

    criterion.config.threshold = 7.0

    assert criterion.validate_config() == ["Threshold must be between 0.0 and 1.0, got 7.0"]


def test_a_disabled_criterion_says_so() -> None:
    assert not ToolNameMatchCriterion(CriterionConfig(enabled=False)).is_enabled


class TestBuild:
    def test_makes_the_enabled_criteria_in_slot_order(self) -> None:
        names = [criterion.name for criterion in build(PRESETS["offline"]())]

        assert names == ["tool_name_match_score", "tool_trajectory_avg_score", "rouge_match"]

    def test_gives_each_criterion_its_config(self) -> None:
        config = EvalConfig()
        config.enable_criterion("contains_keywords", CriterionConfig.contains_keywords(["a"], 0.3))

        (criterion,) = build(config)

        assert criterion.threshold == 0.3
        assert criterion.config.keywords == ["a"]

    def test_refuses_a_config_with_no_enabled_criterion(self) -> None:
        config = EvalPresets.quick_check()
        config.disable_criterion("rouge_match")

        with pytest.raises(ConfigError, match="no criterion is enabled"):
            build(config)

    def test_every_slot_has_its_class_and_name(self) -> None:
        assert {CRITERIA_REGISTRY[slot].name for slot in REPORTED_NAMES} == set(SLOTS)
        for slot, name in REPORTED_NAMES.items():
            assert CRITERIA_REGISTRY[slot] is CRITERIA_REGISTRY[name]
            assert CRITERIA_REGISTRY[slot].description

    def test_judged_slots_are_listed(self) -> None:
        assert judged_slots(EvalPresets.comprehensive()) == [
            "llm_judge",
            "factual_accuracy",
            "hallucination",
            "safety",
        ]
        assert judged_slots(PRESETS["offline"]()) == []


class TestOverrides:
    def build(self, change: object) -> list[BaseCriterion]:
        case = EvalCase(eval_id="c", metadata={"criteria": change})
        return build(EvalPresets.tool_usage(), case)

    @pytest.mark.parametrize(
        "change",
        [
            pytest.param({"trajectory": 0.4}, id="as a number"),
            pytest.param({"trajectory": {"threshold": 0.4}}, id="as an object"),
        ],
    )
    def test_a_case_can_lower_a_threshold(self, change: object) -> None:
        assert [each.threshold for each in self.build(change)] == [1.0, 0.4]

    @pytest.mark.parametrize("off", [False, None, {"enabled": False}])
    def test_a_case_can_switch_a_criterion_off(self, off: object) -> None:
        assert [each.name for each in self.build({"trajectory": off})] == ["tool_name_match_score"]

    def test_a_case_can_switch_everything_off(self) -> None:
        assert self.build({"trajectory": False, "tool_name_match": False}) == []

    def test_a_slot_that_the_config_leaves_out_stays_out(self) -> None:
        assert [each.name for each in self.build({"rouge_match": 0.4})] == [
            "tool_name_match_score",
            "tool_trajectory_avg_score",
        ]

    def test_other_fields_can_be_changed_and_the_rest_stays(self) -> None:
        _, trajectory = self.build({"trajectory": {"match_type": "ANY_ORDER"}})

        assert (trajectory.config.match_type, trajectory.config.check_args) == ("ANY_ORDER", True)

    def test_the_config_itself_is_left_alone(self) -> None:
        config = EvalPresets.tool_usage()
        before = config.model_dump()

        build(config, EvalCase(metadata={"criteria": {"trajectory": 0.1}}))

        assert config.model_dump() == before

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            pytest.param(
                {"trajectry": 1},
                "unknown criterion 'trajectry': did you mean 'trajectory'",
                id="typo",
            ),
            pytest.param(
                {"tool_trajectory_avg_score": 1},
                "reported name of a criterion; its slot is 'trajectory'",
                id="the reported name",
            ),
            pytest.param({"trajectory": 3}, "between 0.0 and 1.0, not 3.0", id="out of range"),
            pytest.param({"trajectory": "x"}, "must be a threshold, false or an object", id="text"),
            pytest.param([], "must be an object like", id="a list"),
        ],
    )
    def test_mistakes_are_named(self, change: object, message: str) -> None:
        with pytest.raises(ConfigError, match=f"case 'c': metadata.criteria.*{message}"):
            self.build(change)


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("tool_trajectory_avg_score", "tool_trajectory_avg_score"),
        ("trajectory_match", "tool_trajectory_avg_score"),
        ("trajectory", "tool_trajectory_avg_score"),
        ("tool_name_match_score", "tool_name_match_score"),
        ("tool_name_match", "tool_name_match_score"),
        ("node_order_score", "node_order_score"),
        ("node_order", "node_order_score"),
        ("rouge_match", "rouge_match"),
        ("exact_match", "exact_match"),
        ("contains_keywords", "contains_keywords"),
    ],
)
def test_the_registry_knows_a_criterion_by_slot_and_by_name(alias: str, name: str) -> None:
    criterion = CRITERIA_REGISTRY[alias](config=CriterionConfig(threshold=0.25))

    assert (criterion.name, criterion.threshold) == (name, 0.25)
    assert criterion.description
