"""Small agents that tests of the library evaluate."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet, ToolCall
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.evaluation.testing.create import create_eval_app
from tenxgraph_tui.graph import END, AgentState, Message, StateGraph, ToolNode

QUIET = EvalPresets.quick_check()
QUIET.reporter.enabled = False


def graph_of(answer: Callable[[str], str]) -> StateGraph[AgentState]:
    """A graph whose one node answers the last message."""

    def main(state: AgentState) -> str:
        return answer(state.context[-1].text())

    graph = StateGraph[AgentState]()
    graph.add_node("MAIN", main)
    graph.set_entry_point("MAIN")
    graph.add_edge("MAIN", END)
    return graph


def saying(replies: Mapping[str, str | Exception]) -> tuple[Any, Any]:
    """A graph that gives each question its reply, and its collector."""

    def answer(question: str) -> str:
        reply = replies[question]
        if isinstance(reply, Exception):
            raise reply
        return reply

    return create_eval_app(graph_of(answer))


def weather_graph() -> StateGraph[AgentState]:
    """MAIN asks for the weather of the last word, TOOL looks it up, MAIN answers."""

    async def get_weather(city: str) -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"city": city, "sky": "clear"}

    def main(state: AgentState) -> Message:
        last = state.context[-1]
        if last.role == "tool":
            return Message.text_message("The sky is clear.", role="assistant")
        city = last.text().split()[-1]
        message = Message.text_message("", role="assistant")
        message.tools_calls = [
            {
                "id": "call_1",
                "type": "function",
                "function": {"name": "get_weather", "arguments": f'{{"city": "{city}"}}'},
            }
        ]
        return message

    def route(state: AgentState) -> str:
        return "TOOL" if state.context[-1].tools_calls else END

    graph = StateGraph[AgentState]()
    graph.add_node("MAIN", main)
    graph.add_node("TOOL", ToolNode([get_weather]))
    graph.add_conditional_edges("MAIN", route, {"TOOL": "TOOL", END: END})
    graph.add_edge("TOOL", "MAIN")
    graph.set_entry_point("MAIN")
    return graph


def weather_set(*cities: str) -> EvalSet:
    return EvalSet(
        eval_set_id="weather",
        eval_cases=[
            EvalCase.single_turn(
                city,
                f"How is {city}",
                "The sky is clear.",
                [ToolCall(name="get_weather", args={"city": city})],
            )
            for city in cities
        ],
    )


def files_in(folder: Path) -> list[Path]:
    """What lies in a folder."""
    return sorted(folder.iterdir())
