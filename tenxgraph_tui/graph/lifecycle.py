"""Hooks into the run of a whole graph: its start, its end, and every node on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from tenxgraph_tui.graph.messages import Message
from tenxgraph_tui.graph.state import StateT


@dataclass
class GraphLifecycleContext:
    """The config of the run that a hook is told about."""

    config: dict[str, Any]

    @property
    def thread_id(self) -> str:
        """The thread of conversation; "" when there is none."""
        return str(self.config.get("thread_id", ""))

    @property
    def run_id(self) -> str:
        """The id of this run; "" when there is none."""
        return str(self.config.get("run_id", ""))


class GraphLifecycleHook(Generic[StateT]):
    """Override what you need. A hook that raises is logged and changes nothing.

    Where a state may be returned, it takes the place of the one given; None keeps that.
    """

    async def on_graph_start(self, context: GraphLifecycleContext, state: StateT) -> StateT | None:
        """The state is loaded and no node has run yet."""

    async def on_graph_end(
        self,
        context: GraphLifecycleContext,
        final_state: StateT,
        messages: list[Message],
        total_steps: int,
    ) -> StateT | None:
        """The end was reached; `messages` are those of this run, its input included."""

    async def on_graph_error(
        self,
        context: GraphLifecycleContext,
        error: Exception,
        partial_state: StateT,
        messages: list[Message],
        step: int,
        node_name: str,
    ) -> tuple[StateT, str] | None:
        """A node raised, or the run was too long. The error is raised in any case."""

    async def on_node_start(
        self, context: GraphLifecycleContext, node_name: str, state: StateT, step: int
    ) -> None:
        """A node is about to run. Steps count from 1 in every run."""

    async def on_state_update(
        self,
        context: GraphLifecycleContext,
        node_name: str,
        old_state: StateT,
        new_state: StateT,
        step: int,
    ) -> StateT | None:
        """A node has run. `old_state` has the messages that were there before it."""
