"""Where things stand in a JSON text, for messages that name a line.

The standard parser tells positions of syntax errors only. This walk is slower and runs only when
there is something to report.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

JsonPath = tuple[str | int, ...]

_TOKEN = re.compile(r'[{}\[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}\[\],:"]+', re.DOTALL)
_NOT_JSON = frozenset({"NaN", "Infinity", "-Infinity"})


class Found(NamedTuple):
    """A member (at its key) or an item (at its value) of a JSON text; `offset` is in characters."""

    path: JsonPath
    offset: int


def walk(text: str) -> Iterator[Found]:
    """Every member and item of a JSON text, in file order, duplicates included."""
    path: list[str | int] = []
    waits_for_key: list[bool] = []
    for token in _TOKEN.finditer(text):
        symbol = token[0]
        if symbol in "]}":
            path.pop()
            waits_for_key.pop()
            continue
        if symbol == ",":
            if isinstance(path[-1], int):
                path[-1] += 1
            else:
                waits_for_key[-1] = True
            continue
        if symbol == ":":
            continue
        if path and isinstance(path[-1], int):
            yield Found(tuple(path), token.start())
        if symbol in "{[":
            path.append("" if symbol == "{" else 0)
            waits_for_key.append(symbol == "{")
        elif path and waits_for_key[-1]:
            path[-1] = json.loads(symbol)
            waits_for_key[-1] = False
            yield Found(tuple(path), token.start())


def line_of(text: str, path: JsonPath) -> int:
    """The line, from 1, of `path`, or of the nearest thing around it."""
    best, length = 0, 0
    for found in walk(text):
        if len(found.path) >= length and found.path == path[: len(found.path)]:
            best, length = found.offset, len(found.path)
    return line_at(text, best)


def line_at(text: str, offset: int) -> int:
    """The line, from 1, of a character."""
    return text.count("\n", 0, offset) + 1


def column_at(text: str, offset: int) -> int:
    """The column, from 1, of a character."""
    return offset - text.rfind("\n", 0, offset)


def duplicates(text: str) -> Iterator[Found]:
    """Members whose key stood in the same object before."""
    seen: set[JsonPath] = set()
    for found in walk(text):
        if found.path in seen:
            yield found
        seen.add(found.path)


def number_that_is_none(text: str) -> re.Match[str] | None:
    """The first NaN or Infinity, or number too large for a float, outside of strings."""
    for token in _TOKEN.finditer(text):
        symbol = token[0]
        if symbol in _NOT_JSON or (symbol[0] in "-0123456789" and _overflows(symbol)):
            return token
    return None


def _overflows(symbol: str) -> bool:
    try:
        return float(symbol) in (float("inf"), float("-inf"))
    except ValueError:
        return False
