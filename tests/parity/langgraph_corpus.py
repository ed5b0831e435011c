"""An agent of LangGraph that plays scripts; import it only where that package is there."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import StructuredTool
from langgraph.graph import END, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from tests.parity.corpus import CASE, act, next_message, registered

ROLES = {"human": "user", "ai": "assistant"}


def scripted(scripts: dict[str, Any]) -> Any:
    """MAIN says what the scripts say, TOOL runs what it asks for."""

    async def main(state: dict[str, Any], config: RunnableConfig) -> dict[str, Any]:
        turns = scripts[config["configurable"][CASE]]["turns"]
        context = [SimpleNamespace(role=ROLES.get(each.type)) for each in state["messages"]]
        return {"messages": [_spoken(next_message(turns, context, SAID, dict))]}

    graph = StateGraph(MessagesState)
    tools = [_tool(name, calls) for name, calls in registered(scripts).items()]
    graph.add_node("MAIN", main)
    graph.add_node("TOOL", ToolNode(tools, handle_tool_errors=True))
    graph.add_conditional_edges("MAIN", tools_condition, {"tools": "TOOL", END: END})
    graph.add_edge("TOOL", "MAIN")
    graph.set_entry_point("MAIN")
    return graph


SAID = SimpleNamespace(
    text_message=lambda text, role: SimpleNamespace(text=text, tools_calls=[], usages=None)
)


def _spoken(said: Any) -> BaseMessage:
    requests = [
        {
            "id": call["id"],
            "name": call["function"]["name"],
            "args": json.loads(call["function"]["arguments"]),
        }
        for call in said.tools_calls
    ]
    usage = said.usages and {
        "input_tokens": said.usages["prompt_tokens"],
        "output_tokens": said.usages["completion_tokens"],
        "total_tokens": said.usages["total_tokens"],
    }
    return AIMessage(said.text, tool_calls=requests, usage_metadata=usage)


def _tool(name: str, calls: dict[str, Any]) -> Any:
    """Its result is an artifact as well: the model is told a text, also of a number."""

    async def tool(**args: Any) -> tuple[str, Any]:
        result = await act(calls[json.dumps(args, sort_keys=True)])
        return json.dumps(result), result

    names = {each for args in calls for each in json.loads(args)}
    return StructuredTool(
        name=name,
        description=name,
        args_schema={"type": "object", "properties": {each: {} for each in sorted(names)}},
        coroutine=tool,
        response_format="content_and_artifact",
    )
