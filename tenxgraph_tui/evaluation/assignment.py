"""Which expected item goes with which actual one: in order, or in any order.

The actual items that an expected one may go with are a bit mask (bit 3 = the fourth actual item):
hundreds of items are then compared with a few operations on long integers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

Pair = tuple[int, int]


def in_order(same: Sequence[int], alike: Sequence[int], count: int) -> list[Pair]:
    """Pairs (expected, actual) that rise on both sides, out of `count` actual items.

    As many as possible are `same`, the earliest where there is a choice; between two of those as
    many as possible are `alike`.
    """
    pairs: list[Pair] = []
    at = start = 0
    for stop, end in [*_longest(same, count), (len(same), count)]:
        gap = _longest(_cut(alike[at:stop], start, end), end - start)
        pairs += [(at + expected, start + actual) for expected, actual in gap]
        if stop < len(same):
            pairs.append((stop, end))
        at, start = stop + 1, end + 1
    return pairs


def any_order(same: Sequence[int]) -> dict[int, int]:
    """Expected → actual, for as many as possible, each actual item used once."""
    matching = _Matching(same)
    for item in sorted(range(len(same)), key=lambda index: same[index].bit_count()):
        matching.place(item)
    return matching.partner


def positions(mask: int) -> list[int]:
    """The bits of a mask, lowest first."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


def _longest(same: Sequence[int], count: int) -> list[Pair]:
    """The longest common subsequence, the earliest pairs where there is a choice.

    Hyyrö's bit-parallel recurrence, from the end: bit j of a row is 0 where the length grows.
    """
    if not count or not any(same):
        return []
    everything = (1 << count) - 1
    flipped = {mask: int(f"{mask:0{count}b}"[::-1], 2) for mask in set(same)}
    rows = [everything]
    for mask in reversed(same):
        row, match = rows[-1], flipped[mask]
        rows.append(((row + (row & match)) | (row & ~match)) & everything)
    rows.reverse()

    def length(at: int, start: int) -> int:
        left = count - start
        return left - (rows[at] & ((1 << left) - 1)).bit_count()

    pairs: list[Pair] = []
    at = start = 0
    while at < len(same) and start < count:
        if same[at] >> start & 1:
            pairs.append((at, start))
            at, start = at + 1, start + 1
        elif length(at, start) == length(at + 1, start):
            at += 1
        else:
            start += 1
    return pairs


def _cut(masks: Sequence[int], start: int, end: int) -> list[int]:
    inside = (1 << (end - start)) - 1
    return [mask >> start & inside for mask in masks]


class _Matching:
    """A growing assignment; `place` moves earlier items along where that makes room."""

    def __init__(self, same: Sequence[int]) -> None:
        self.same = same
        self.partner: dict[int, int] = {}
        self._owner: dict[int, int] = {}
        self._taken = 0
        self._hopeless = 0  # what a failed search has seen leads nowhere later on either

    def place(self, item: int) -> None:
        seen_from: dict[int, int] = {}
        seen = self._hopeless
        waiting = deque([item])
        while waiting:
            current = waiting.popleft()
            new = self.same[current] & ~seen
            free = new & ~self._taken
            if free:
                self._shift(item, current, (free & -free).bit_length() - 1, seen_from)
                return
            seen |= new
            for position in positions(new):
                seen_from[position] = current
                waiting.append(self._owner[position])
        self._hopeless = seen

    def _shift(self, item: int, current: int, position: int, seen_from: dict[int, int]) -> None:
        """Give the free `position` to `current`, what that had to the one before, up to `item`."""
        self._taken |= 1 << position
        while True:
            before = self.partner.get(current)
            self.partner[current] = position
            self._owner[position] = current
            if current == item or before is None:
                return
            position, current = before, seen_from[before]
