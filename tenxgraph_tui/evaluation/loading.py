"""The targets of a run, imported and built; what is wrong with several of them is told at once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from tenxgraph_tui.errors import TargetError, worded
from tenxgraph_tui.evaluation.places import place_of
from tenxgraph_tui.evaluation.prepared import PreparedSet


def load(sets: Iterable[PreparedSet], *, afresh: bool) -> None:
    """Import the code of every target; `afresh`: again, for a new loop. Hooks come first.

    Raises:
        ConfigError: what a project does before its runs went wrong.
        TargetError: at least one cannot be imported.
    """
    sets = list(sets)
    for prepared in () if afresh else sets:
        prepared.plan.hooks.begin()
    problems: dict[str, TargetError] = {}
    for prepared in sets:
        try:
            prepared.plan.target.load(afresh=afresh)
        except TargetError as error:
            problems.setdefault(str(error), error)
    _raise(problems)


async def build(sets: Iterable[PreparedSet], generation: int) -> None:
    """Have every target ready on the loop of that generation.

    Raises:
        TargetError: at least one cannot be built; a factory may raise whatever it likes.
    """
    problems: dict[str, TargetError] = {}
    for prepared in sets:
        try:
            await prepared.target(generation)
        except asyncio.CancelledError:
            raise
        except TargetError as error:
            problems.setdefault(str(error), error)
        except BaseException as error:  # noqa: BLE001 - a factory is user code
            told = f"target {prepared.plan.target_name}: {worded(error)}, while it was built"
            place = place_of(error)
            problem = TargetError(f"{told} ({place})" if place else told)
            problem.__cause__ = error
            problems.setdefault(told, problem)
    _raise(problems)


def _raise(problems: dict[str, TargetError]) -> None:
    """The one problem, or all of them, a line each; what is told of the cause is the first's."""
    first = next(iter(problems.values()), None)
    if first is not None and len(problems) > 1:
        raise TargetError("\n".join(problems)) from first.__cause__
    if first is not None:
        raise first
