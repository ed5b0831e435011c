"""Small graphs of the real 10xGraph; import it only where that package is installed."""
# Nodes and tools get their arguments by name, used or not.

from __future__ import annotations

import json
from typing import Any

from tenxgraph.core.graph import StateGraph, ToolNode
from tenxgraph.core.graph.base_agent import BaseAgent
from tenxgraph.core.state import AgentState, Message, ToolResultBlock
from tenxgraph.utils import END


def asks(*calls: tuple[str, Any], ids: str = "") -> Message:
    names = ids.split() or [f"c{n}" for n in range(1, len(calls) + 1)]
    message = Message.text_message("", role="assistant")
    message.tools_calls = [
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
    return message


def says(text: str) -> Message:
    return Message.text_message(text, role="assistant")


def tool_says(*outputs: Any, is_error: bool = False) -> Message:
    blocks = [ToolResultBlock(call_id="c1", output=out, is_error=is_error) for out in outputs]
    return Message.tool_message(blocks)


def loop_of(tools: list[Any], *answers: Any, state: Any = None, main: Any = None) -> Any:
    """MAIN gives one answer a visit; TOOL runs what it asks for."""

    def play(state: AgentState) -> Any:
        return answers[sum(m.role == "assistant" for m in state.context)]

    def route(state: AgentState) -> str:
        return "TOOL" if state.context[-1].tools_calls else END

    graph = StateGraph(state)
    graph.add_node("MAIN", main or play)
    graph.add_node("TOOL", ToolNode(tools))
    graph.set_entry_point("MAIN")
    graph.add_conditional_edges("MAIN", route, {"TOOL": "TOOL", END: END})
    graph.add_edge("TOOL", "MAIN")
    return graph


def one_node(func: Any, state: Any = None) -> Any:
    graph = StateGraph(state)
    graph.add_node("MAIN", func)
    graph.set_entry_point("MAIN")
    graph.add_edge("MAIN", END)
    return graph


class Scripted(BaseAgent):  # type: ignore[misc]  # untyped where it is not installed
    """A model's node: one answer a visit."""

    def __init__(self, *answers: Any) -> None:
        super().__init__(model="scripted")
        self.answers = answers

    async def _call_llm(self, *args: Any, **named: Any) -> Any:
        raise NotImplementedError

    async def execute(self, state: Any, config: Any) -> Any:
        return Reply(self.answers[sum(m.role == "assistant" for m in state.context)])


class Reply:
    def __init__(self, message: Any) -> None:
        self.message = message

    async def invoke(self) -> Any:
        return self.message
