"""What graphs of 10xGraph are built from: agents, whole and as nodes, and tools of a server."""
# Nodes and tools get their arguments by name, used or not.

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, Self

import pytest

from tenxgraph_tui.adapters import runnable_of
from tenxgraph_tui.evaluation.execution import ExecutionResult

pytest.importorskip("tenxgraph", reason="10xGraph is not installed (it needs Python 3.12)")

from tenxgraph.core.graph import Agent, ToolNode
from tenxgraph.prebuilt.agent import ReactAgent

from tenxgraph_tui.adapters.tenxgraph import TenxGraph
from tests.adapters.tenxgraphs import asks, loop_of, one_node, says

Hold = Callable[..., Awaitable[ExecutionResult]]


class Completions:
    """What a model's API answers: it asks for the weather once, then tells it."""

    def __init__(self) -> None:
        self.asked: list[list[dict[str, Any]]] = []

    async def create(self, **request: Any) -> Any:
        from openai.types.chat import ChatCompletion

        self.asked.append(request["messages"])
        told = request["messages"][-1]["role"] == "tool"
        call = {
            "id": "call_1",
            "type": "function",
            "function": {"name": "weather", "arguments": json.dumps({"city": "Oslo"})},
        }
        message = {"content": "3.5 °C"} if told else {"content": None, "tool_calls": [call]}
        return ChatCompletion.model_validate(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1,
                "model": "gpt-4o",
                "choices": [
                    {
                        "index": 0,
                        "finish_reason": "stop" if told else "tool_calls",
                        "message": {"role": "assistant", **message},
                    }
                ],
                "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
            }
        )


def weather(city: str) -> dict[str, Any]:
    """The weather of this moment."""
    return {"city": city, "celsius": 3.5}


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    return SimpleNamespace(chat=SimpleNamespace(completions=Completions()))


async def weather_is_told(hold: Hold, graph: Any) -> None:
    execution = await hold(graph, "How is Oslo?")

    assert [(c.name, c.args, c.result) for c in execution.tool_calls] == [
        ("weather", {"city": "Oslo"}, {"city": "Oslo", "celsius": 3.5})
    ]
    assert execution.actual_response == "3.5 °C"
    assert execution.node_visits == ["MAIN", "TOOL", "MAIN"]
    assert execution.token_usage.total_tokens == 24
    assert {reply.model for reply in execution.node_responses} == {"gpt-4o"}


async def test_an_agent_as_a_node(hold: Hold, api: Any) -> None:
    agent = Agent(model="gpt-4o", provider="openai", tool_node="TOOL")
    agent.client = api

    await weather_is_told(hold, loop_of([weather], main=agent))


async def test_a_prebuilt_agent(hold: Hold, api: Any) -> None:
    agent = ReactAgent(model="gpt-4o", provider="openai", tools=[weather])
    agent._agent.client = api

    await weather_is_told(hold, agent)


class Server:
    """A client of a tool server: it knows one tool, and fails when asked for another city."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        """It has nothing to close."""

    async def ping(self) -> bool:
        return True

    async def list_tools(self) -> list[Any]:
        schema = {"type": "object", "properties": {"city": {"type": "string"}}}
        return [SimpleNamespace(name="weather", description="", inputSchema=schema, meta=None)]

    async def call_tool(self, name: str, args: dict[str, Any]) -> Any:
        if args["city"] != "Oslo":
            raise LookupError(f"no station in {args['city']}")
        block = {"type": "text", "text": json.dumps({"celsius": 3.5})}
        return SimpleNamespace(content=[block])


async def test_tools_of_a_server(hold: Hold) -> None:
    tools = ToolNode([])
    tools._client = Server()  # its constructor wants the packages of a real one
    assert [each["function"]["name"] for each in await tools.all_tools()] == ["weather"]
    ask = asks(("weather", {"city": "Oslo"}), ("weather", {"city": "Rome"}))
    graph = loop_of([], ask, says("done"))
    graph.override_node("TOOL", tools)

    execution = await hold(graph, "hi")

    assert [(c.args, c.result, c.error) for c in execution.tool_calls] == [
        ({"city": "Oslo"}, {"celsius": 3.5}, None),
        ({"city": "Rome"}, None, "LookupError: no station in Rome"),
    ]


@pytest.mark.parametrize(
    ("found", "is_graph"),
    [
        pytest.param(one_node(lambda state: "hi"), True, id="a graph"),
        pytest.param(one_node(lambda state: "hi").compile(), True, id="a compiled graph"),
        pytest.param(ToolNode([weather]), False, id="a node"),
        pytest.param(says("hi"), False, id="a message"),
        pytest.param(type(says("hi")), False, id="a class"),
    ],
)
def test_what_is_a_graph(found: Any, is_graph: bool) -> None:
    runnable = runnable_of(found)

    assert isinstance(runnable, TenxGraph) if is_graph else runnable is None
