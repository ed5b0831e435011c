# Nodes, tools and callbacks get their arguments by name, used or not.
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tenxgraph_tui.graph import END, START, AgentState, GraphError, StateGraph, ToolNode


def speak(state: AgentState) -> str:
    return f"{len(state.context)} before"


def by_position(state: AgentState, /) -> str:
    return speak(state)


def one_node() -> StateGraph[AgentState]:
    return StateGraph().add_node("MAIN", speak).set_entry_point("MAIN").add_edge("MAIN", END)


@pytest.mark.parametrize(
    ("build", "said"),
    [
        pytest.param(
            lambda: StateGraph().add_node("A", speak).compile(),
            "no entry point: call set_entry_point",
            id="no beginning",
        ),
        pytest.param(
            lambda: one_node().add_edge("MAIN", "B"), "has an edge to '__end__' already", id="fork"
        ),
        pytest.param(
            lambda: StateGraph().add_node("A", speak).add_edge(START, "B").compile(),
            "names 'B', but there is no such node",
            id="edge to nowhere",
        ),
        pytest.param(
            lambda: one_node().add_conditional_edges("MAIN", lambda s: s, {"x": "TOOLS"}).compile(),
            "names 'TOOLS'",
            id="choice to nowhere",
        ),
        pytest.param(
            lambda: one_node().add_node("MAIN", speak), "a node 'MAIN' already", id="name taken"
        ),
        pytest.param(
            lambda: StateGraph().add_node(END, speak), "'__end__' cannot be a node", id="reserved"
        ),
        pytest.param(
            lambda: StateGraph().add_node("A", 3),  # type: ignore[arg-type]  # what is tested
            "a node is a function or a ToolNode",
            id="no function",
        ),
        pytest.param(
            lambda: StateGraph().add_node("A", lambda a, b, c: ""),
            "a node takes (state) or (state, config)",
            id="too many parameters",
        ),
        pytest.param(
            lambda: one_node().override_node("B", speak), "the nodes are: MAIN", id="override"
        ),
        pytest.param(
            lambda: StateGraph(dict),  # type: ignore[type-var]  # what is tested
            "is an AgentState, not <class 'dict'>",
            id="a state of another kind",
        ),
        pytest.param(
            lambda: StateGraph().add_node("A", by_position),
            "node 'A' takes 'state' by position only",
            id="position",
        ),
        pytest.param(
            lambda: ToolNode([3]),  # type: ignore[list-item]  # what is tested
            "a tool is a function, not 3",
            id="a tool that is none",
        ),
        pytest.param(
            lambda: ToolNode([type]),
            "has no readable signature",
            id="a tool that cannot be read",
        ),
        pytest.param(lambda: ToolNode([speak, speak]), "two tools are called 'speak'", id="tools"),
    ],
)
def test_a_graph_put_together_wrongly_says_what_is_wrong(
    build: Callable[[], Any], said: str
) -> None:
    with pytest.raises(GraphError) as caught:
        build()
    assert said in str(caught.value)


def test_a_function_alone_is_a_node_of_its_own_name() -> None:
    assert StateGraph().add_node(speak).nodes == ("speak",)


def test_changes_after_compiling_do_not_reach_the_compiled_graph() -> None:
    graph = one_node()
    app = graph.compile()
    graph.add_node("B", speak)
    assert app.nodes == ("MAIN",)


def test_two_compiled_graphs_share_no_callbacks() -> None:
    graph = one_node()
    assert graph.compile().callback_manager is not graph.compile().callback_manager
