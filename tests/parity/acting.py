"""Short ways to write what an agent does, what a case wants and what is checked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tenxgraph_tui.evaluation import (
    AgentEvaluator,
    CriteriaConfig,
    CriterionConfig,
    EvalCase,
    EvalConfig,
    EvalReport,
    EvalSet,
    Invocation,
    MatchType,
    ReporterConfig,
    ToolCall,
    create_eval_app,
)
from tenxgraph_tui.evaluation.results import EvalCaseResult
from tenxgraph_tui.graph import END, AgentState, StateGraph

Node = Callable[..., Any]
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


QUIET = quiet(ROUGE)


def one_node(main: Node, state: Any = None) -> StateGraph[Any]:
    graph: StateGraph[Any] = StateGraph(state)
    return graph.add_node("MAIN", main).set_entry_point("MAIN").add_edge("MAIN", END)


def evaluator(main: Node, config: EvalConfig = ROUGE, state: Any = None) -> AgentEvaluator:
    return AgentEvaluator(*create_eval_app(one_node(main, state)), quiet(config))


def saying(state: AgentState) -> str:
    return f"said {state.context[-1].text()}"


def questions(*queries: str, **fields: Any) -> EvalSet:
    cases = [EvalCase.single_turn(query, query, f"said {query}") for query in queries]
    return EvalSet(eval_set_id="set", eval_cases=cases, **fields)
