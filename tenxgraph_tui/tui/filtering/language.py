"""Reads what is typed into the filter: `status:failed tag:smoke crit:trajectory<0.8 "a text"`.

A term that is not finished yet, or names what is not there, says so and is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tenxgraph_tui.tui.filtering.conditions import Filter, Not, Test
from tenxgraph_tui.tui.filtering.terms import Unfinished, Wrong, term
from tenxgraph_tui.tui.filtering.vocabulary import HINTS, Vocabulary

JOINING = frozenset({"or", "and", "not"})
_PIECE = re.compile(r'(?:[^\s"]|"[^"]*(?:"|$))+')


@dataclass(frozen=True, slots=True)
class Piece:
    """One word of the text, from `start` to `end`."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a text says: the filter of its finished terms, and a line on the first other one.

    `begun` is the key that the last word may become; without that word the filter is `otherwise`.
    """

    filter: Filter | None
    waiting: str = ""
    problem: str = ""
    begun: str = ""
    otherwise: Filter | None = None

    @property
    def told(self) -> str:
        return self.problem or self.waiting


def pieces(text: str) -> list[Piece]:
    """The words of a text; what stands in quotes is part of one."""
    return [Piece(found[0], *found.span()) for found in _PIECE.finditer(text)]


def parse(text: str, vocabulary: Vocabulary) -> Parsed:
    """The filter that `text` describes, as far as it does."""
    found = _Reader(vocabulary)
    words = pieces(text)
    for piece in words:
        found.read(piece.text)
    last = words[-1] if words and words[-1].end == len(text) else None
    begun = [key for key in HINTS if last is not None and key.startswith(last.text.lower())]
    otherwise = parse(text[: last.start], vocabulary).filter if last and begun else None
    hint = f"{begun[0]} … {HINTS[begun[0]]}" if begun else ""
    return Parsed(found.filter(), found.unfinished(), found.problem, hint, otherwise)


class _Reader:
    """Takes the words of a text one after another. A term that cannot be used leaves a gap."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._groups: list[list[tuple[str, Test]]] = []
        self._joining: list[str] = []
        self._waiting = ""
        self.problem = ""

    def read(self, word: str) -> None:
        if word.lower() in JOINING:
            self._joining.append(word.lower())
            return
        joining, self._joining = self._joining, []
        if "or" not in joining or not self._groups:
            self._groups.append([])
        test = self._test(word)
        if test is not None:
            is_negated = joining.count("not") % 2
            named = (f"not {word}", Not(test)) if is_negated else (word, test)
            self._groups[-1].append(named)

    def _test(self, word: str) -> Test | None:
        try:
            return term(word, self._vocabulary)
        except Unfinished as error:
            self._waiting = self._waiting or str(error)
            return error.so_far
        except Wrong as error:
            self.problem = self.problem or str(error)
        return None

    def filter(self) -> Filter | None:
        """What the finished terms ask."""
        groups = [group for group in self._groups if group]
        if not groups:
            return None
        text = " ".join(" or ".join(word for word, _ in group) for group in groups)
        return Filter(text, tuple(tuple(test for _, test in group) for group in groups))

    def unfinished(self) -> str:
        """What is still missing, if anything is."""
        if self._waiting or not self._joining:
            return self._waiting
        return f"{' '.join(self._joining)} … another term"
