"""Which kinds of target can be evaluated with what is installed here, and what the others need."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec

NEEDS = {
    "graphs of 10xGraph": ("tenxgraph", ("tenxgraph",)),
    "graphs of LangGraph": ("langgraph", ("langgraph",)),
    "agents behind HTTP": ("http", ("httpx", "jmespath")),
}
"""Kinds of target: the extra that they need, and the modules in it."""
OLDEST_FOR_TENXGRAPH = (3, 12)


def targets_usable() -> Iterator[tuple[str, str]]:
    """Each kind of target, and `usable` or how it becomes so under this interpreter."""
    yield "Python functions", "usable"
    for kind, (extra, modules) in NEEDS.items():
        missing = [name for name in modules if find_spec(name) is None]
        yield kind, _remedy(extra, missing) if missing else "usable"
    yield "models", "usable" if find_spec("litellm") is not None else "litellm is missing"
    yield "recordings", "usable"


def _remedy(extra: str, missing: list[str]) -> str:
    if extra == "tenxgraph" and sys.version_info < OLDEST_FOR_TENXGRAPH:
        return f"Python 3.12 is needed, this is {sys.version_info.major}.{sys.version_info.minor}"
    named = " and ".join(missing)
    return f"{named} missing: {sys.executable} -m pip install 'tenxgraph-tui[{extra}]'"
