"""Evaluate LLM agents from the terminal.

Every public name of `tenxgraph_tui.evaluation` is here too, imported on first use.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if not name.startswith("_"):
        evaluation = _library()
        if name == "evaluation":
            return evaluation
        if name in getattr(evaluation, "__all__", ()):
            return getattr(evaluation, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *getattr(_library(), "__all__", ())})


def _library() -> Any:
    # `from tenxgraph_tui import evaluation` would ask `__getattr__` for it first, without end.
    return importlib.import_module(f"{__name__}.evaluation")
