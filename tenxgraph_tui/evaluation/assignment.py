"""Which expected item goes with which actual one: in order, or in any order.

Both functions take, for every expected item, the actual positions it may go with, as the keys of a
dict (an ordered set). Items that look alike should share one dict, which is then read once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

Positions = dict[int, None]
Pair = tuple[int, int]


def in_order(same: Sequence[Positions], alike: Sequence[Positions], count: int) -> list[Pair]:
    """list[Pair] (expected, actual) that rise on both sides, out of `count` actual items.

    As many as possible are `same`; among such choices as many as possible of the others are
    `alike`; among those the earliest.
    """
    start = 0
    while start < min(len(same), count) and start in same[start]:
        start += 1
    end, shift = len(same), count - len(same)
    while end > start and end + shift > start and end + shift - 1 in same[end - 1]:
        end -= 1
    middle = _best(same[start:end], alike[start:end], range(start, end + shift), start)
    ends = [*range(start), *range(end, len(same))]
    return sorted([*middle, *((at, at if at < start else at + shift) for at in ends)])


def _best(
    same: Sequence[Positions], alike: Sequence[Positions], columns: range, first: int
) -> list[Pair]:
    if not same or not columns:
        return []
    rows = list(_weights(same, alike, columns))
    table = _table(rows)
    pairs: list[Pair] = []
    at, column, wide = 0, 0, len(columns)
    while at < len(rows) and column < wide:
        best, weight = table[at][column], rows[at][column]
        if weight and best == table[at + 1][column + 1] + weight:
            pairs.append((first + at, columns[column]))
            at, column = at + 1, column + 1
        elif best == table[at + 1][column]:
            at += 1
        else:
            column += 1
    return pairs


def _weights(
    same: Sequence[Positions], alike: Sequence[Positions], columns: range
) -> Iterable[list[int]]:
    """A row for each expected item; one same pair outweighs any number of alike ones."""
    outweighs = len(columns) + 1
    bases: dict[int, list[int]] = {}
    for matches, lookalikes in zip(same, alike, strict=True):
        base = bases.get(id(lookalikes))
        if base is None:
            base = [int(position in lookalikes) for position in columns]
            bases[id(lookalikes)] = base
        row = base.copy()
        for position in matches:
            if position in columns:
                row[position - columns.start] = outweighs
        yield row


def _table(rows: list[list[int]]) -> list[list[int]]:
    """`table[i][j]` is the best weight of the items from expected i and actual j on."""
    table = [[0] * (len(rows[0]) + 1)]
    for row in reversed(rows):
        below = table[-1]
        current = [best := 0]
        for weight, diagonal, under in zip(row[::-1], below[::-1], below[-2::-1], strict=False):
            if under > best:  # noqa: PLR1730 - max() would double the time of this loop
                best = under
            if diagonal + weight > best:  # noqa: PLR1730
                best = diagonal + weight
            current.append(best)
        current.reverse()
        table.append(current)
    table.reverse()
    return table


def any_order(same: Sequence[Positions]) -> dict[int, int]:
    """Expected → actual, for as many as possible, each actual item used once."""
    owner: dict[int, int] = {}
    hopeless: set[int] = set()  # what a failed search has seen leads nowhere later on either
    for item in sorted(range(len(same)), key=lambda index: len(same[index])):
        reached = _augment(item, same, owner, hopeless)
        hopeless |= reached
    return {expected: actual for actual, expected in owner.items()}


def _augment(
    item: int, same: Sequence[Positions], owner: dict[int, int], hopeless: set[int]
) -> set[int]:
    """Give `item` a partner, moving others along a path; if none is left, what was seen."""
    seen_from: dict[int, int] = {}
    waiting = deque([item])
    while waiting:
        current = waiting.popleft()
        for position in same[current]:
            if position in seen_from or position in hopeless:
                continue
            seen_from[position] = current
            if position not in owner:
                _shift(position, item, owner, seen_from)
                return set()
            waiting.append(owner[position])
    return set(seen_from)


def _shift(position: int, item: int, owner: dict[int, int], seen_from: dict[int, int]) -> None:
    """Hand the free `position` down the path by which it was found from `item`."""
    partner = {expected: actual for actual, expected in owner.items()}
    while True:
        taker = seen_from[position]
        owner[position] = taker
        if taker == item:
            return
        position = partner[taker]
