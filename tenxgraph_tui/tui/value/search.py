"""Finding words in a value, wherever it is folded."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from tenxgraph_tui.tui.value.node import Path
from tenxgraph_tui.tui.words import clean

MOST = 9_999
AT_ONCE = 200_000
"""Characters that are looked through in one go: a search never holds up other threads for long."""


@dataclass(frozen=True, slots=True)
class Found:
    """Where a word stands: in the value at the end of a path, from an offset in its text on."""

    path: Path
    offset: int = 0


def pattern_of(words: str) -> re.Pattern[str]:
    """What is looked for: the words as they stand, in capitals or not."""
    return re.compile(re.escape(words), re.IGNORECASE)


def search(value: Any, words: str, is_wanted: Callable[[], bool] = lambda: True) -> list[Found]:
    """Every place in the order of the lines, and no more than can be counted.

    `is_wanted` is asked now and then, for a search that may be in vain by now.
    """
    if not words:
        return []
    pattern, found = pattern_of(words), []
    for number, (keys, inner) in enumerate(_all(value)):
        if not number % 1000 and not is_wanted():
            return []
        is_named = isinstance(keys[-1], str) if keys else False
        if is_named and pattern.search(clean(keys[-1])):
            found.append(Found(tuple(keys)))
        if isinstance(inner, str):
            text = clean(inner, multiline=True)
            offsets = _offsets(text, pattern, len(words))
            found += [Found(tuple(keys), at) for at in islice(offsets, MOST)]
        elif not isinstance(inner, dict | list) and pattern.search(_written(inner)):
            found.append(Found(tuple(keys)))
        if len(found) >= MOST:
            break
    return found[:MOST]


def _all(value: Any) -> Iterator[tuple[list[Any], Any]]:
    """Every value within one and the keys that lead there, in the order of the lines.

    The keys are one list that changes: whoever wants to keep them copies it.
    """
    keys: list[Any] = []
    yield keys, value
    pending = [_entries(value)]
    keys.append(None)
    while pending:
        entry = next(pending[-1], None)
        if entry is None:
            pending.pop()
            keys.pop()
            continue
        keys[-1], inner = entry
        yield keys, inner
        if isinstance(inner, dict | list):
            pending.append(_entries(inner))
            keys.append(None)


def _entries(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict):
        return iter(value.items())
    return iter(enumerate(value) if isinstance(value, list) else ())


def _written(value: Any) -> str:
    """A number, true, false or null as it stands in JSON."""
    return str(value) if type(value) is int else json.dumps(value, default=repr)


def _offsets(text: str, pattern: re.Pattern[str], length: int) -> Iterator[int]:
    start = 0
    while start < len(text):
        end = start + AT_ONCE
        last = start
        for match in pattern.finditer(text, start, min(len(text), end + length)):
            if match.start() >= end:
                break
            yield match.start()
            last = match.end()
        start = max(end, last)
