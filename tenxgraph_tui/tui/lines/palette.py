"""How a hit of the palette looks: its text, where it belongs, its key."""

from __future__ import annotations

from textual.content import Content

from tenxgraph_tui.tui.glyphs import ACCENT, MUTED
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import KEY, cell, clip, flush, join, keys, pad, text
from tenxgraph_tui.tui.palette import Hit

AREA, KEY_CELLS = 10, 8
AREA_FROM = 50
FOUND = f"bold {ACCENT} underline"


def hit_line(hit: Hit, width: int) -> Content:
    """One hit; where there is little room the area goes, and the text is cut before the key."""
    command = hit.command
    shown = text(command.text)
    for start, end in hit.spans:
        shown = shown.stylize(FOUND, start, end)
    area = cell(f"  {command.area}", AREA + 2, MUTED) if width >= AREA_FROM else text("")
    right = join(area, flush(text(command.key, KEY), KEY_CELLS))
    room = width - right.cell_length - 2
    return pad(join(" ", pad(clip(shown, room), max(0, room)), right, " "), width)


def how_line(width: int) -> Content:
    """The keys of the palette itself."""
    choose = f"{word('palette.previous')}{word('palette.next')}"
    how = ((choose, "Choose"), ("enter", "Run"), (word("palette.close"), "Close"))
    return pad(join(" ", keys(how, max(0, width - 1))), width)
