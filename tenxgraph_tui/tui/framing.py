"""Where the lines of a list stand: between a head and a foot that stay when it is scrolled."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple


class Part(Enum):
    """What a line of a list belongs to."""

    HEAD = auto()
    ROW = auto()
    BELOW = auto()
    FOOT = auto()


class Place(NamedTuple):
    """A line of a list. `at` is which row it is in, in the other parts how many lines into them."""

    part: Part
    at: int
    line: int = 0
    """Which line of its row it is."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A list of `rows`, each of `row_height` lines, in a room of `height` lines.

    `top` is always the line of all rows that is the first below the head.
    """

    rows: int
    height: int
    head: int = 0
    foot: int = 0
    row_height: int = 1

    @property
    def room(self) -> int:
        """The lines between head and foot; none or fewer where these do not fit."""
        return self.height - self.head - self.foot

    @property
    def page(self) -> int:
        """How many rows are seen at once."""
        return max(1, self.room // self.row_height)

    @property
    def length(self) -> int:
        """The lines that it would take to see everything."""
        return self.rows * self.row_height + self.head + self.foot

    def nearest(self, index: int) -> int:
        """The row with that index, else the first or the last."""
        return max(0, min(index, self.rows - 1))

    def shows(self, index: int, top: int) -> bool:
        """Whether a row is in sight."""
        first = index * self.row_height
        return top <= first < top + self.page * self.row_height

    def top_to_see(self, index: int, top: int) -> int:
        """Where to scroll, as little as needed, to see a row."""
        if self.room <= 0:
            return top
        first = index * self.row_height
        if first < top or self.row_height > self.room:
            return first
        return max(top, first + self.row_height - self.room)

    def place(self, y: int, top: int) -> Place:
        """What line `y` of the room is."""
        if y < self.head:
            return Place(Part.HEAD, y)
        if (into := y - self.height + self.foot) >= 0:
            return Place(Part.FOOT, into)
        at = top + y - self.head
        index, line = divmod(at, self.row_height)
        if index >= self.rows:
            return Place(Part.BELOW, at - self.rows * self.row_height)
        return Place(Part.ROW, index, line)
