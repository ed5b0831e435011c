"""Any agent that is an object in this process, as the port that the evaluation runs.

Each kind has a module of its own, imported only for an object of that kind.
"""

from __future__ import annotations

from typing import Any

from tenxgraph_tui.adapters.kinds import is_langgraphs, is_tenxgraphs
from tenxgraph_tui.adapters.port import Runnable


def runnable_of(found: Any) -> Runnable | None:
    """The agent that an object is: a graph, else anything that can be called, else None.

    A class is None: calling it would make an agent, not answer a turn.
    """
    if isinstance(found, type):
        return None
    if any(kind.__module__.startswith("tenxgraph_tui.graph") for kind in type(found).__mro__):
        return _embedded(found)
    if is_tenxgraphs(found):
        return _tenxgraph(found)
    if is_langgraphs(found):
        return _langgraph(found)
    if callable(found):
        from tenxgraph_tui.adapters.callables import CallableAgent

        return CallableAgent(found)
    return None


def _embedded(found: Any) -> Runnable | None:
    from tenxgraph_tui.adapters.embedded import EmbeddedGraph
    from tenxgraph_tui.graph import CompiledGraph, StateGraph

    return EmbeddedGraph(found) if isinstance(found, (StateGraph, CompiledGraph)) else None


def _tenxgraph(found: Any) -> Runnable | None:
    from tenxgraph_tui.adapters.tenxgraph import graph_of

    return graph_of(found)


def _langgraph(found: Any) -> Runnable | None:
    from tenxgraph_tui.adapters.langgraph import graph_of

    return graph_of(found)
