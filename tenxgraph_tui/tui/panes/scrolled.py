"""A part of some lines, with a bar at the right that says which."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from tenxgraph_tui.tui.glyphs import HAIR, MUTED
from tenxgraph_tui.tui.kit import join, pad, text

THUMB, TRACK = "┃", "│"
BAR = 2


def scrolled(lines: Sequence[Content], cells: int, room: int, first: int) -> list[Content]:
    """At most `room` of the lines, from `first` on as far as that is possible."""
    if len(lines) <= room:
        return list(lines)
    if room <= 0:
        return []
    first = max(0, min(first, len(lines) - room))
    if cells <= BAR:
        return [pad(line, cells) for line in lines[first : first + room]]
    size = max(1, round(room * room / len(lines)))
    top = min(room - size, round(first * room / len(lines)))
    return [
        join(
            pad(line, cells - BAR),
            " ",
            text(THUMB, MUTED) if top <= at < top + size else text(TRACK, HAIR),
        )
        for at, line in enumerate(lines[first : first + room])
    ]
