from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.config import (
    CriteriaConfig,
    CriterionConfig,
    CustomCriterion,
    EvalConfig,
    MatchType,
    Rubric,
)
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.tui.draft import ALL_SLOTS, Draft
from tenxgraph_tui.tui.presets import CUSTOM, Preset

TOOLS = Preset("tool_usage", "tool_usage", EvalPresets.tool_usage())


def at(slot: str) -> int:
    return ALL_SLOTS.index(slot)


def config_of(draft: Draft) -> EvalConfig:
    config = draft.preset.config
    assert config is not None
    return config


def test_an_untouched_draft_is_the_preset_itself() -> None:
    assert Draft(TOOLS).preset is TOOLS


def test_a_changed_threshold_makes_an_edited_preset_and_leaves_the_first_one_alone() -> None:
    draft = Draft(TOOLS)
    assert draft.step(at("trajectory"), "threshold", -1) == ""
    assert draft.preset.name == "tool_usage (edited)"
    assert draft.preset.original is TOOLS
    assert draft.row(at("trajectory")).now.threshold == 0.95
    assert draft.row(at("trajectory")).before == CriterionConfig.trajectory(check_args=True)


def test_stepping_back_is_no_edit() -> None:
    draft = Draft(TOOLS)
    draft.step(at("trajectory"), "threshold", -1)
    draft.step(at("trajectory"), "threshold", 1)
    assert draft.preset is TOOLS


@pytest.mark.parametrize(
    ("start", "by", "reached"),
    [
        pytest.param(0.72, 1, 0.75, id="up to the next step"),
        pytest.param(0.72, -1, 0.7, id="down to the next step"),
        pytest.param(0.7, 1, 0.75, id="a whole step"),
        pytest.param(1.0, 1, 1.0, id="never above one"),
        pytest.param(0.0, -1, 0.0, id="never below zero"),
        pytest.param(0.15, 1, 0.2, id="without an error of binary fractions"),
    ],
)
def test_thresholds_move_in_steps(start: float, by: int, reached: float) -> None:
    config = EvalConfig()
    config.enable_criterion("rouge_match", CriterionConfig(threshold=start))
    draft = Draft(Preset("mine", "mine", config))
    draft.step(at("rouge_match"), "threshold", by)
    assert draft.row(at("rouge_match")).now.threshold == reached


def test_a_criterion_is_switched_on_with_what_it_usually_needs_and_off_again() -> None:
    draft = Draft(TOOLS)
    draft.toggle(at("rouge_match"))
    assert config_of(draft).criteria.rouge_match == CriterionConfig.rouge_match()
    draft.toggle(at("rouge_match"))
    assert draft.preset is TOOLS


def test_what_is_set_for_a_criterion_that_is_off_is_there_when_it_is_on() -> None:
    draft = Draft(TOOLS)
    draft.step(at("rouge_match"), "threshold", 1)
    assert draft.preset is TOOLS
    draft.toggle(at("rouge_match"))
    assert draft.row(at("rouge_match")).now.threshold == 0.55


def test_a_criterion_of_the_preset_stays_in_it_when_it_is_off() -> None:
    draft = Draft(TOOLS)
    draft.toggle(at("trajectory"))
    assert not draft.row(at("trajectory")).is_on
    assert [slot for slot, _ in config_of(draft).criteria.enabled()] == ["tool_name_match"]


def test_reset_takes_back_everything_about_one_criterion() -> None:
    draft = Draft(TOOLS)
    draft.step(at("trajectory"), "threshold", -1)
    draft.step(at("trajectory"), "match_type", 1)
    draft.toggle(at("rouge_match"))
    draft.reset(at("trajectory"))
    assert draft.row(at("trajectory")).now == draft.row(at("trajectory")).before
    draft.reset(at("rouge_match"))
    assert draft.preset is TOOLS


def test_an_edited_preset_is_edited_further_against_what_it_was_at_first() -> None:
    draft = Draft(TOOLS)
    draft.step(at("trajectory"), "threshold", -1)
    again = Draft(draft.preset)
    again.reset(at("trajectory"))
    assert again.preset is TOOLS


def test_match_types_and_flags_go_round() -> None:
    draft = Draft(TOOLS)
    seen = []
    for _ in MatchType:
        draft.step(at("trajectory"), "match_type", 1)
        seen.append(draft.row(at("trajectory")).now.match_type)
    assert seen == [MatchType.IN_ORDER, MatchType.ANY_ORDER, MatchType.EXACT]
    draft.step(at("trajectory"), "check_args", 1)
    draft.step(at("trajectory"), "per_turn", -1)
    now = draft.row(at("trajectory")).now
    assert (now.check_args, now.per_turn) == (False, True)


