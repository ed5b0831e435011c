"""What a project does around a run and its cases: `before_run`, `before_case`, `after_case`."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tenxgraph_tui.errors import ConfigError, worded
from tenxgraph_tui.evaluation.heldtime import from_here
from tenxgraph_tui.evaluation.places import place_in_code

Hook = Callable[..., Any]

SIGNATURES = {"before_run": "()", "before_case": "(case)", "after_case": "(case, result)"}
"""The hooks there are, and what they take: an `EvalCase`, an `EvalCaseResult`."""


@dataclass(slots=True)
class FileHooks:
    """The hooks of one file; `before_run` is called once, however many sets lie below it."""

    before_run: Hook | None = None
    before_case: Hook | None = None
    after_case: Hook | None = None
    has_begun: bool = False


class Hooks:
    """The hooks around one eval set; `files` go from the outermost folder to the innermost.

    Hooks may be async. Everything waits for `before_run`; see `Around` for the others.
    """

    def __init__(self, files: Sequence[FileHooks] = ()) -> None:
        self.files = files

    def begin(self) -> None:
        """Call every `before_run` that was not called yet, on the main thread, without a loop.

        Raises:
            ConfigError: one raised, whatever it was; one line with file and line.
        """
        for each in self.files:
            if each.before_run is None or each.has_begun:
                continue
            each.has_begun = True
            try:
                value = each.before_run()
                if inspect.isawaitable(value):
                    asyncio.run(_awaited(value))
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                raise ConfigError(told_of("before_run", each.before_run, error)) from error


def fits(hook: Hook, name: str) -> bool:
    """Whether the hook can be called with what hooks of that name get."""
    count = len([word for word in SIGNATURES[name].strip("()").split(",") if word])
    try:
        inspect.signature(hook).bind(*[None] * count)
    except TypeError:
        return False
    return True


def told_of(name: str, hook: Hook, error: BaseException) -> str:
    """What a hook raised, with file and line."""
    place = from_here(place_in_code(error))
    where = place or from_here(inspect.getfile(hook))
    return f"{where}: {name}() raised {worded(error)}"


async def _awaited(value: Any) -> Any:
    return await value
