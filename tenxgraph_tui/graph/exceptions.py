"""What goes wrong in a graph itself, as opposed to in the code of its nodes."""

from __future__ import annotations

from tenxgraph_tui.errors import TenxError


class GraphError(TenxError):
    """A graph is put together wrongly, or a node returned something that is no message."""


class GraphRecursionError(GraphError):
    """A run did not reach the end within `config["recursion_limit"]` steps."""