def test_there_is_at_least_one_sample() -> None:
    draft = Draft(TOOLS)
    for _ in range(5):
        draft.step(at("llm_judge"), "num_samples", -1)
    assert draft.row(at("llm_judge")).now.num_samples == 1


def test_only_criteria_that_are_asked_several_times_offer_how_often() -> None:
    draft = Draft(TOOLS)
    goals = draft.row(at("simulation_goals")).fields
    assert "num_samples" in draft.row(at("llm_judge")).fields
    assert "num_samples" not in goals
    assert "judge_model" in goals


@pytest.mark.parametrize(
    ("slot", "field", "typed", "value"),
    [
        ("trajectory", "threshold", " 0.85 ", 0.85),
        ("llm_judge", "num_samples", "5", 5),
        ("llm_judge", "judge_model", "groq/llama-3.3-70b", "groq/llama-3.3-70b"),
        ("contains_keywords", "keywords", "rain, sun,, rain", ["rain", "sun"]),
    ],
)
def test_what_is_typed_is_taken(slot: str, field: str, typed: str, value: object) -> None:
    draft = Draft(TOOLS)
    assert draft.write(at(slot), field, typed) == ""
    assert getattr(draft.row(at(slot)).now, field) == value


@pytest.mark.parametrize(
    ("field", "typed", "told"),
    [
        ("threshold", "high", "threshold must be a number, not 'high'"),
        ("threshold", "1.5", "threshold must be between 0.0 and 1.0, not 1.5"),
        ("threshold", "nan", "threshold must be between 0.0 and 1.0, not nan"),
        ("num_samples", "2.5", "num_samples must be a number, not '2.5'"),
        ("num_samples", "0", "num_samples: Input should be greater than or equal to 1"),
        ("judge_model", " ", "judge_model must not be empty"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(field: str, typed: str, told: str) -> None:
    draft = Draft(TOOLS)
    before = draft.row(at("llm_judge")).now
    assert draft.write(at("llm_judge"), field, typed) == told
    assert draft.row(at("llm_judge")).now == before


def test_rubrics_come_from_a_file() -> None:
    draft = Draft(TOOLS)
    assert "needs rubrics" in draft.toggle(at("rubric_based"))
    assert not draft.row(at("rubric_based")).is_on
    with_some = EvalPresets.tool_usage().with_rubrics([Rubric.create("kind", "Is kind.")])
    draft = Draft(Preset("mine", "mine", with_some))
    draft.toggle(at("rubric_based"))
    assert draft.toggle(at("rubric_based")) == ""
    assert draft.row(at("rubric_based")).is_on


def test_criteria_of_ones_own_come_last_and_have_a_threshold() -> None:
    own = CustomCriterion(criterion="checks.tone:Polite", config=CriterionConfig(threshold=0.7))
    draft = Draft(Preset("mine", "mine", EvalConfig(custom=[own])))
    last = len(draft) - 1
    row = draft.row(last)
    assert (row.name, row.fields, row.is_on) == ("Polite", ("threshold",), True)
    draft.step(last, "threshold", 1)
    assert draft.row(last).now.threshold == 0.75
    draft.toggle(last)
    assert not config_of(draft).custom[0].config.enabled
    draft.reset(last)
    assert draft.preset.original is None


def test_every_setting_that_means_something_but_a_prompt_can_be_reached() -> None:
    draft = Draft(Preset(CUSTOM, None, EvalConfig()))
    reached = {field for index in range(len(draft)) for field in draft.row(index).fields}
    assert set(CriterionConfig.model_fields) - reached == {"enabled", "api_style", "prompt"}


def test_a_prompt_of_ones_own_is_kept() -> None:
    config = EvalConfig(criteria=CriteriaConfig(llm_judge=CriterionConfig(prompt="{{ answer }}")))
    draft = Draft(Preset("mine", "mine", config))
    draft.step(at("llm_judge"), "threshold", -1)
    changed = config_of(draft).criteria.llm_judge
    assert changed is not None
    assert changed.prompt == "{{ answer }}"


def test_a_custom_preset_keeps_its_name() -> None:
    draft = Draft(Preset(CUSTOM, None, EvalConfig()))
    draft.toggle(at("trajectory"))
    assert draft.preset.name == CUSTOM
    assert draft.preset.carried == config_of(draft).model_dump(mode="json")
