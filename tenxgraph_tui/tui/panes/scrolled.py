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
    room = max(0, room)
    first = max(0, min(first, len(lines) - room))
    return with_bar(lines[first : first + room], cells, first, len(lines))


def with_bar(shown: Sequence[Content], cells: int, first: int, total: int) -> list[Content]:
    """The lines that are shown of `total`, from `first` on, beside a bar if there are more."""
    room = len(shown)
    if total <= room or cells <= BAR:
        return list(shown)
    size = max(1, round(room * room / total)) if room else 0
    top = min(room - size, round(first * room / total))
    return [
        join(
            pad(line, cells - BAR),
            " ",
            text(THUMB, MUTED) if top <= at < top + size else text(TRACK, HAIR),
        )
        for at, line in enumerate(shown)
    ]
