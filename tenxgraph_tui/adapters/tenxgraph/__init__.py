"""10xGraph's own graphs as agents under evaluation; imported only for objects of that package."""

from __future__ import annotations

from tenxgraph_tui.adapters.tenxgraph.runnable import TenxGraph, compiled_for, graph_of

__all__ = ["TenxGraph", "compiled_for", "graph_of"]
