from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tenxgraph_tui.adapters import runnable_of
from tenxgraph_tui.adapters.callables import CallableAgent
from tenxgraph_tui.adapters.embedded import EmbeddedGraph
from tenxgraph_tui.graph import END, AgentState, Message, StateGraph, ToolNode


class MyGraph(StateGraph[AgentState]):
    """A user's own kind of graph."""


def graph(kind: type[StateGraph[AgentState]] = StateGraph) -> StateGraph[AgentState]:
    node = kind().add_node("A", lambda state: str(len(state.context)))
    return node.set_entry_point("A").add_edge("A", END)


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        pytest.param(graph(), EmbeddedGraph, id="a graph"),
        pytest.param(graph().compile(), EmbeddedGraph, id="a compiled graph"),
        pytest.param(graph(MyGraph), EmbeddedGraph, id="a graph of a subclass"),
        pytest.param(len, CallableAgent, id="a function"),
        pytest.param(MyGraph, None, id="a class"),
        pytest.param(ToolNode([]), None, id="a node"),
        pytest.param(Message.text_message("x"), None, id="a message"),
        pytest.param("agents.py:app", None, id="a text"),
        pytest.param(None, None, id="nothing"),
    ],
)
def test_runnable_of(found: Any, kind: type[Any] | None) -> None:
    runnable = runnable_of(found)
    assert (type(runnable) if runnable is not None else None) is kind


def test_the_adapters_load_no_framework() -> None:
    probe = (
        "import sys; from tenxgraph_tui.adapters import runnable_of; runnable_of(len);"
        "frameworks = {'textual', 'rich', 'litellm', 'numpy', 'langgraph', 'tenxgraph', 'injectq'};"
        "print(sorted(frameworks & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
