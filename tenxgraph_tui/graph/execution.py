"""One run of a graph, node by node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic

from tenxgraph_tui.errors import worded
from tenxgraph_tui.graph.callbacks import CallbackManager
from tenxgraph_tui.graph.constants import END, START
from tenxgraph_tui.graph.exceptions import GraphRecursionError
from tenxgraph_tui.graph.lifecycle import GraphLifecycleContext
from tenxgraph_tui.graph.messages import Message
from tenxgraph_tui.graph.nodes import Node, absorb
from tenxgraph_tui.graph.routes import Routes
from tenxgraph_tui.graph.state import StateT


class Execution(Generic[StateT]):
    """A run under way; `state` and `messages` are what it has reached so far."""

    def __init__(
        self,
        state: StateT,
        config: dict[str, Any],
        nodes: Mapping[str, Node],
        routes: Routes,
        callbacks: CallbackManager,
        messages: list[Message],
    ) -> None:
        self.state = state
        self.messages = list(messages)
        self._config = config
        self._nodes = nodes
        self._routes = routes
        self._callbacks = callbacks
        self._context = GraphLifecycleContext(config)
        self._step = 0
        self._node = START

    async def to_end(self, limit: int) -> None:
        """Run every node until END.

        Raises:
            GraphRecursionError: END was not reached within `limit` steps, START being the first.
            Exception: what a node raised.
        """
        context, callbacks = self._context, self._callbacks
        self.state = await callbacks.fire_on_graph_start(context, self.state)
        try:
            await self._loop(limit)
        except Exception as error:
            self.state.error(worded(error))
            self.state, _ = await callbacks.fire_on_graph_error(
                context, error, self.state, self.messages, self._step, self._node
            )
            raise
        self.state.complete()
        self.state.set_current_node(END)
        self.state = await callbacks.fire_on_graph_end(
            context, self.state, self.messages, self._step
        )

    async def _loop(self, limit: int) -> None:
        node = await self._routes.after(START, self.state, self._nodes)
        while node != END:
            self._step += 1
            if self._step >= limit:
                raise GraphRecursionError(
                    f"the graph did not reach its end within recursion_limit={limit} steps; "
                    f"the last node was {self._node!r}, the next {node!r}"
                )
            self._node = node
            try:
                await self._visit(self._nodes[node])
                node = await self._routes.after(node, self.state, self._nodes)
            except Exception as error:
                error.add_note(f"in node {self._node!r} (step {self._step})")
                raise

    async def _visit(self, node: Node) -> None:
        state, context = self.state, self._context
        state.set_current_node(node.name)
        state.advance_step()
        config = {**self._config, "_node_name": node.name, "_step": self._step}
        before = list(state.context)
        watched = self._callbacks.has_lifecycle_hooks
        if watched:
            await self._callbacks.fire_on_node_start(context, node.name, state, self._step)
        result = await node.run(state, config, self._callbacks)
        self.state, new = absorb(node.name, state, before, result)
        self.messages += new
        if watched:
            old = state.model_copy(update={"context": before})
            self.state = await self._callbacks.fire_on_state_update(
                context, node.name, old, self.state, self._step
            )
