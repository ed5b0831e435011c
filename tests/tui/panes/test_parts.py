"""What a verdict is made of stands below it: turns, samples, criteria within one, own notes."""

from __future__ import annotations

from typing import Any

import pytest

from tenxgraph_tui.evaluation.criteria.composite import CompositeCriterion, WeightedCriterion
from tenxgraph_tui.evaluation.criteria.text import ContainsKeywordsCriterion, RougeMatchCriterion
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.tui.panes import why
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.parts import of
from tenxgraph_tui.tui.panes.space import Space
from tests.evaluation.reporters.samples import HOSTILE


def parts(name: str, width: int = 80, height: int = 22, **details: Any) -> list[str]:
    verdict = CriterionResult.judged(name, Score(0.3, "too low", details), 1.0)
    items = of(verdict, Space(width, height))
    return [line.plain.rstrip() for one in items for line in one.lines]


def test_the_score_of_each_turn_is_shown() -> None:
    turns = [{"turn": 0, "score": 1.0}, {"turn": 2, "score": 1 / 3, "reason": "no"}]
    assert parts("rouge_match", worst_turn=2, turns=turns) == [
        "by turn   turn 1 1.00   turn 3 0.33",
    ]


def test_the_score_of_a_turn_reads_as_that_of_the_criterion_does() -> None:
    turns = [{"turn": 0, "score": 0.428571}, {"turn": 1, "score": 1.0}]
    assert parts("rouge_match", turns=turns) == ["by turn   turn 1 0.42   turn 2 1.00"]


def test_many_turns_take_several_lines() -> None:
    turns = [{"turn": at, "score": 0.5} for at in range(10)]
    lines = parts("rouge_match", turns=turns)
    assert len(lines) == 2
    assert lines[1] == " " * 10 + "   ".join(f"turn {number} 0.50" for number in range(6, 11))


SAMPLES = [
    {"sample": 1, "score": 0.5, "reasoning": "The answer is about Kyoto."},
    {"sample": 2, "error": "the judge's answer was cut off", "cause": "truncated"},
    {"sample": 3, "score": 0.6, "reasoning": "It is the opposite.", "cached": True},
]


def test_every_sample_of_a_judge_is_shown_with_its_reason() -> None:
    assert parts("final_response_match_v2", judge_samples=SAMPLES, spread=0.1, samples=2) == [
        "judge     samples 0.50  –  0.60  spread 0.10",
        "          sample 1 0.50: The answer is about Kyoto.",
        "          sample 2 –: the judge's answer was cut off",
        "          sample 3 0.60: It is the opposite. (cached)",
    ]


def test_rubrics_categories_and_claims_are_shown() -> None:
    rubrics = [
        {"rubric_id": "tone", "weight": 2.0, "score": 1.0, "reason": "it is formal"},
        {"rubric_id": "law", "weight": 1.0, "error": "the judge gave no verdict"},
    ]
    told = parts(
        "safety_v1",
        judge_samples=SAMPLES[:1],
        rubric_verdicts=rubrics,
        category_scores={"privacy": 0.25},
        hallucinations=["It is free", {"claim": "x"}],
    )
    assert [line[10:] for line in told] == [
        "rubric tone 1.00 ×2: it is formal",
        "rubric law –: the judge gave no verdict",
        "privacy 0.25",
        "not grounded: It is free",
        "not grounded: {'claim': 'x'}",
    ]


def test_long_lists_of_what_judges_said_are_counted() -> None:
    many = [{"sample": at, "score": 0.5, "reasoning": "so " * 200} for at in range(1, 60)]
    told = parts("final_response_match_v2", judge_samples=many)
    assert told[-1] == "          … 36 more"
    assert len(told) < 60


@pytest.mark.parametrize("said", HOSTILE)
@pytest.mark.parametrize("width", [1, 12, 80])
def test_what_judges_say_is_data(said: str, width: int) -> None:
    samples = [{"sample": 1, "score": 0.5, "reasoning": said}, {"sample": 2, "error": said}]
    details: dict[str, Any] = {"judge_samples": samples, "hallucinations": [said]}
    verdict = CriterionResult.judged("safety_v1", Score(0.3, "r", details), 1.0)
    lines = [line for one in of(verdict, Space(width, 22)) for line in one.lines]
    assert lines
    for line in lines:
        assert line.cell_length <= width
        assert not any(ord(char) < 32 or char in "\u202e\u2028\x7f" for char in line.plain)


def test_turns_that_were_judged_have_their_reasons() -> None:
    turns = [{"turn": 0, "score": 1.0, "reason": "the same"}, {"turn": 1, "reason": "no response"}]
    told = parts("safety_v1", judge_samples=SAMPLES[:1], turns=turns)
    assert told == [
        "judge     turn 1 1.00: the same",
        "          turn 2 –: no response",
    ]


def test_what_a_criterion_of_the_project_noted_is_shown() -> None:
    assert parts("politeness", words=["damn"], limit=0, note="said twice") == [
        'details   words ["damn"]',
        "          limit 0",
        "          note said twice",
    ]
    assert parts("rouge_match", precision=0.2, recall=0.4) == [], "ours are told otherwise"


@pytest.mark.parametrize(
    "details",
    [
        pytest.param({"turns": "several"}, id="turns that are none"),
        pytest.param({"turns": [None, 3, {"turn": "x", "score": 1}]}, id="turns without scores"),
        pytest.param({"judge_samples": [{"score": "high"}, [], None]}, id="samples of anything"),
        pytest.param({"judge_samples": 3, "spread": "x"}, id="a number of samples"),
        pytest.param({"rubric_verdicts": [1, {}], "category_scores": []}, id="rubrics"),
        pytest.param({"sub_results": ["x", {"score": 3}, None]}, id="criteria that are none"),
        pytest.param({"sub_results": {"a": 1}}, id="no list of criteria"),
    ],
)
@pytest.mark.parametrize("width", [1, 9, 80])
def test_details_of_another_shape_break_nothing(details: dict[str, Any], width: int) -> None:
    parts("anything", width, **details)
    parts("rouge_match", width, **details)


async def judged(*criteria: Any) -> DetailModel:
    case = EvalCase.single_turn("a", "Hello?", "Good morning to you")
    execution = ExecutionResult(actual_response="Good evening")
    verdicts = [await criterion.evaluate(execution, case) for criterion in criteria]
    result = EvalCaseResult.success("a", verdicts, actual_response="Good evening")
    return DetailModel(CaseKey(0, "a"), case, result)


async def test_the_criteria_within_one_are_shown_those_that_failed_first() -> None:
    keywords = ContainsKeywordsCriterion(["Good"])
    model = await judged(CompositeCriterion([keywords, RougeMatchCriterion()]))
    lines = [line.plain.rstrip() for line in why.lines(model, 100, 40)]
    inner = [" ".join(line.split()) for line in lines if "needs 0.80" in line]
    assert inner[-2:] == [
        "parts ✗ rouge_match 0.33 needs 0.80 3 of 4 words differ",
        "✓ contains_keywords 1.00 needs 0.80",
    ]


async def test_criteria_deep_within_are_indented() -> None:
    inner = WeightedCriterion([(RougeMatchCriterion(), 2.0)])
    model = await judged(CompositeCriterion([CompositeCriterion([inner])]))
    lines = [line.plain for line in why.lines(model, 120, 40)]
    places = [line.index("✗") for line in lines if line.strip().startswith(("✗", "parts"))]
    assert places[0] == 0
    assert places[1:] == sorted(places[1:])
    assert len({*places}) >= 3
