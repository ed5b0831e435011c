"""Short ways to write what an agent does, what a case wants and what is checked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tenxgraph_tui.evaluation import (
    CriteriaConfig,
    CriterionConfig,
    EvalCase,
    EvalConfig,
    EvalReport,
    Invocation,
    MatchType,
    ReporterConfig,
    ToolCall,
)
from tenxgraph_tui.evaluation.results import EvalCaseResult

Turns = list[dict[str, Any]]
Play = Callable[..., Awaitable[EvalCaseResult]]
PlayAll = Callable[..., Awaitable[EvalReport]]

EXACT, IN_ORDER, ANY_ORDER = MatchType.EXACT, MatchType.IN_ORDER, MatchType.ANY_ORDER
NOT = "not_evaluated"


def turn(*steps: dict[str, Any], response: str = "done", **more: Any) -> dict[str, Any]:
    return {"steps": list(steps), "response": response, **more}


def ask(*names: str, **more: Any) -> dict[str, Any]:
    """One message that asks for tools, without arguments."""
    return {"tool_calls": [{"name": name, "args": {}, "result": "ok"} for name in names], **more}


def ask_with(name: str, args: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "args": args, "result": "ok", **more}]}


def makes(calls: str) -> Turns:
    """A turn with one step for each letter."""
    return [turn(*(ask(name) for name in calls))]


def wants(calls: str, answer: str | None = "done", nodes: list[str] | None = None) -> EvalCase:
    tools = [ToolCall(name=name) for name in calls]
    return EvalCase.single_turn("c", "go", answer, tools, nodes)


def one(name: str, args: dict[str, Any], answer: str | None = None) -> EvalCase:
    return EvalCase.single_turn("c", "go", answer, [ToolCall(name=name, args=args)])


def conversation(*turns: Invocation) -> EvalCase:
    return EvalCase(eval_id="c", conversation=list(turns))


def checks(**criteria: CriterionConfig) -> EvalConfig:
    return EvalConfig(criteria=CriteriaConfig(**criteria))


def quiet(config: EvalConfig) -> EvalConfig:
    """The same without reports, which have tests of their own."""
    return config.model_copy(update={"reporter": ReporterConfig(enabled=False)})


def trajectory(match_type: MatchType = EXACT, *, check_args: bool = True) -> EvalConfig:
    return checks(trajectory=CriterionConfig.trajectory(1.0, match_type, check_args))


NAMES = checks(tool_name_match=CriterionConfig.tool_name_match())
ROUGE = checks(rouge_match=CriterionConfig.rouge_match())


def scores(result: EvalCaseResult) -> list[Any]:
    return [NOT if r.verdict == NOT else pytest.approx(r.score) for r in result.criterion_results]
