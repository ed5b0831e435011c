"""Whose an object is, told by the modules of its classes: nothing is imported to find out."""

from __future__ import annotations

from typing import Any


def is_tenxgraphs(found: Any) -> bool:
    """Whether an object is of 10xGraph's own kinds, or of a user's subclass of one."""
    return any(kind.__module__.split(".")[0] == "tenxgraph" for kind in type(found).__mro__)
