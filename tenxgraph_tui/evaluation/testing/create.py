"""`create_eval_app`: the shortest correct way to a graph that can be evaluated."""

from __future__ import annotations

from typing import Any

from tenxgraph_tui.adapters.kinds import is_tenxgraphs
from tenxgraph_tui.errors import AlreadyCompiledError, TargetError
from tenxgraph_tui.evaluation.collectors import (
    PublisherCallback,
    TrajectoryCollector,
    make_trajectory_callback,
)
from tenxgraph_tui.graph import CompiledGraph, InMemoryCheckpointer, StateGraph


def create_eval_app(graph: Any, *, capture_all_events: bool = True) -> tuple[Any, Any]:
    """Compile an uncompiled graph with a checkpointer and a collector: `(app, collector)`.

    The graph is one of the embedded runtime or of 10xGraph, or a prebuilt agent of the latter. One
    pair can be evaluated many times, also from several event loops in turn. `capture_all_events`
    keeps the raw events in `collector.events`.

    Raises:
        AlreadyCompiledError: the graph is compiled; give the one it was compiled from.
        TargetError: it is no graph.
    """
    collector = TrajectoryCollector(capture_all_events=capture_all_events)
    if is_tenxgraphs(graph):
        from tenxgraph_tui.adapters.tenxgraph import compiled_for

        return compiled_for(graph, PublisherCallback(collector)), collector
    if isinstance(graph, CompiledGraph):
        raise AlreadyCompiledError(
            "create_eval_app needs the uncompiled StateGraph; this one is compiled already"
        )
    if not isinstance(graph, StateGraph):
        raise TargetError(f"create_eval_app needs a StateGraph, not {type(graph).__qualname__}")
    collector, manager = make_trajectory_callback(collector)
    app: CompiledGraph[Any] = graph.compile(
        checkpointer=InMemoryCheckpointer(), callback_manager=manager
    )
    return app, collector
