"""Case results of each kind, to print and to write."""

from __future__ import annotations

from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, Score


def scored(name: str, score: float, threshold: float, reason: str = "") -> CriterionResult:
    return CriterionResult.judged(name, Score(score, reason), threshold)


def passing(eval_id: str = "london_now") -> EvalCaseResult:
    return EvalCaseResult.success(
        eval_id,
        [scored("tool_trajectory_avg_score", 1.0, 1.0), scored("rouge_match", 0.914, 0.5)],
        actual_response="Sunny",
        duration_seconds=1.23,
        token_usage=TokenUsage(400, 12),
    )


def failing(eval_id: str = "tokyo", *, answer: str = "12 degrees in Kyoto") -> EvalCaseResult:
    return EvalCaseResult.success(
        eval_id,
        [
            scored("tool_trajectory_avg_score", 1 / 3, 1.0, "first divergence: call 2, city"),
            scored("rouge_match", 0.5999, 0.6, "9 of 15 words differ"),
        ],
        actual_response=answer,
        actual_tool_calls=[ToolCall(name="get_weather", args={"city": "Kyoto"})],
        duration_seconds=1.9,
        token_usage=TokenUsage(640, 15),
    )
