from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.config import CriterionConfig, EvalConfig
from tenxgraph_tui.evaluation.presets import PRESETS, EvalPresets
from tenxgraph_tui.session.models import ModelAccess, Price
from tenxgraph_tui.tui.judges import JudgeModel
from tenxgraph_tui.tui.lines.presets import access_state, choice, contents, how, price_text
from tenxgraph_tui.tui.presets import CUSTOM, Preset, combined, edited

GEMINI = (("GEMINI_API_KEY", "GOOGLE_API_KEY"),)
READY = JudgeModel("gemini-2.5-flash", ModelAccess("gemini/x", "gemini", GEMINI))
KEYLESS = JudgeModel(
    "gemini-2.5-flash", ModelAccess("gemini/x", "gemini", GEMINI, ("GEMINI_API_KEY",))
)
WIDTHS = (1, 2, 5, 20, 36, 80, 200)


def shown(**config: object) -> list[list[str]]:
    preset = Preset("mine", "mine", EvalConfig.model_validate(config))
    return [line.plain.split() for line in contents(preset, 36)]


def lines_of(preset: Preset, *judges: JudgeModel, height: int | None = None) -> list[str]:
    return [line.plain.rstrip() for line in contents(preset, 36, judges, height)]


def of(name: str) -> Preset:
    return Preset(name, name, PRESETS[name]())


def test_criteria_of_ones_own_are_listed_with_their_threshold() -> None:
    own = {"criterion": "checks.tone:Polite", "config": {"threshold": 0.7}}
    criteria = {"rouge_match": {"threshold": 0.5}}
    assert shown(criteria=criteria, custom=[own]) == [
        ["rouge_match", "≥", "0.50"],
        ["Polite", "≥", "0.70"],
    ]


def test_a_config_with_nothing_but_ones_own_criteria_checks_something() -> None:
    assert shown(custom=[{"criterion": "checks:Polite"}]) == [["Polite", "≥", "0.80"]]


def test_a_config_in_which_everything_is_off_checks_nothing() -> None:
    own = {"criterion": "checks:Polite", "config": {"enabled": False}}
    assert shown(custom=[own]) == [["checks", "nothing"]]


def test_how_a_criterion_compares_stands_beside_it_and_fits() -> None:
    assert lines_of(of("tool_usage")) == [
        "  tool_name_match             ≥ 1.00",
        "  trajectory exact, args      ≥ 1.00",
    ]
    criteria = {
        "trajectory": {"match_type": "ANY_ORDER", "check_args": True},
        "contains_keywords": {"keywords": ["rain"]},
        "rubric_based": {"rubrics": [{"rubric_id": "kind", "content": "Is kind."}]},
    }
    mine = Preset("mine", "mine", EvalConfig.model_validate({"criteria": criteria}))
    assert lines_of(mine)[:3] == [
        "  trajectory any order, args  ≥ 0.80",
        "  contains_keywords 1 word    ≥ 0.80",
        "  rubric_based judge ×3       ≥ 0.80",
    ]


def test_a_model_is_named_with_its_key_and_its_price() -> None:
    priced = JudgeModel(READY.name, READY.access, Price(0.3, 2.5))
    assert lines_of(of("relaxed"), priced)[2:] == [
        "  judge gemini-2.5-flash   ✓ key set",
        "  $0.30 in, $2.50 out per 1M tokens",
    ]


def test_a_key_that_is_not_set_has_a_line_of_its_own() -> None:
    assert lines_of(of("relaxed"), KEYLESS)[2:] == [
        "  judge gemini-2.5-flash",
        "  ! GEMINI_API_KEY not set",
    ]


@pytest.mark.parametrize(
    ("access", "told"),
    [
        (ModelAccess("x", "gemini", GEMINI), "✓ key set"),
        (ModelAccess("x", "ollama"), "✓ no key needed"),
        (ModelAccess("x", "some_cloud"), "key of some_cloud not checked"),
        (ModelAccess("x"), "! write provider/model"),
    ],
)
def test_whether_a_model_can_be_asked_is_a_word(access: ModelAccess, told: str) -> None:
    assert access_state(JudgeModel("x", access)).plain == told


def test_what_costs_nothing_is_no_price() -> None:
    assert price_text(JudgeModel("x", READY.access)) == ""
    assert price_text(JudgeModel("x", READY.access, Price(0, 0))) == "no cost for tokens"


def test_where_there_is_little_room_criteria_go_first() -> None:
    assert lines_of(of("comprehensive"), READY, height=4) == [
        "  tool_name_match             ≥ 1.00",
        "  trajectory in order, args   ≥ 1.00",
        "  … 5 more",
        "  judge gemini-2.5-flash   ✓ key set",
    ]


def test_a_combination_is_named_above_its_criteria() -> None:
    both = combined([of("tool_usage"), of("quick_check")])
    assert lines_of(both)[0] == "  tool_usage + quick_check"
    assert len(lines_of(both)) == 4


def test_what_sets_ask_for_is_listed_by_set() -> None:
    own = (("weather", of("tool_usage")), ("trains", of("strict")))
    assert lines_of(Preset("as the sets say", None, None, own=own)) == [
        "  weather  tool_usage        offline",
        "  trains  strict               judge",
    ]


def test_of_a_config_there_is_enough_to_read_or_nothing() -> None:
    own = (("units_eval.py:lengths", of("tool_usage")), ("reading_room", of("tool_usage")))
    preset = Preset("as the sets say", None, None, own=own)
    assert lines_of(preset) == [
        "  units_eval.py:lengths      offline",
        "  reading_room  tool_usage   offline",
    ]


def test_what_is_wrong_with_a_file_is_broken_into_lines() -> None:
    problem = "ci.evalconfig.json:1: criteria: unknown criterion 'trajectry'"
    assert lines_of(Preset("ci", "/p/ci", None, problem=problem)) == [
        "  ci.evalconfig.json:1: criteria:",
        "  unknown criterion 'trajectry'",
    ]


def test_what_is_in_use_has_a_sign_and_custom_says_that_it_is_a_form() -> None:
    assert choice(of("tool_usage"), 30, chosen=True).plain == "● tool_usage           offline"
    form = Preset(CUSTOM, None, EvalConfig())
    assert choice(form, 36, chosen=False).plain == "  custom  your own criteria     form"
    made = edited(form, EvalPresets.quick_check())
    assert choice(made, 30, chosen=True).plain == "● custom               offline"


@pytest.mark.parametrize("width", WIDTHS)
def test_every_line_fills_its_width(width: int) -> None:
    broken = Preset("a \x1b[31m name", "/p", None, problem="[/] 中文 \x1b]0;x\x07 " * 9)
    for preset in (of("comprehensive"), broken, combined([of("offline"), of("tool_usage")])):
        assert choice(preset, width, chosen=True).cell_length == width
        for line in contents(preset, width, [READY, KEYLESS]):
            assert line.cell_length == width


def test_of_goals_a_judge_is_asked_once() -> None:
    asks = CriterionConfig(num_samples=3)
    assert how("simulation_goals", asks) == "judge"
    assert how("llm_judge", asks) == "judge ×3"
