"""Small graphs that the tests of the runtime share."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tenxgraph_tui.graph import END, AgentState, Message, StateGraph, ToolNode

Requests = Callable[..., Message]
Loop = Callable[..., StateGraph[AgentState]]


@pytest.fixture
def asks() -> Requests:
    """`asks(("name", {...}), ...)`: an assistant message that requests tools, ids c1, c2, …"""

    def message(*calls: tuple[str, Any], ids: str = "") -> Message:
        names = ids.split() or [f"c{n}" for n in range(1, len(calls) + 1)]
        made = Message.text_message("", role="assistant")
        made.tools_calls = [
            {
                "id": call_id,
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": args if isinstance(args, str) else json.dumps(args),
                },
            }
            for call_id, (name, args) in zip(names, calls, strict=True)
        ]
        return made

    return message


@pytest.fixture
def loop_of() -> Loop:
    """`loop_of(tools, *answers)`: MAIN gives one answer a visit; TOOL runs what it asks for."""

    def graph(tools: list[Callable[..., Any]], *answers: Any) -> StateGraph[AgentState]:
        def main(state: AgentState) -> Any:
            said = sum(m.role == "assistant" for m in state.context)
            return answers[said]

        def route(state: AgentState) -> str:
            return "TOOL" if state.context[-1].tools_calls else END

        return (
            StateGraph()
            .add_node("MAIN", main)
            .add_node("TOOL", ToolNode(tools))
            .set_entry_point("MAIN")
            .add_conditional_edges("MAIN", route, {"TOOL": "TOOL", END: END})
            .add_edge("TOOL", "MAIN")
        )

    return graph
