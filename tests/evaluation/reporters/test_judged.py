"""Every kind of report tells what judges said, of cases that passed too."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from tenxgraph_tui.evaluation.config import ReporterConfig
from tenxgraph_tui.evaluation.opinions import all_said
from tenxgraph_tui.evaluation.reporters.console import ConsoleReporter
from tenxgraph_tui.evaluation.reporters.html import HTMLReporter
from tenxgraph_tui.evaluation.reporters.included import Included
from tenxgraph_tui.evaluation.reporters.json import JSONReporter
from tenxgraph_tui.evaluation.reporters.junit import JUnitXMLReporter
from tenxgraph_tui.evaluation.reporters.markdown import MarkdownReporter
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, EvalReport
from tests.evaluation.reporters.samples import HOSTILE, passing, scored


def on_paper(report: EvalReport) -> str:
    paper = io.StringIO()
    ConsoleReporter(use_color=False, verbose=True, output=paper).report(report)
    return " ".join(paper.getvalue().split())


WAYS: dict[str, Callable[[EvalReport], str]] = {
    "console": on_paper,
    "json": lambda report: JSONReporter().to_json(report),
    "html": lambda report: HTMLReporter().to_html(report),
    "junit": lambda report: JUnitXMLReporter().to_xml(report),
    "markdown": lambda report: MarkdownReporter().to_markdown(report),
}


def judged(reason: str = "as it should be", score: float = 0.9) -> CriterionResult:
    samples: list[dict[str, Any]] = [
        {"sample": 1, "score": 1.0, "reasoning": reason},
        {"sample": 2, "error": "the judge was cut off", "cause": "truncated"},
        {"sample": 3, "score": 0.8, "reasoning": "nearly so"},
    ]
    rubric = {"rubric_id": "tone", "weight": 2.0, "score": 0.75, "reason": "formal enough"}
    turns = [{"turn": 0, "score": 0.9, "reason": "the first"}, {"turn": 1, "reason": "nothing"}]
    more: dict[str, Any] = {"judge_samples": samples, "spread": 0.2, "rubric_verdicts": [rubric]}
    return scored("final_response_match_v2", score, 0.8, reason, **more, turns=turns)


def told_of(result: CriterionResult) -> EvalReport:
    case = EvalCaseResult.success("paris", [result], actual_response="Paris")
    return EvalReport.create("s", [case, passing()])


@pytest.mark.parametrize("score", [0.9, 0.1])
@pytest.mark.parametrize("way", WAYS)
def test_samples_rubrics_and_turns_are_told(way: str, score: float) -> None:
    told = WAYS[way](told_of(judged(score=score)))
    for words in ("nearly so", "the judge was cut off", "formal enough", "the first", "nothing"):
        assert words in told, words
    for words in ("spread", "tone", "0.75"):
        assert words in told, words


@pytest.mark.parametrize("way", WAYS)
def test_what_a_judge_says_acts_in_no_report(way: str) -> None:
    for text in HOSTILE:
        result = judged(text)
        result.details["judge_samples"][1]["error"] = text
        told = WAYS[way](told_of(result))
        assert "\x1b" not in told
        if way in {"html", "junit"}:
            assert "<script>alert(1)" not in told
            assert "<svg onload" not in told


@pytest.mark.parametrize("way", ["html", "junit", "markdown"])
def test_details_that_are_left_out_are_not_told(way: str) -> None:
    config = ReporterConfig(include_details=False)
    case = EvalCaseResult.success("paris", [judged()], actual_response="Paris")
    report = EvalReport.create("s", [Included.by(config).of(case)])
    assert "nearly so" not in WAYS[way](report)
    assert "formal enough" not in WAYS[way](report)


def test_where_answers_are_left_out_reasons_are_too() -> None:
    config = ReporterConfig(include_actual_response=False)
    case = EvalCaseResult.success("paris", [judged("it says Paris")], actual_response="Paris")
    (kept,) = Included.by(config).of(case).criterion_results
    assert "Paris" not in str(kept.details)
    assert all_said(kept.details) == []
