"""A graph of the embedded runtime as an agent under evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tenxgraph_tui.adapters.messages import from_dict, other_blocks, to_dicts
from tenxgraph_tui.adapters.observing import observe
from tenxgraph_tui.adapters.port import Answer, MessageDict, Observer
from tenxgraph_tui.adapters.turns import ordinary_errors, warn_of_unknown
from tenxgraph_tui.graph.checkpointer import InMemoryCheckpointer
from tenxgraph_tui.graph.compiled import CompiledGraph
from tenxgraph_tui.graph.state_graph import StateGraph


class EmbeddedGraph:
    """Implements `Runnable`. An uncompiled graph is compiled with a memory of its own."""

    def __init__(self, graph: StateGraph[Any] | CompiledGraph[Any]) -> None:
        self._app: CompiledGraph[Any] = (
            graph.compile(checkpointer=InMemoryCheckpointer())
            if isinstance(graph, StateGraph)
            else graph
        )
        observe(self._app.callback_manager)

    @property
    def has_memory(self) -> bool:
        """See `Runnable`."""
        return self._app.checkpointer is not None

    async def invoke(
        self,
        messages: Sequence[MessageDict],
        config: Mapping[str, Any],
        observer: Observer,
        state: Mapping[str, Any],
    ) -> Answer:
        """See `Runnable`.

        Raises:
            Exception: what a node raised; `SystemExit` and the like as a `RuntimeError`.
        """
        warn_of_unknown(state, self._app.state_fields, observer)
        sent = [from_dict(message) for message in messages]
        if left_out := [kind for message in messages for kind in other_blocks(message)]:
            kinds = ", ".join(left_out)
            observer.warn(f"the embedded graph takes text only; left out of the message: {kinds}")
        with ordinary_errors():
            answer = await self._app.ainvoke(
                {"messages": sent, "state": dict(state)}, {**config, "run_id": observer.run_id}
            )
        new = answer["messages"][len(sent) :]
        return Answer(tuple(told for message in new for told in to_dicts(message)))
