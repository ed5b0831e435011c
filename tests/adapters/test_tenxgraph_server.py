"""Tools of a server of its own process, which 10xGraph asks over MCP."""
# Nodes and tools get their arguments by name, used or not.

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation.execution import ExecutionResult

pytest.importorskip("tenxgraph", reason="10xGraph is not installed (it needs Python 3.12)")
pytest.importorskip("fastmcp", reason="fastmcp is not installed")

import fastmcp
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from tenxgraph.core.graph import ToolNode
from tenxgraph.core.state import AgentState

from tests.adapters.tenxgraphs import asks, loop_of, says

pytestmark = pytest.mark.skipif(
    not fastmcp.__version__.startswith(("2.", "3.")),
    reason="10xGraph pings its servers, which those of fastmcp 4 do not answer",
)

Hold = Callable[..., Awaitable[ExecutionResult]]

SERVER = '''
from fastmcp import FastMCP

server = FastMCP("weather")


@server.tool
def weather(city: str) -> dict:
    """The weather of this moment."""
    if city != "Oslo":
        raise LookupError(f"no station in {city}")
    return {"city": city, "celsius": 3.5}


@server.tool
def stations() -> list[str]:
    return ["Oslo", "Bergen"]


@server.tool
def greet(name: str) -> str:
    return f"Good day, {name}"


server.run(show_banner=False)
'''


async def test_what_tools_of_a_server_return_and_raise_is_recorded(
    hold: Hold, tmp_path: Path
) -> None:
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    log = tmp_path / "log.txt"
    client = Client(StdioTransport(sys.executable, [str(tmp_path / "server.py")], log_file=log))
    tools = ToolNode([], client=client)
    ask = asks(
        ("weather", {"city": "Oslo"}),
        ("weather", {"city": "Rome"}),
        ("stations", {}),
        ("greet", {"name": "Ada"}),
        ("greet", {}),
        ("forecast", {}),
    )

    async def main(state: AgentState) -> Any:
        await tools.all_tools()  # as its agents do before they ask a model
        return says("done") if state.context[-1].role == "tool" else ask

    graph = loop_of([], main=main)
    graph.override_node("TOOL", tools)
    try:
        execution = await hold(graph, "hi")
    finally:
        await client.close()

    assert [(c.name, c.args, c.result) for c in execution.tool_calls] == [
        ("weather", {"city": "Oslo"}, {"city": "Oslo", "celsius": 3.5}),
        ("weather", {"city": "Rome"}, None),
        ("stations", {}, ["Oslo", "Bergen"]),
        ("greet", {"name": "Ada"}, "Good day, Ada"),
        ("greet", {}, None),
        ("forecast", {}, None),
    ]
    told = [call.error or "" for call in execution.tool_calls]
    assert [*map(bool, told)] == [False, True, False, False, True, True]
    assert told[1] == "ToolError: Error calling tool 'weather': no station in Rome"
    assert "name" in told[4]
    assert told[5] == "Tool 'forecast' not found."
    assert execution.node_visits == ["MAIN", "TOOL", "MAIN"]
    assert execution.actual_response == "done"
