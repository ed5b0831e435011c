"""What is to be said of one failure, in words that others like it share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tenxgraph_tui.tui.words import clean, shorten

LONGEST_NAME = 48
LONGEST_TEXT = 160
"""Characters of a value that are kept: more than a column shows, of thousands of cases."""
MOST_NAMED = 3

Parts = tuple[tuple[str, str], ...]
"""Names with their values, drawn as `city="Tokyo"`; a text without a name is a value alone."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One failure. Those with the same `key` have a cause in common, which `title` tells.

    `at` counts calls or nodes (`unit`) from 1. `expected` and `actual` are what differs; with
    `is_beside` the latter is only what happened where something else is missing.
    """

    key: tuple[str, ...]
    title: str
    unit: str = ""
    at: int | None = None
    expected: Parts = ()
    actual: Parts = ()
    is_beside: bool = False


def named(name: str) -> str:
    """A name of a tool, node or argument as it stands in a sentence."""
    return shorten(" ".join(clean(name).split()), LONGEST_NAME, "middle") or '""'


def listed(names: Iterable[str]) -> str:
    """`city, days and zip`; of many the first."""
    found = [named(name) for name in names]
    if len(found) > MOST_NAMED:
        return f"{', '.join(found[:MOST_NAMED])} and {len(found) - MOST_NAMED} more"
    return " and ".join(part for part in (", ".join(found[:-1]), *found[-1:]) if part)


def cut(value: str) -> str:
    """The beginning of a text on one line."""
    return shorten(" ".join(clean(value[: 4 * LONGEST_TEXT]).split()), LONGEST_TEXT)
