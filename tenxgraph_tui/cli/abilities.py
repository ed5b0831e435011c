"""Which kinds of target can be evaluated with what is installed, and what the others need."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from tenxgraph_tui.session.interpreter import Installed, installed

NEEDED = ("pydantic", "rich", "litellm", "rouge_score", "jinja2", "dotenv", "tenacity", "json5")
"""The modules that runs use: whatever interpreter they have needs all of them."""
OF_THE_DASHBOARD = ("textual", "watchfiles")
"""What is used beside them, under our own interpreter."""
EXTRAS = {
    "graphs of 10xGraph": ("tenxgraph", ("tenxgraph",)),
    "graphs of LangGraph": ("langgraph", ("langgraph",)),
    "agents behind HTTP": ("http", ("httpx", "jmespath")),
}
"""Kinds of target: the extra that they need, and the modules in it."""
OLDEST_FOR_TENXGRAPH = (3, 12)


def installed_for(python: str) -> Installed | None:
    """What an interpreter has of all that targets need; None where it does not answer."""
    names = (*NEEDED, *(name for _, modules in EXTRAS.values() for name in modules))
    return installed(python, names)


def targets_usable(there: Installed) -> Iterator[tuple[str, str]]:
    """Each kind of target, and `usable` or how it becomes so under the agents' interpreter."""
    yield "Python functions", "usable"
    for kind, (extra, modules) in EXTRAS.items():
        missing = there.without(modules)
        yield kind, _remedy(there, extra, missing) if missing else "usable"
    judged = there.without(["litellm"])
    yield "models", f"litellm missing: {_install(there.python)}" if judged else "usable"
    yield "recordings", "usable"


def what_is_missing(error: BaseException) -> str | None:
    """That a package of ours is not installed here, and how it is; None for any other error."""
    if not isinstance(error, ModuleNotFoundError) or error.name is None:
        return None
    name = error.name.partition(".")[0]
    if name not in {*NEEDED, *OF_THE_DASHBOARD}:
        return None
    return f"{name} is missing in {sys.executable}: {_install(sys.executable)}"


def _install(python: str, extra: str = "") -> str:
    wanted = f"'tenxgraph-tui[{extra}]'" if extra else "tenxgraph-tui"
    return f"{python} -m pip install {wanted}"


def _remedy(there: Installed, extra: str, missing: Sequence[str]) -> str:
    if extra == "tenxgraph" and there.version < OLDEST_FOR_TENXGRAPH:
        return f"Python 3.12 is needed, this is {there.version[0]}.{there.version[1]}"
    named = " and ".join(missing)
    return f"{named} missing: {_install(there.python, extra)}"
