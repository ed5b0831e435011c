"""The words that graphs and their callers share: begin, end, and how much a run returns."""

from __future__ import annotations

from enum import StrEnum

START = "__start__"
END = "__end__"
DEFAULT_RECURSION_LIMIT = 25


class ResponseGranularity(StrEnum):
    """How much `ainvoke` returns: messages only; context and summary too; or the whole state."""

    FULL = "full"
    PARTIAL = "partial"
    LOW = "low"
