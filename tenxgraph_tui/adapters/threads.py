"""Running an agent's blocking code beside the loop; the graph runtime does it the same way."""

from __future__ import annotations

from tenxgraph_tui.graph.threads import (
    AgentThread,
    AgentThreads,
    as_error,
    in_thread,
    is_async,
    is_cancelled,
)

__all__ = ["AgentThread", "AgentThreads", "as_error", "in_thread", "is_async", "is_cancelled"]
