"""In which line of a TOML file a key stands, which the standard library does not tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

KEY = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
DOTTED = rf"{KEY}(?:\s*\.\s*{KEY})*"
HEADER = re.compile(rf"^\s*\[\[?\s*({DOTTED})\s*\]\]?\s*(?:#.*)?$")
ASSIGNED = re.compile(rf"^\s*({DOTTED})\s*=")
LONG_TEXT = re.compile(r'"""|\'\'\'')


def line_of(text: str, path: tuple[str, ...]) -> int | None:
    """The line, from 1, that sets `path`, or the first that opens a table at it; else None."""
    for line, found in _places(text):
        if found[: len(path)] == path:
            return line
    return None


def _places(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Every line that names a key or a table, with its whole path; inline tables stay closed."""
    table: tuple[str, ...] = ()
    in_long_text = False
    for number, line in enumerate(text.splitlines(), 1):
        if not in_long_text:
            if header := HEADER.match(line):
                table = _parts(header[1])
                yield number, table
            elif assigned := ASSIGNED.match(line):
                yield number, (*table, *_parts(assigned[1]))
        in_long_text ^= len(LONG_TEXT.findall(line)) % 2 == 1


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in re.findall(KEY, dotted))
