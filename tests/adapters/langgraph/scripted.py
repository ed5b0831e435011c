"""A chat model of LangChain's that says what a test has it say, and a graph around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.graph import END, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition


class Scripted(BaseChatModel):  # type: ignore[misc]  # untyped: it may not be installed
    """Answers what the user said last by `script`: one message for each time that it is asked."""

    script: dict[str, list[AIMessage]]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **more: Any) -> Scripted:
        return self

    def _generate(
        self,
        messages: Sequence[BaseMessage],
        stop: Any = None,
        run_manager: Any = None,
        **more: Any,
    ) -> ChatResult:
        asked = max(index for index, message in enumerate(messages) if message.type == "human")
        done = sum(message.type == "ai" for message in messages[asked:])
        answer = self.script[messages[asked].text][done].model_copy()
        return ChatResult(generations=[ChatGeneration(message=answer)])


def says(
    text: str = "", *calls: tuple[str, dict[str, Any]], ids: str = "", **more: Any
) -> AIMessage:
    """An answer that took 10 tokens in and 2 out, with requests for tools `call_1`, `call_2`, …"""
    names = ids.split() or [f"call_{number}" for number in range(1, len(calls) + 1)]
    requests = [
        {"id": call_id, "name": name, "args": args}
        for call_id, (name, args) in zip(names, calls, strict=True)
    ]
    usage = {"input_tokens": 10, "output_tokens": 2, "total_tokens": 12}
    return AIMessage(**{"content": text, "tool_calls": requests, "usage_metadata": usage, **more})


def loop_of(
    tools: Sequence[Callable[..., Any]],
    script: dict[str, list[AIMessage]],
    *,
    model: Scripted | None = None,
    **options: Any,
) -> Any:
    """MAIN asks the model, TOOL runs what it asks for; `options` are those of the tool node."""
    asked = model or Scripted(script=script)

    async def main(state: dict[str, Any]) -> dict[str, Any]:
        return {"messages": [await asked.ainvoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("MAIN", main)
    graph.add_node("TOOL", ToolNode(list(tools), **options))
    graph.set_entry_point("MAIN")
    graph.add_conditional_edges("MAIN", tools_condition, {"tools": "TOOL", END: END})
    graph.add_edge("TOOL", "MAIN")
    return graph


def graph_of(*nodes: Callable[..., Any], state: Any = MessagesState) -> Any:
    """The nodes one after the other, under the names of the functions."""
    graph = StateGraph(state)
    for node in nodes:
        graph.add_node(node.__name__, node)
    names = [node.__name__ for node in nodes]
    graph.set_entry_point(names[0])
    for one, other in zip(names, [*names[1:], END], strict=True):
        graph.add_edge(one, other)
    return graph
