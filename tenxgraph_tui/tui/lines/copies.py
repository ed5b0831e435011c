"""The sheet of what can be copied: a line each, and below them what it looks like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.tui.copies import What
from tenxgraph_tui.tui.glyphs import MUTED
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import BLANK, clip, join, keys, pad, rule, text
from tenxgraph_tui.tui.words import ELLIPSIS, wrap

PREVIEW = 4


@dataclass(frozen=True, slots=True)
class CopyRow:
    """One thing to copy, what it is called, and what will be in the clipboard."""

    what: What
    name: str
    preview: str


def copy_title(name: str, width: int) -> Content:
    """The rule above them, with the keys where they fit."""
    pairs = ((word("copies.choose"), "Copy"), (word("copies.close"), "Close"))
    offered = keys(pairs, max(0, width - len("Copy") - 6))
    return rule(name, width, offered or BLANK, focused=True)


def copy_line(row: CopyRow, width: int) -> Content:
    """One of them in exactly `width` cells."""
    name = row.name.removeprefix("the ")
    return pad(text(name[:1].upper() + name[1:]), width)


def preview_lines(row: CopyRow | None, width: int, height: int) -> Sequence[Content]:
    """The beginning of what would be copied, in exactly `height` lines."""
    if row is None or height <= 0:
        return [pad(BLANK, width)] * height
    lines = wrap(row.preview, width, height + 1)
    if len(lines) > height:
        lines = [*lines[: height - 1], f"{lines[height - 1]}{ELLIPSIS}"]
    drawn = [pad(clip(join(text(line, MUTED)), width), width) for line in lines]
    return [*drawn, *[pad(BLANK, width)] * (height - len(drawn))]
