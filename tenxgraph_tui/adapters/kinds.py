"""Whose an object is, told by the modules of its classes: nothing is imported to find out."""

from __future__ import annotations

from typing import Any


def is_tenxgraphs(found: Any) -> bool:
    """Whether an object is of 10xGraph's own kinds, or of a user's subclass of one."""
    return _is_of("tenxgraph", found)


def is_langgraphs(found: Any) -> bool:
    """Whether an object is of LangGraph's own kinds, or of a user's subclass of one."""
    return _is_of("langgraph", found)


def is_langchains(found: Any) -> bool:
    """Whether an object is of the kinds that LangGraph and LangChain share: messages, models."""
    return _is_of("langchain_core", found)


def _is_of(package: str, found: Any) -> bool:
    return any(kind.__module__.split(".")[0] == package for kind in type(found).__mro__)
