"""An agent of the real 10xGraph that plays scripts; import it only where that package is there."""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from typing import Any

from tenxgraph.core.graph import StateGraph, ToolNode
from tenxgraph.core.state import AgentState, Message
from tenxgraph.core.state.message import TokenUsages
from tenxgraph.utils import END

from tests.parity.corpus import CASE, act, next_message, registered

INJECTED = frozenset({"state", "config", "tool_call_id"})


def scripted(scripts: dict[str, Any], tool_params: Sequence[str]) -> Any:
    """MAIN says what the scripts say, TOOL runs what it asks for."""

    async def main(state: AgentState, config: dict[str, Any]) -> Any:
        return next_message(scripts[config[CASE]]["turns"], state.context, Message, TokenUsages)

    def route(state: AgentState) -> str:
        return "TOOL" if state.context[-1].tools_calls else END

    tools = [_tool(name, calls, tool_params) for name, calls in registered(scripts).items()]
    graph = StateGraph()
    graph.add_node("MAIN", main)
    graph.add_node("TOOL", ToolNode(tools))
    graph.add_conditional_edges("MAIN", route, {"TOOL": "TOOL", END: END})
    graph.add_edge("TOOL", "MAIN")
    graph.set_entry_point("MAIN")
    return graph


def _tool(name: str, calls: dict[str, Any], extra: Sequence[str]) -> Any:
    """A function with every parameter that a call gives: 10xGraph reads its signature."""
    by_given = {_given(json.loads(args)): call for args, call in calls.items()}

    async def tool(**args: Any) -> Any:
        return await act(by_given[_given(args)])

    names = {each for args in calls for each in json.loads(args)} | set(extra)
    keyword = inspect.Parameter.KEYWORD_ONLY
    tool.__name__ = name
    tool.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # what inspect looks for
        [inspect.Parameter(each, keyword, default=NOT_GIVEN) for each in sorted(names)]
    )
    return tool


NOT_GIVEN: Any = "__not_given__"


def _given(args: dict[str, Any]) -> str:
    return json.dumps({k: v for k, v in args.items() if k not in INJECTED}, sort_keys=True)
