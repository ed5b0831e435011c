"""Presets hold what 10xGraph's do, and combining them loses nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.config import CriterionConfig, EvalConfig, MatchType, Rubric
from tenxgraph_tui.evaluation.presets import PRESETS, EvalPresets

FACTS = json.loads((Path(__file__).parents[1] / "data" / "presets.json").read_text())
"""Name → slot → the fields that differ from the defaults, measured from 10xgraph 0.10.3."""

P = EvalPresets
MADE: dict[str, Callable[[], EvalConfig]] = {
    "EvalConfig()": EvalConfig,
    "EvalConfig.default()": EvalConfig.default,
    "EvalConfig.strict()": EvalConfig.strict,
    "EvalConfig.relaxed()": EvalConfig.relaxed,
    "quick_check()": P.quick_check,
    "tool_usage()": P.tool_usage,
    "tool_usage(strict=False)": lambda: P.tool_usage(strict=False),
    "tool_usage(threshold=0.6, check_args=False)": lambda: P.tool_usage(0.6, check_args=False),
    "response_quality()": P.response_quality,
    "response_quality(use_llm_judge=False)": lambda: P.response_quality(use_llm_judge=False),
    "response_quality(threshold=0.9, judge_model='gpt-4o')": lambda: P.response_quality(
        0.9, judge_model="gpt-4o"
    ),
    "conversation_flow()": P.conversation_flow,
    "safety_check()": P.safety_check,
    "comprehensive()": P.comprehensive,
    "comprehensive(use_llm_judge=False)": lambda: P.comprehensive(use_llm_judge=False),
    "comprehensive(threshold=0.3)": lambda: P.comprehensive(0.3),
    "custom()": P.custom,
    "custom(seed example)": lambda: P.custom(
        response_threshold=0.7,
        tool_threshold=1.0,
        llm_judge_threshold=None,
        hallucination_threshold=0.8,
        safety_threshold=0.8,
        factual_accuracy_threshold=None,
        tool_match_type=MatchType.IN_ORDER,
        check_tool_args=True,
        judge_model="gpt-4o",
    ),
    "custom(tool_threshold=0.0)": lambda: P.custom(tool_threshold=0.0),
    "custom(tool_threshold=1, tool_match_type=ANY_ORDER, check_tool_args=False)": lambda: P.custom(
        tool_threshold=1, tool_match_type=MatchType.ANY_ORDER, check_tool_args=False
    ),
    "combine()": P.combine,
    "combine(tool_usage, safety_check)": lambda: P.combine(P.tool_usage(), P.safety_check()),
    "combine(response_quality(0.7), conversation_flow(0.8))": lambda: P.combine(
        P.response_quality(0.7), P.conversation_flow(0.8)
    ),
    "response_quality().with_rubrics([compliance w=2])": lambda: P.response_quality().with_rubrics(
        [Rubric.create("compliance", "SEC", 2.0)]
    ),
}


@pytest.mark.parametrize("name", FACTS)
def test_a_preset_holds_what_10xgraphs_does(name: str) -> None:
    config = MADE[name]()

    expected = {slot: CriterionConfig(**fields) for slot, fields in FACTS[name].items()}
    assert dict(config.criteria.enabled()) == expected
    assert config.model_dump(exclude={"criteria"}) == EvalConfig().model_dump(exclude={"criteria"})


def test_the_default_of_the_program_needs_no_model() -> None:
    criteria = dict(PRESETS["offline"]().criteria.enabled())

    assert list(criteria) == ["tool_name_match", "trajectory", "rouge_match"]
    assert criteria["trajectory"].match_type is MatchType.IN_ORDER
    assert criteria["trajectory"].check_args


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_made_anew_each_time(name: str) -> None:
    first = PRESETS[name]()
    for _, criterion in first.criteria.enabled():
        criterion.threshold = 0.123

    assert all(each.threshold != 0.123 for _, each in PRESETS[name]().criteria.enabled())


class TestCombine:
    def test_the_criteria_are_copied(self) -> None:
        one = EvalPresets.quick_check()

        combined = EvalPresets.combine(one)
        assert combined.criteria.rouge_match is not None
        combined.criteria.rouge_match.threshold = 0.1

        assert one.criteria.rouge_match is not None
        assert one.criteria.rouge_match.threshold == 0.5

    def test_d51_run_settings_that_were_set_are_kept_and_the_last_wins(self) -> None:
        fast, slow = EvalPresets.quick_check(), EvalPresets.tool_usage()
        fast.parallel, fast.timeout = True, 5.0
        slow.timeout, slow.reporter.enabled = 60.0, True
        fast.reporter.output_dir = "out"

        combined = EvalPresets.combine(fast, slow, EvalPresets.safety_check())

        assert (combined.parallel, combined.timeout) == (True, 60.0)
        assert combined.max_concurrency == 4

    def test_d51_a_reporter_that_was_switched_off_stays_off(self) -> None:
        quiet = EvalPresets.quick_check()
        quiet.reporter.enabled = False

        assert not EvalPresets.combine(quiet, EvalPresets.tool_usage()).reporter.enabled
