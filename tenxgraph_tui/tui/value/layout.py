"""The lines of a value at some width: keys and brackets, and long texts broken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from tenxgraph_tui.tui.value.node import Node
from tenxgraph_tui.tui.words import head_of

INDENT = 2


class Part(Enum):
    """What of a node a line shows: its beginning, its end, or a piece of its text."""

    HEAD = auto()
    TAIL = auto()
    TEXT = auto()


@dataclass(frozen=True, slots=True)
class Line:
    """One line; of a text the characters from `start` to before `end`."""

    node: Node
    part: Part
    start: int = 0
    end: int = 0


def lines_of(node: Node, width: int) -> Iterator[Line]:
    if isinstance(node.value, str) and not node.is_group:
        if node.parent is not None or not node.is_open:
            yield Line(node, Part.HEAD)
        if node.is_open:
            room = max(1, width - indent_of(node, width) - INDENT * (node.parent is not None))
            yield from (Line(node, Part.TEXT, *one) for one in broken(node.text, room))
        return
    yield Line(node, Part.HEAD)
    if node.is_open:
        for child in node.children:
            yield from lines_of(child, width)
        if not node.is_group:
            yield Line(node, Part.TAIL)


def indent_of(node: Node, width: int) -> int:
    """The cells before a node; in a narrow pane they do not grow for ever."""
    return min(node.depth * INDENT, max(0, width // 2))


def broken(text: str, room: int) -> Iterator[tuple[int, int]]:
    """Where the lines of a text begin and end: at its line breaks, and at blanks where it is long.

    Only as much is measured as fits in a line, so that the length of the text costs little.
    """
    start = 0
    while start <= len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        at = start
        while stop - at > room or (not text[at:stop].isascii() and at < stop):
            fits = at + max(1, head_of(text[at : min(stop, at + room + 1)], room))
            if fits >= stop:
                break
            blank = text.rfind(" ", at + 1, fits + 1)
            cut = blank if blank > at else fits
            yield at, cut
            at = cut + (text[cut] == " ")
        yield at, stop
        start = stop + 1
