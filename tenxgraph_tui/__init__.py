"""Evaluate LLM agents from the terminal.

Every public name of `tenxgraph_tui.evaluation` is here too, imported on first use.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if not name.startswith("_"):
        from tenxgraph_tui import evaluation  # noqa: PLC0415 - importing the package does nothing

        if name in getattr(evaluation, "__all__", ()):
            return getattr(evaluation, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    from tenxgraph_tui import evaluation  # noqa: PLC0415 - importing the package does nothing

    return sorted({*globals(), *getattr(evaluation, "__all__", ())})
