"""Which node comes after which."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from tenxgraph_tui.graph.constants import END, START
from tenxgraph_tui.graph.exceptions import GraphError
from tenxgraph_tui.graph.nodes import chosen
from tenxgraph_tui.graph.state import AgentState


@dataclass(frozen=True, slots=True)
class Branch:
    """A choice after a node: the condition names the next node, or a key of `path_map`."""

    condition: Callable[[Any], Any]
    path_map: dict[str, str] | None = None


@dataclass(slots=True)
class Routes:
    """The edges of a graph. Choices are asked first, in the order in which they were added."""

    edges: dict[str, str] = field(default_factory=dict)
    branches: dict[str, list[Branch]] = field(default_factory=dict)

    def connect(self, from_node: str, to_node: str) -> None:
        if self.edges.setdefault(from_node, to_node) != to_node:
            raise GraphError(
                f"node {from_node!r} has an edge to {self.edges[from_node]!r} already; one node "
                "runs at a time, so use add_conditional_edges to choose the next"
            )

    def branch(self, from_node: str, branch: Branch) -> None:
        self.branches.setdefault(from_node, []).append(branch)

    def copy(self) -> Routes:
        return Routes(dict(self.edges), {node: list(b) for node, b in self.branches.items()})

    def check(self, nodes: Iterable[str]) -> None:
        """Raise a `GraphError` for a graph without a beginning or with an edge to nowhere."""
        known = {*nodes, START, END}
        if START not in self.edges and START not in self.branches:
            raise GraphError("the graph has no entry point: call set_entry_point(NODE)")
        ends = [end for edge in self.edges.items() for end in edge]
        for source, branches in self.branches.items():
            ends += [source, *(to for b in branches for to in (b.path_map or {}).values())]
        for end in ends:
            if end not in known:
                raise GraphError(f"an edge names {end!r}, but there is no such node")

    async def after(self, node: str, state: AgentState, nodes: Iterable[str]) -> str:
        """The next node, or END.

        Raises:
            GraphError: a choice led nowhere.
        """
        answers: list[Any] = []
        for branch in self.branches.get(node, ()):
            answer = await chosen(branch.condition, state)
            answers.append(answer)
            if branch.path_map is None and answer is not None:
                return self._known(node, answer, nodes)
            if branch.path_map is not None and answer in branch.path_map:
                return branch.path_map[answer]
        if node in self.edges:
            return self.edges[node]
        if answers:
            raise GraphError(
                f"after node {node!r} the condition gave {answers[-1]!r}, which leads nowhere"
            )
        return END

    @staticmethod
    def _known(node: str, answer: Any, nodes: Iterable[str]) -> str:
        if answer == END or answer in nodes:
            return str(answer)
        raise GraphError(
            f"after node {node!r} the condition gave {answer!r}, but there is no such node"
        )
