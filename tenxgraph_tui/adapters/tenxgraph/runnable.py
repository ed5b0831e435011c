"""A graph of 10xGraph as an agent under evaluation."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from tenxgraph.core.graph import CompiledGraph
from tenxgraph.utils import ResponseGranularity

from tenxgraph_tui.adapters.messages import to_dicts
from tenxgraph_tui.adapters.port import Answer, MessageDict, Observer
from tenxgraph_tui.adapters.tenxgraph.messages import ours, theirs
from tenxgraph_tui.adapters.tenxgraph.private import container_of, guard, within
from tenxgraph_tui.adapters.tenxgraph.relaying import Listener, tell_of_runs
from tenxgraph_tui.adapters.tenxgraph.watching import forget, observe, tell_rest
from tenxgraph_tui.adapters.turns import ordinary_errors, warn_of_unknown
from tenxgraph_tui.errors import AlreadyCompiledError, TargetError


class TenxGraph:
    """Implements `Runnable` over what `graph_of` knows. What is not compiled yet is compiled.

    It is run with `ainvoke`, which tells more than streaming does: tokens, and tool calls whole.
    """

    def __init__(self, found: Any) -> None:
        self._app: Any = found if isinstance(found, CompiledGraph) else found.compile()
        self._container = container_of(self._app)
        observe(self._app)

    @property
    def has_memory(self) -> bool:
        """See `Runnable`: 10xGraph compiles no graph without a checkpointer."""
        return True

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
            TargetError: the graph paused for somebody to answer, or takes no such message.
        """
        if state:
            fields = self._app.generate_graph()["info"]["state_fields"]
            warn_of_unknown(state, fields, observer)
        sent = [theirs(message) for message in messages]
        given = {"messages": sent, "state": dict(state)}
        guard(self._app)  # every time: a node may have been overridden
        try:
            answer = await self._run(given, {**config, "run_id": observer.run_id})
            ids = {message.message_id for message in sent}
            new = [ours(each) for each in answer["messages"] if each.message_id not in ids]
            tell_rest(observer, new)
        finally:
            forget(observer.run_id)
        return Answer(tuple(told for each in new for told in to_dicts(each)))

    async def _run(self, given: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
        with ordinary_errors(), within(self._container):
            answer: dict[str, Any] = await self._app.ainvoke(
                given, config, ResponseGranularity.FULL
            )
        _refuse_pause(answer.get("state"))
        return answer


def _refuse_pause(state: Any) -> None:
    if state is not None and state.is_interrupted():
        node = state.execution_meta.interrupted_node
        raise TargetError(
            f"the graph paused at {node} and waits for somebody to answer: an evaluation cannot; "
            "compile it without interrupts, or override the node"
        )


def graph_of(found: Any) -> TenxGraph | None:
    """The agent that an object of 10xGraph's is: a graph, or what compiles to one; else None.

    Prebuilt agents are no graphs themselves but have the `compile` of one.
    """
    if isinstance(found, CompiledGraph) or _compiles(found):
        return TenxGraph(found)
    return None


def compiled_for(graph: Any, listener: Listener) -> Any:
    """An uncompiled graph compiled, with `listener` told of every run of it.

    Raises:
        AlreadyCompiledError: the graph is compiled; give the one it was compiled from.
        TargetError: it is no graph.
    """
    if isinstance(graph, CompiledGraph):
        raise AlreadyCompiledError(
            "create_eval_app needs the uncompiled StateGraph; this one is compiled already"
        )
    if not _compiles(graph):
        raise TargetError(f"create_eval_app needs a StateGraph, not {type(graph).__qualname__}")
    app = graph.compile()
    observe(app)
    tell_of_runs(app, listener)
    return app


def _compiles(found: Any) -> bool:
    method = getattr(found, "compile", None)
    if method is None or not callable(method):
        return False
    needed = [
        each
        for each in inspect.signature(method).parameters.values()
        if each.default is each.empty and each.kind not in {each.VAR_KEYWORD, each.VAR_POSITIONAL}
    ]
    return not needed
