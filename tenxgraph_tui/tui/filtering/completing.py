"""How the word at the cursor of a filter could go on."""

from __future__ import annotations

from dataclasses import dataclass

from tenxgraph_tui.tui.filtering.language import pieces
from tenxgraph_tui.tui.filtering.terms import quoted
from tenxgraph_tui.tui.filtering.texts import folded
from tenxgraph_tui.tui.filtering.vocabulary import HINTS, Vocabulary
from tenxgraph_tui.tui.words import clean

MOST = 12


@dataclass(frozen=True, slots=True)
class Option:
    """One way to go on: `insert` takes the place of what stands from `start` to the cursor."""

    insert: str
    start: int
    shown: str
    hint: str = ""

    def applied(self, text: str, cursor: int) -> tuple[str, int]:
        """The text with this in it, and where the cursor stands then."""
        head = text[: self.start] + self.insert
        return head + text[cursor:], len(head)


def options(text: str, cursor: int, vocabulary: Vocabulary) -> tuple[Option, ...]:
    """What can stand at the cursor, the likeliest first; nothing inside of a word."""
    at = next((one for one in pieces(text[:cursor]) if one.end == cursor), None)
    if cursor < len(text) and not text[cursor].isspace():
        return ()
    if at is None:
        return _keys("", cursor)
    start = at.start + (at.text.startswith("-") and len(at.text) > 1)
    word = text[start:cursor]
    key, colon, rest = word.partition(":")
    if not colon:
        return _keys(word, start)
    last = rest.rpartition(",")[2]
    return _values(key.lower(), last, cursor - len(last), vocabulary)


def _keys(word: str, start: int) -> tuple[Option, ...]:
    begun = [key for key in HINTS if key.startswith(word.lower()) and key != word]
    return tuple(Option(key, start, key, HINTS[key]) for key in begun)


def _values(key: str, begun: str, start: int, vocabulary: Vocabulary) -> tuple[Option, ...]:
    wanted = folded(begun.removeprefix('"'))
    found: list[Option] = []
    for name in vocabulary.values(key):
        is_typable = clean(name) == name and '"' not in name
        if is_typable and folded(name).startswith(wanted) and folded(name) != wanted:
            found.append(Option(quoted(name), start, name))
    return tuple(found[:MOST])
