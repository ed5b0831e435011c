"""LangGraph's own graphs as agents under evaluation; imported only for objects of that package."""

from __future__ import annotations

from tenxgraph_tui.adapters.langgraph.runnable import LangGraph, graph_of

__all__ = ["LangGraph", "graph_of"]
