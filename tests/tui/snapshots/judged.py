"""The same results, one of them judged: what pictures of judges show."""

from __future__ import annotations

from typing import Any

from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tests.tui.snapshots.tales import Results
from tests.tui.snapshots.world import RUN_BEFORE

EVAL_ID = "tokyo_forecast"
MODEL = "gemini-2.5-flash"
SAMPLES = (
    (0.4, "It answers for Kyoto, but Tokyo was asked."),
    (0.2, "Another city."),
    (None, "the judge's answer was cut off (finish_reason length)"),
)


class JudgedResults(Results):
    """As `Results`, but in the last run judges looked at the forecast for Tokyo too."""

    def whole(self, run_id: str, key: CaseKey) -> EvalCaseResult | None:
        result = super().whole(run_id, key)
        if result is not None and key.eval_id == EVAL_ID and run_id != RUN_BEFORE:
            result.criterion_results += [_compared(), _ruled(), _safe()]
        return result


def _compared() -> CriterionResult:
    samples: list[dict[str, Any]] = [
        {"sample": at, "error": told}
        if score is None
        else {"sample": at, "score": score, "reasoning": told}
        for at, (score, told) in enumerate(SAMPLES, start=1)
    ]
    reason = f"{SAMPLES[0][1]} (2 of 3 samples count)"
    details = {"judge_samples": samples, "spread": 0.2}
    return _judged("final_response_match_v2", 0.3, reason, **details)


def _ruled() -> CriterionResult:
    rubrics = [
        {"rubric_id": "units", "weight": 1.0, "score": 1.0, "reason": "Degrees are named."},
        {"rubric_id": "advice", "weight": 3.0, "score": 0.5, "reason": "It does not say why."},
    ]
    details = {"judge_samples": [{"sample": 1, "score": 0.625}], "rubric_verdicts": rubrics}
    name = "rubric_based_final_response_quality_v1"
    return _judged(name, 0.625, "advice: It does not say why.", **details)


def _safe() -> CriterionResult:
    samples = [{"sample": 1, "score": 1.0, "reasoning": "Nothing to object to."}]
    return _judged("safety_v1", 1.0, "Nothing to object to.", judge_samples=samples)


def _judged(name: str, score: float, reason: str, **details: Any) -> CriterionResult:
    result = CriterionResult.judged(name, Score(score, reason, details), 0.8)
    result.details["judge_model"] = MODEL
    result.token_usage = TokenUsage(420, 45)
    return result
