"""Configs: what is refused when they are built, and what the documented methods do."""

from __future__ import annotations

import math
from typing import Any

import pytest
from pydantic import ValidationError

from tenxgraph_tui.evaluation.config import (
    REPORTED_NAMES,
    SLOTS,
    CriteriaConfig,
    CriterionConfig,
    EvalConfig,
    MatchType,
    Rubric,
    UserSimulatorConfig,
)


@pytest.mark.parametrize("threshold", [0, 0.0, 0.5, 1, 1.0])
def test_a_threshold_is_a_share(threshold: float) -> None:
    assert CriterionConfig(threshold=threshold).threshold == threshold


@pytest.mark.parametrize("threshold", [-0.1, 1.1, 7, math.nan, math.inf])
def test_d44_other_thresholds_are_refused(threshold: float) -> None:
    with pytest.raises(ValidationError, match=r"between 0\.0 and 1\.0"):
        CriterionConfig(threshold=threshold)


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        pytest.param(EvalConfig, {"max_concurrency": 0}, id="no concurrency"),
        pytest.param(EvalConfig, {"timeout": 0}, id="no time"),
        pytest.param(EvalConfig, {"timeout": math.inf}, id="endless time"),
        pytest.param(CriterionConfig, {"num_samples": 0}, id="no samples"),
        pytest.param(CriterionConfig, {"match_type": "exact"}, id="a match type in lower case"),
        pytest.param(
            Rubric, {"rubric_id": "a", "content": "b", "weight": 0}, id="a rubric without weight"
        ),
        pytest.param(
            Rubric, {"rubric_id": "a", "content": "b", "weight": math.nan}, id="a weight of NaN"
        ),
        pytest.param(UserSimulatorConfig, {"max_invocations": 0}, id="B93: no turns"),
    ],
)
def test_numbers_out_of_range_are_refused(model: type[EvalConfig], fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        model(**fields)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        pytest.param({"paralell": True}, "did you mean 'parallel'", id="a setting"),
        pytest.param(
            {"criteria": {"tool_trajectry": {}}},
            "unknown criterion 'tool_trajectry': did you mean 'trajectory'",
            id="B59: a criterion",
        ),
        pytest.param(
            {"criteria": {"safety_v1": {}}}, "its slot is 'safety'", id="a reported name as a slot"
        ),
        pytest.param({"criteria": {"xyz": {}}}, "slots are tool_name_match", id="a strange slot"),
        pytest.param(
            {"criteria": {"rouge_match": {"treshold": 1}}}, "'threshold'", id="D44: a threshold"
        ),
    ],
)
def test_misspelt_keys_are_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        EvalConfig.model_validate(fields)


class TestRubrics:
    def test_b49_none_at_all_is_refused(self) -> None:
        with pytest.raises(ValueError, match="at least one rubric"):
            CriterionConfig.rubric_based([])
        with pytest.raises(ValidationError, match="at least one rubric"):
            CriteriaConfig(rubric_based=CriterionConfig())

    def test_b49_the_same_id_twice_is_refused(self) -> None:
        twice = [Rubric.create("a", "one"), Rubric.create("a", "two")]

        with pytest.raises(ValidationError, match="rubric_id 'a' stands twice"):
            CriterionConfig.rubric_based(twice)

    def test_with_rubrics_adds_to_a_copy(self) -> None:
        config = EvalConfig.default()

        first = config.with_rubrics([Rubric.create("compliance", "SEC", 2.0)])
        second = first.with_rubrics([Rubric.create("tone", "formal")])

        assert config.criteria.rubric_based is None
        assert second.criteria.rubric_based is not None
        ids = [rubric.rubric_id for rubric in second.criteria.rubric_based.rubrics]
        assert ids == ["compliance", "tone"]
        assert second.criteria.rubric_based.threshold == 0.8

    def test_with_rubrics_refuses_an_id_that_is_there(self) -> None:
        config = EvalConfig.default().with_rubrics([Rubric.create("a", "one")])

        with pytest.raises(ValueError, match="'a' stands twice"):
            config.with_rubrics([Rubric.create("a", "two")])

    def test_with_rubrics_needs_one(self) -> None:
        with pytest.raises(ValueError, match="at least one rubric"):
            EvalConfig.default().with_rubrics([])


class TestSlots:
    def test_a_criterion_is_enabled_with_its_config_or_the_defaults(self) -> None:
        config = EvalConfig()

        config.enable_criterion("rouge_match", CriterionConfig.rouge_match(0.3))
        config.enable_criterion("trajectory")

        enabled = dict(config.criteria.enabled())
        assert list(enabled) == ["trajectory", "rouge_match"]
        assert (enabled["rouge_match"].threshold, enabled["trajectory"].threshold) == (0.3, 0.8)

    def test_a_criterion_is_disabled_and_keeps_its_config(self) -> None:
        config = EvalConfig()
        config.enable_criterion("rouge_match", CriterionConfig.rouge_match(0.3))

        config.disable_criterion("rouge_match")
        config.disable_criterion("trajectory")

        kept = config.get_criterion_config("rouge_match")
        assert kept is not None
        assert (kept.enabled, kept.threshold) == (False, 0.3)
        assert list(config.criteria.enabled()) == []

    @pytest.mark.parametrize("method", ["enable_criterion", "disable_criterion"])
    def test_an_unknown_slot_is_refused(self, method: str) -> None:
        with pytest.raises(ValueError, match="Unknown criterion field: 'exact_match'"):
            getattr(EvalConfig(), method)("exact_match")

    def test_the_config_of_an_unknown_slot_is_none(self) -> None:
        assert EvalConfig().get_criterion_config("nope") is None

    def test_every_slot_has_one_reported_name(self) -> None:
        assert list(REPORTED_NAMES) == list(CriteriaConfig.model_fields)
        assert len(SLOTS) == len(REPORTED_NAMES)


@pytest.mark.parametrize(
    ("made", "fields"),
    [
        (CriterionConfig.tool_name_match(), {"threshold": 1.0}),
        (CriterionConfig.trajectory(), {"threshold": 1.0, "match_type": MatchType.EXACT}),
        (CriterionConfig.node_order(), {"threshold": 1.0}),
        (CriterionConfig.rouge_match(), {"threshold": 0.5}),
        (CriterionConfig.contains_keywords(["a"]), {"threshold": 1.0, "keywords": ["a"]}),
        (CriterionConfig.response_match(), {"threshold": 0.8, "num_samples": 3}),
        (CriterionConfig.llm_judge(0.9, "m"), {"threshold": 0.9, "judge_model": "m"}),
        (CriterionConfig.factual_accuracy(), {"threshold": 0.8}),
        (CriterionConfig.hallucination(), {"threshold": 0.8}),
        (CriterionConfig.safety(), {"threshold": 0.8}),
    ],
)
def test_the_short_forms_have_the_documented_defaults(
    made: CriterionConfig, fields: dict[str, Any]
) -> None:
    assert made == CriterionConfig(**fields)
