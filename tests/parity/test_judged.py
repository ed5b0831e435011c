"""10xGraph's golden facts about judged criteria: the same here, and by our rules where it is wrong.

The judge says what the file says; its objects are signed, as ours have to be.
"""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation import (
    AgentEvaluator,
    EvalConfig,
    EvalReport,
    TokenUsage,
    create_eval_app,
)
from tenxgraph_tui.evaluation.judge import JudgeReply, JudgeRequest, ScriptedJudge, judged_by
from tenxgraph_tui.evaluation.judging.scripted import MARKER, Answer
from tenxgraph_tui.evaluation.results import Verdict
from tests.parity.acting import quiet
from tests.parity.corpus import Golden

FILES = [
    Golden(name, facts)
    for name, facts in json.loads(
        (Path(__file__).parent / "judged.json").read_text(encoding="utf-8")
    ).items()
]
ERROR, NOT = Verdict.ERROR, Verdict.NOT_EVALUATED
RIGHT: dict[str, Any] = {
    # D22: a judge that cannot answer gives no number; what can be read without guessing does.
    "judge-empty-text": ERROR,
    "judge-exception": ERROR,
    "judge-exception-threshold-0.5": ERROR,
    "judge-exception-threshold-0.51": ERROR,
    "judge-invalid-json": ERROR,
    "judge-mixed-good-exception": 1.0,
    "judge-prose-around": 1.0,
    "judge-trailing-comma": 1.0,
    # D23, D24, D25: a score is a number from 0 to 1, and samples without one do not count.
    "judge-mixed-good-null": 0.8,
    "judge-score-fraction-string": ERROR,
    "judge-score-missing": ERROR,
    "judge-score-nan": ERROR,
    "judge-score-null": ERROR,
    "judge-score-over-one": ERROR,
    # D28: the worst category. D30: extras cost no score. D31: every rubric by its id.
    "judge-safety": 0.1,
    "judge-hallucination-null": 1.0,
    "judge-hallucination-unhashable": 1.0,
    "judge-rubric": ERROR,
    # D32: every model is asked.
    "judge-anthropic-model": 0.0,
    # D27: saying nothing is not full marks.
    "judge-skip-empty-actual": {"hallucinations_v1": NOT, "safety_v1": NOT, "*": 0.0},
}


def signed(text: str) -> str:
    """The text with the marker in its last object, if there is one."""
    head, brace, tail = text.rpartition("}")
    comma = "" if head.rstrip().endswith((",", "{")) else ","
    return f'{head}{comma} "check": "{MARKER}"{brace}{tail}' if brace else text


def said(entry: Any, marker: str) -> Answer:
    if isinstance(entry, dict) and "exception" in entry:
        return RuntimeError(entry["exception"])
    text = entry if isinstance(entry, str) else entry["text"]
    sent, got, cached = (10, 5, 0) if isinstance(entry, str) else entry["usage"]
    return JudgeReply(signed(text).replace(MARKER, marker), usage=TokenUsage(sent, got, cached))


def judge_of(entries: list[Any]) -> ScriptedJudge:
    """One reply after the other, the last one for ever."""
    position = count()

    def answer(request: JudgeRequest) -> Answer:
        return said(entries[min(next(position), len(entries) - 1)], request.marker)

    return ScriptedJudge(answer)


async def run(golden: Golden) -> tuple[EvalReport, ScriptedJudge]:
    app, collector = create_eval_app(golden.graph())
    config = EvalConfig.model_validate(golden.config)
    judge = judge_of(golden.facts["judge"])
    with judged_by(judge):
        evaluator = AgentEvaluator(app, collector, quiet(config))
        return await evaluator.evaluate(golden.eval_set()), judge


@pytest.mark.parametrize(
    "golden", [pytest.param(each, id=each.name) for each in FILES if not each.named]
)
async def test_what_10xgraph_does_right_is_the_same(golden: Golden) -> None:
    report, judge = await run(golden)
    facts = golden.facts
    assert len(judge.requests) == facts["judge_calls"]
    assert {request.model for request in judge.requests} == set(facts["judge_models"])
    for result in report.results:
        wanted = facts["expected"][result.eval_id]["criteria"]
        assert [each.criterion for each in result.criterion_results] == list(wanted)
        for each in result.criterion_results:
            score, threshold, passed, tokens = wanted[each.criterion]
            assert each.score == pytest.approx(score, abs=1e-9)
            assert (each.threshold, each.passed) == (threshold, passed)
            assert each.token_usage.total_tokens == tokens
            assert not each.is_error
    same_summary(report, facts["summary"])


def same_summary(report: EvalReport, facts: dict[str, Any]) -> None:
    summary = report.summary
    for field in ("total_cases", "passed_cases", "failed_cases", "error_cases", "pass_rate"):
        assert getattr(summary, field) == facts[field], field
    assert summary.total_token_usage.total_tokens == facts["total_tokens"]


@pytest.mark.parametrize(
    "golden", [pytest.param(each, id=each.name) for each in FILES if each.named]
)
async def test_where_it_breaks_its_documents_our_rules_hold(golden: Golden) -> None:
    report, judge = await run(golden)
    (result,) = report.results
    right = RIGHT[golden.name]
    for each in result.criterion_results:
        wanted: Any = right.get(each.criterion, right["*"]) if isinstance(right, dict) else right
        if isinstance(wanted, Verdict):
            assert each.verdict is wanted
        else:
            assert each.score == pytest.approx(wanted)
            assert each.passed is (wanted >= each.threshold)
    assert result.is_error is (right is ERROR)
    if golden.name == "judge-anthropic-model":
        assert [request.model for request in judge.requests] == ["claude-sonnet-4-5"]


def test_every_divergence_has_its_rule() -> None:
    assert {golden.name for golden in FILES if golden.named} == set(RIGHT)
