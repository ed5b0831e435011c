"""The last row: what can be pressed right now, and where in the row each of it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.tui.kit import BLANK, CURSOR, join, key, pad, spread

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Placed:
    """A key in the row: its place in what was given, and the cells that it fills."""

    index: int
    start: int
    end: int


def key_bar(
    left: Sequence[Key], right: Sequence[Key], width: int, gap: str = "   ", over: int | None = None
) -> Content:
    """The keys of the focused pane, as many as fit, and those that always work.

    `over` is the place in `[*left, *right]` of the one that the mouse is on.
    """
    always = _row(right, max(0, width - 2), len(gap))
    room = _room(always, width, len(gap))
    shown = [_drawn(left, place, over) for place in _row(left, room, len(gap))]
    held = over - len(left) if over is not None else None
    kept = [_drawn(right, place, held) for place in always]
    line = spread(join(" ", Content(gap).join(shown)), join(Content(gap).join(kept), " "), width)
    return pad(line, width)


def placed(
    left: Sequence[Key], right: Sequence[Key], width: int, gap: str = "   "
) -> Iterator[Placed]:
    """Where `key_bar` draws what, by the place in `[*left, *right]`."""
    always = _row(right, max(0, width - 2), len(gap))
    room = _room(always, width, len(gap))
    yield from _shifted(_row(left, room, len(gap)), 0, 1)
    yield from _shifted(always, len(left), width - 1 - _cells(always))


def _shifted(row: Iterable[Placed], index: int, start: int) -> Iterator[Placed]:
    for one in row:
        yield Placed(one.index + index, one.start + start, one.end + start)


def _row(pairs: Sequence[Key], room: int, gap: int) -> list[Placed]:
    """As many as fit, from the first on."""
    row: list[Placed] = []
    start = 0
    for index, pair in enumerate(pairs):
        end = start + key(*pair).cell_length
        if end > room:
            break
        row.append(Placed(index, start, end))
        start = end + gap
    return row


def _room(always: Sequence[Placed], width: int, gap: int) -> int:
    """What is left of a row with a blank at both ends; twice a gap parts what always works."""
    return max(0, width - _cells(always) - 2 - 2 * gap)


def _cells(row: Sequence[Placed]) -> int:
    return row[-1].end if row else 0


def _drawn(pairs: Sequence[Key], place: Placed, over: int | None) -> Content:
    drawn = key(*pairs[place.index])
    return drawn.stylize(CURSOR) if place.index == over else drawn or BLANK
