"""Where the cursor can be in a pane of running text, and where it goes from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tenxgraph_tui.tui.panes.items import Item

NOWHERE = Item(())


@dataclass(frozen=True, slots=True)
class _Stop:
    """An item that takes the cursor: its lines are those from `first` to before `end`."""

    item: Item
    first: int
    end: int


class Stops:
    """The items that take the cursor, in order. A sight is the range of lines that is seen."""

    def __init__(self, items: Sequence[Item] = ()) -> None:
        self._stops: list[_Stop] = []
        line = 0
        for one in items:
            if one.takes_cursor:
                self._stops.append(_Stop(one, line, line + len(one.lines)))
            line += len(one.lines)

    def __len__(self) -> int:
        return len(self._stops)

    def item(self, at: int) -> Item:
        """The item at a position; an empty one where there is none."""
        return self._stops[at].item if 0 <= at < len(self._stops) else NOWHERE

    def named(self, name: str) -> int | None:
        """The position of the first item of which that can be had."""
        items = enumerate(stop.item.picked for stop in self._stops)
        return next((at for at, picked in items if picked and picked.name == name), None)

    def line_of(self, at: int) -> int:
        """The first line of the item at a position."""
        return self._stops[at].first

    def at_line(self, line: int) -> int | None:
        """The position of the item that a line belongs to."""
        found = (at for at, stop in enumerate(self._stops) if stop.first <= line < stop.end)
        return next(found, None)

    def after(self, at: int, step: int, sight: range) -> int | None:
        """Where the cursor goes by one step; None where the text has to be scrolled first."""
        if not (0 <= at < len(self) and self._overlaps(at, sight)):
            return self.first_seen(step, sight)
        half = len(sight) // 2
        near = range(sight.start - half, sight.stop + half)
        following = at + step
        is_near = 0 <= following < len(self) and self._overlaps(following, near)
        return following if is_near else None

    def first_seen(self, step: int, sight: range) -> int | None:
        """The item that comes into sight first when one goes down, or up."""
        seen = [at for at in range(len(self)) if self._overlaps(at, sight)]
        if not seen:
            return None
        return seen[0] if step > 0 else seen[-1]

    def top_for(self, at: int, sight: range) -> int:
        """The first line to see, so that all of an item is, or at least its beginning."""
        stop = self._stops[at]
        if at == 0 and stop.first < sight.start:
            return 0  # with what stands above the first
        if stop.first < sight.start or len(sight) <= stop.end - stop.first:
            return stop.first
        return max(sight.start, stop.end - len(sight))

    def _overlaps(self, at: int, sight: range) -> bool:
        stop = self._stops[at]
        return stop.first < sight.stop and stop.end > sight.start
