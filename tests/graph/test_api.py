"""What 10xGraph calls by these names has these parameters there; what is left out is absent."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from tenxgraph_tui import graph
from tenxgraph_tui.graph import callbacks, events

RUN = "input_data config=None response_granularity=<ResponseGranularity.LOW: 'low'>"


@pytest.mark.parametrize(
    ("member", "parameters"),
    [
        ("StateGraph", "state=None"),
        ("StateGraph.add_node", "name_or_func func=None"),
        ("StateGraph.add_edge", "from_node to_node"),
        ("StateGraph.add_conditional_edges", "from_node condition path_map=None"),
        ("StateGraph.set_entry_point", "node_name"),
        ("StateGraph.override_node", "name func"),
        ("StateGraph.compile", "checkpointer=None callback_manager=None"),
        ("CompiledGraph.ainvoke", RUN),
        ("CompiledGraph.invoke", RUN),
        ("CompiledGraph.aclose", ""),
        ("CompiledGraph.override_node", "name func"),
        ("ToolNode", "tools"),
        ("ToolNode.add_tool", "tool"),
        ("ToolNode.invoke", "name args tool_call_id config state callback_manager=None"),
        ("Message.text_message", "content role='user' message_id=None"),
        ("Message.tool_message", "content message_id=None meta=None"),
        ("CallbackManager", ""),
        ("CallbackManager.register_before_invoke", "invocation_type callback"),
        ("CallbackManager.register_after_invoke", "invocation_type callback"),
        ("CallbackManager.register_on_error", "invocation_type callback"),
        ("CallbackManager.register_lifecycle_hook", "hook"),
        ("CallbackContext", "invocation_type node_name function_name=None metadata=None"),
        ("BasePublisher", "config"),
        ("InMemoryCheckpointer.aput_state", "config state"),
        ("InMemoryCheckpointer.aget_state", "config"),
    ],
)
def test_parameters(member: str, parameters: str) -> None:
    found: Any = graph
    for name in member.split("."):
        found = getattr(found, name)
    signature = inspect.signature(found)
    named = [p for p in signature.parameters.values() if p.name != "self"]
    shown = [
        p.name if p.default is inspect.Parameter.empty else f"{p.name}={p.default!r}" for p in named
    ]
    assert " ".join(shown) == parameters


def test_every_public_name_is_there_and_in_order() -> None:
    assert all(hasattr(graph, name) for name in graph.__all__)
    assert sorted(graph.__all__, key=lambda name: (not name.isupper(), name)) == graph.__all__


@pytest.mark.parametrize("home", [callbacks, events], ids=["callbacks", "events"])
def test_names_of_the_import_map_are_the_same_objects(home: Any) -> None:
    shared = [name for name in graph.__all__ if hasattr(home, name)]
    assert len(shared) >= 5
    assert all(getattr(home, name) is getattr(graph, name) for name in shared)
