"""The first row of every screen: where one is, what is run, and whether a save starts a run."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from tenxgraph_tui.tui.glyphs import FAINT, MUTED
from tenxgraph_tui.tui.kit import BLANK, between, join, sign, spread, text
from tenxgraph_tui.tui.lines.key_bar import Key
from tenxgraph_tui.tui.watching.state import SIGNS, WatchMode

INTO = " › "  # noqa: RUF001 - the sign between crumbs
BEHIND = 1
"""Cells behind the last fact."""


def top_bar(
    crumbs: Sequence[str], facts: Sequence[Key], width: int, watch: WatchMode | None = None
) -> Content:
    """Where one is, and what is run; facts that do not fit are dropped from the left.

    How watch mode stands is the last to go; that it is off is the first.
    """
    where = [text(name, MUTED) for name in crumbs[:-1]] + [text(crumbs[-1])]
    left = join(" ", text("tenxgraph", "bold"), "   ", text(INTO, FAINT).join(where))
    right = [
        join(text(f"{label} " if label else "", MUTED), text(value))
        for label, value in facts
        if value
    ]
    room = width - left.cell_length - 4
    if watch is not None:
        right.append(sign(SIGNS[watch]))
        if watch is WatchMode.OFF and between(right).cell_length > room:
            right.pop()
    while right and between(right).cell_length > room:
        right.pop(0)
    return spread(left, join(between(right), " ") if right else BLANK, width)


def is_watch_at(line: Content, x: int, watch: WatchMode | None) -> bool:
    """Whether the sign of watch mode is drawn at cell `x` of that row."""
    if watch is None:
        return False
    drawn = sign(SIGNS[watch])
    end = line.cell_length - BEHIND
    is_drawn = line.plain.rstrip().endswith(drawn.plain)
    return is_drawn and end - drawn.cell_length <= x < end
