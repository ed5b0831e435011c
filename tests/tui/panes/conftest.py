"""Two cases that failed in ways worth drawing, and builders for others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tenxgraph_tui.evaluation.dataset import EvalCase, ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.events import CaseInfo, CaseStatus
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.tui.panes.model import DetailModel

START = 1_800_000_000.0
QUESTION = "Will I need an umbrella in Tokyo tomorrow?"
EXPECTED = "Yes, rain is likely in Tokyo tomorrow afternoon, so take an umbrella with you."
ANSWER = "No, rain is unlikely in Kyoto tomorrow afternoon, so leave the umbrella at home."
ADDRESS = {"order": "A-1077", "street": "Seestrasse 12", "zip": "8004"}

Progress = Callable[..., DetailModel]


def call(name: str, **args: Any) -> ToolCall:
    return ToolCall(name=name, args=args)


def node(at: float, seconds: float, turn: int = 0) -> TrajectoryStep:
    return TrajectoryStep.node("MAIN", START + at, turn=turn, seconds=seconds)


def tool(what: ToolCall, at: float, seconds: float, turn: int = 0) -> TrajectoryStep:
    stamp = START + at
    return TrajectoryStep.tool(what.name, what.args, stamp, turn=turn, node="MAIN", seconds=seconds)


def verdict(
    name: str, score: float, threshold: float, reason: str = "", **details: Any
) -> CriterionResult:
    return CriterionResult.judged(name, Score(score, reason, details), threshold)


@pytest.fixture
def tokyo() -> DetailModel:
    """Another city in the second call, one call missing, one extra, and a wrong answer."""
    case = EvalCase.single_turn(
        "tokyo_forecast",
        QUESTION,
        EXPECTED,
        [
            call("get_weather", city="Tokyo"),
            call("get_forecast", city="Tokyo", days=1),
            call("get_alerts", city="Tokyo"),
        ],
        ["MAIN"] * 4,
    )
    weather = call("get_weather", city="Tokyo")
    forecast = call("get_forecast", city="Kyoto", days=1)
    forecast.result = {"city": "Kyoto", "summary": "dry, light wind from the west"}
    search = call("search_web", query="kyoto umbrella")
    search.error = "TimeoutError: no answer after 3 s"
    result = EvalCaseResult.success(
        "tokyo_forecast",
        [
            verdict("tool_name_match_score", 1.0, 0.6, "3 of 3 tools called"),
            verdict(
                "tool_trajectory_avg_score",
                1 / 3,
                1.0,
                "first divergence: call 2, city",
                match_type="EXACT",
                matched=1,
            ),
            verdict("node_order_score", 1.0, 1.0, "4 of 4 nodes match"),
            verdict("rouge_match", 0.5999, 0.6, "7 of 14 words differ"),
            CriterionResult.not_evaluated("contains_keywords", "no keywords to look for"),
        ],
        [
            node(0, 0.62),
            tool(weather, 0.62, 0.21),
            node(0.83, 0.48),
            tool(forecast, 1.31, 0.18),
            node(1.49, 0.21),
            tool(search, 1.7, 0.12),
            node(1.82, 0.09),
        ],
        [weather, forecast, search],
        ANSWER,
        node_visits=["MAIN"] * 4,
        node_responses=[
            {
                "node_name": "MAIN",
                "response_text": ANSWER,
                "token_usage": {"input_tokens": 168, "output_tokens": 44},
                "timestamp": START + 1.9,
            }
        ],
        duration_seconds=1.91,
        token_usage=TokenUsage(543, 112),
    )
    progress = CaseProgress(
        CaseKey(0, "tokyo_forecast"),
        CaseInfo(eval_id="tokyo_forecast"),
        status=CaseStatus.FAILED,
        cost=0.0014,
    )
    return DetailModel(progress.key, case, result, progress, now=START)


@pytest.fixture
def moved() -> DetailModel:
    """Three turns, the middle one wrong."""
    turns = [
        ("Can you change the address on order A-1077?", "Of course. What is the new one?"),
        ("Seestrasse 12, 8004 Zürich.", "I will change it to Seestrasse 12, 8004 Zürich."),
        ("Yes please.", "Done."),
    ]
    case = EvalCase.multi_turn("moved", turns)
    case.conversation[1].expected_tool_trajectory = [call("update_address", **ADDRESS)]
    changed = call("update_address", **(ADDRESS | {"street": "Seestrasse 21"}))
    answers = [turns[0][1], "I will change it to Bahnhofstrasse 3.", turns[2][1]]
    result = EvalCaseResult.success(
        "moved",
        [
            verdict("tool_trajectory_avg_score", 0.0, 1.0, "first divergence: call 1, street"),
            verdict("rouge_match", 0.54, 0.6, "turn 2: 4 of 9 words differ", worst_turn=1),
        ],
        [node(0, 1), node(1, 0.4, 1), tool(changed, 1.4, 2.2, 1), node(4, 1, 2)],
        [changed],
        answers[2],
        node_visits=["MAIN"] * 3,
        turn_results=[
            {
                "turn": index,
                "user_query": asked,
                "actual_response": answer,
                "tool_calls": [changed.model_dump()] if index == 1 else [],
            }
            for index, ((asked, _), answer) in enumerate(zip(turns, answers, strict=True))
        ],
    )
    return DetailModel(CaseKey(0, "moved"), case, result)


@pytest.fixture
def unfinished(tokyo: DetailModel) -> Progress:
    """Builds the same case as it stands before there is a result."""

    def build(status: CaseStatus, **fields: Any) -> DetailModel:
        info = fields.pop("info", CaseInfo(eval_id="tokyo_forecast"))
        progress = CaseProgress(tokyo.key, info, status=status, **fields)
        return DetailModel(tokyo.key, tokyo.case, None, progress, now=START)

    return build
