"""The golden facts again, on the package that they were measured on: its graph, our scores."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

from tenxgraph_tui.evaluation import AgentEvaluator, EvalConfig, create_eval_app
from tests.parity.acting import quiet
from tests.parity.corpus import CASE, Golden, act, next_message, registered
from tests.parity.rules import REFUSED
from tests.parity.test_corpus import FILES, as_golden

pytest.importorskip("tenxgraph", reason="10xGraph is not installed (it needs Python 3.12)")

from tenxgraph.core.graph import StateGraph, ToolNode
from tenxgraph.core.state import AgentState, Message
from tenxgraph.core.state.message import TokenUsages
from tenxgraph.utils import END

INJECTED = frozenset({"state", "config", "tool_call_id"})


@pytest.mark.parametrize(
    "golden", [pytest.param(each, id=each.name) for each in FILES if each.name not in REFUSED]
)
async def test_the_corpus_on_10xgraph(golden: Golden) -> None:
    app, collector = create_eval_app(scripted(golden))
    evaluator = AgentEvaluator(app, collector, quiet(EvalConfig.model_validate(golden.config)))

    as_golden(golden, await evaluator.evaluate(golden.eval_set()))


def scripted(golden: Golden) -> Any:
    """MAIN says what the scripts say, TOOL runs what it asks for."""
    scripts = golden.facts["scripts"]

    async def main(state: AgentState, config: dict[str, Any]) -> Any:
        return next_message(scripts[config[CASE]]["turns"], state.context, Message, TokenUsages)

    def route(state: AgentState) -> str:
        return "TOOL" if state.context[-1].tools_calls else END

    extra = golden.facts.get("extra_tool_params", [])
    tools = [_tool(name, calls, extra) for name, calls in registered(scripts).items()]
    graph = StateGraph()
    graph.add_node("MAIN", main)
    graph.add_node("TOOL", ToolNode(tools))
    graph.add_conditional_edges("MAIN", route, {"TOOL": "TOOL", END: END})
    graph.add_edge("TOOL", "MAIN")
    graph.set_entry_point("MAIN")
    return graph


def _tool(name: str, calls: dict[str, Any], extra: list[str]) -> Any:
    """A function with every parameter that a call gives: 10xGraph reads its signature."""
    by_given = {_given(json.loads(args)): call for args, call in calls.items()}

    async def tool(**args: Any) -> Any:
        return await act(by_given[_given(args)])

    names = {name for args in calls for name in json.loads(args)} | set(extra)
    keyword = inspect.Parameter.KEYWORD_ONLY
    tool.__name__ = name
    tool.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # what inspect looks for
        [inspect.Parameter(each, keyword, default=NOTHING) for each in sorted(names)]
    )
    return tool


NOTHING: Any = None


def _given(args: dict[str, Any]) -> str:
    return json.dumps(
        {name: value for name, value in args.items() if name not in INJECTED}, sort_keys=True
    )
