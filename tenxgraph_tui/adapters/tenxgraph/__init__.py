"""10xGraph's own graphs as agents under evaluation; imported only for objects of that package."""

from __future__ import annotations

from tenxgraph_tui.adapters.tenxgraph.runnable import TenxGraph, graph_of

__all__ = ["TenxGraph", "graph_of"]
