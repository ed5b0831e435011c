"""Finding what was meant among thousands of names, from a few letters of it.

From the closest to the loosest: every word of the query begins a word of the name; every word is
in it; its letters begin words of the name (`rfc` finds `Rerun failed cases`); its letters stand
there in order with little between them (`tkyo` finds `tokyo`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

Spans = tuple[tuple[int, int], ...]
BEGINS = r"(?<![^\W_].)"
"""Stands behind a letter that begins a word; `_` parts words in the names of cases. The letter
comes first, because that is what is searched for fastest.
"""
GAP = 2
"""Characters that may be left out between two that were typed, in the loosest way to match."""
WAYS = 4


def matched(query: str, text: str) -> tuple[int, Spans] | None:
    """How closely `text` matches (0 is closest), and where; None if it does not."""
    lowered = _lower(text)
    for way in range(WAYS):
        spans: list[tuple[int, int]] = []
        for pattern in _patterns(_lower(query), way):
            found = pattern.search(lowered)
            if found is None:
                break
            spans += _spans_of(found)
        else:
            return way, _merged(spans)
    return None


class Index:
    """Names that are searched all at once, as one text."""

    def __init__(self, names: Sequence[str]) -> None:
        lines = [_lower(name).replace("\n", " ") for name in names]
        self._text = "\n".join(lines)
        self._starts = [0, *accumulate(len(line) + 1 for line in lines)][:-1]

    def find(self, query: str, limit: int) -> list[int]:
        """The places of at most `limit` names that match, the closest first."""
        found: dict[int, None] = {}
        for way in range(WAYS):
            for place in self._places(_patterns(_lower(query), way)):
                found.setdefault(place)
                if len(found) >= limit:
                    return [*found]
        return [*found]

    def _places(self, patterns: Sequence[re.Pattern[str]]) -> Iterator[int]:
        """The names in which all of the patterns are found; the rarest of them leads."""
        if not patterns or not self._starts:
            return
        text = self._text
        if len(patterns) > 1:
            patterns = sorted(patterns, key=lambda pattern: sum(1 for _ in pattern.finditer(text)))
        first, *rest = patterns
        at = 0
        while found := first.search(text, at):
            begin, at = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end())
            end = at if at >= 0 else len(text)
            if all(pattern.search(text, begin, end) for pattern in rest):
                yield bisect_right(self._starts, begin) - 1
            if at < 0:
                return


@lru_cache(64)
def _patterns(query: str, way: int) -> tuple[re.Pattern[str], ...]:
    words = query.split()
    letters = [re.escape(letter) for letter in "".join(words)]
    if way == 0:
        return tuple(re.compile(_first(word) + re.escape(word[1:])) for word in words)
    if way == 1:
        return tuple(re.compile(re.escape(word)) for word in words)
    if len(letters) < 2:  # noqa: PLR2004 - one letter is not spread over anything
        return (re.compile(r"(?!)"),)
    # the groups are atomic: what was skipped once is not tried again, however long the name
    if way == WAYS - 1:
        near = (rf"(?>[^\n]{{0,{GAP}}}?({letter}))" for letter in letters[1:])
        return (re.compile(f"({letters[0]}){''.join(near)}"),)
    initials = (rf"(?>({letter})|[^\n]*?({letter}){BEGINS})" for letter in letters[1:])
    return (re.compile(f"({letters[0]}){BEGINS}{''.join(initials)}"),)


def _first(word: str) -> str:
    return re.escape(word[0]) + BEGINS


def _spans_of(found: re.Match[str]) -> list[tuple[int, int]]:
    if not found.re.groups:
        return [found.span()]
    spans = (found.span(group) for group in range(1, found.re.groups + 1))
    return [span for span in spans if span != (-1, -1)]


def _merged(spans: list[tuple[int, int]]) -> Spans:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)


def _lower(text: str) -> str:
    """`text` in small letters, each of which stands where its letter stood."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text
