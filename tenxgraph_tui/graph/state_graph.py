"""A graph while it is put together: nodes, edges, and where it begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self

from tenxgraph_tui.graph.callbacks import CallbackManager
from tenxgraph_tui.graph.checkpointer import Checkpointer
from tenxgraph_tui.graph.compiled import CompiledGraph
from tenxgraph_tui.graph.constants import END, START
from tenxgraph_tui.graph.exceptions import GraphError
from tenxgraph_tui.graph.nodes import Node, NodeFunction, node_of
from tenxgraph_tui.graph.routes import Branch, Routes
from tenxgraph_tui.graph.state import AgentState, StateT
from tenxgraph_tui.graph.tools import ToolNode


class StateGraph(Generic[StateT]):
    """Nodes that read and change a state, and edges between them.

    `state` is a state class or a prototype of the state that every new thread begins with; without
    it, an `AgentState`.
    """

    def __init__(self, state: StateT | type[StateT] | None = None) -> None:
        self._prototype: Any = _prototype(state)
        self._nodes: dict[str, Node] = {}
        self._routes = Routes()

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes, in the order in which they were added."""
        return tuple(self._nodes)

    def add_node(
        self, name_or_func: str | NodeFunction, func: NodeFunction | ToolNode | None = None
    ) -> Self:
        """Add a node under a name, or a function under its own.

        A node takes (state) or (state, config) and returns a `Message`, a text, a list of them, the
        state, or None for no message. One that is not async runs in a thread of its own.

        Raises:
            GraphError: the name is taken or reserved, or that is no node.
        """
        if isinstance(name_or_func, str):
            name, function = name_or_func, func
        else:
            name, function = getattr(name_or_func, "__name__", ""), name_or_func
        if not name or name in {START, END} or function is None:
            raise GraphError(f"write add_node(NAME, FUNCTION); {name!r} cannot be a node")
        if name in self._nodes:
            raise GraphError(f"there is a node {name!r} already; override_node replaces one")
        self._nodes[name] = node_of(name, function)
        return self

    def override_node(self, name: str, func: NodeFunction | ToolNode) -> Self:
        """Put another function in the place of a node, for tests.

        Raises:
            GraphError: there is no such node.
        """
        if name not in self._nodes:
            raise GraphError(f"there is no node {name!r}; the nodes are: {', '.join(self._nodes)}")
        self._nodes[name] = node_of(name, func)
        return self

    def add_edge(self, from_node: str, to_node: str) -> Self:
        """Go from one node to another; from START sets the entry point, to END ends the run.

        Raises:
            GraphError: the node has an edge to another node already.
        """
        self._routes.connect(from_node, to_node)
        return self

    def add_conditional_edges(
        self,
        from_node: str,
        condition: Callable[[Any], Any],
        path_map: dict[str, str] | None = None,
    ) -> Self:
        """Ask `condition(state)` where to go: it gives a node or END, or a key of `path_map`.

        What is no key of `path_map` goes along the node's plain edge; without one it is an error.
        """
        self._routes.branch(from_node, Branch(condition, path_map))
        return self

    def set_entry_point(self, node_name: str) -> Self:
        """Begin with this node.

        Raises:
            GraphError: the graph begins elsewhere already.
        """
        return self.add_edge(START, node_name)

    def compile(
        self,
        checkpointer: Checkpointer[StateT] | None = None,
        callback_manager: CallbackManager | None = None,
    ) -> CompiledGraph[StateT]:
        """A graph that can run. Without a checkpointer every run begins with an empty conversation.

        Later changes to this object do not reach what was compiled.

        Raises:
            GraphError: there is no entry point, or an edge names no node.
        """
        self._routes.check(self._nodes)
        return CompiledGraph(
            self._prototype,
            checkpointer,
            nodes=self._nodes,
            routes=self._routes.copy(),
            callback_manager=callback_manager or CallbackManager(),
        )


def _prototype(state: Any) -> AgentState:
    if state is None:
        return AgentState()
    made = state() if isinstance(state, type) else state
    if not isinstance(made, AgentState):
        raise GraphError(f"the state of a graph is an AgentState, not {state!r}")
    return made
