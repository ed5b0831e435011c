"""The settings sheet: a row for every setting or action, and what is to know about one of them."""

from __future__ import annotations

from textual.content import Content

from tenxgraph_tui.tui.glyphs import ACCENT, MUTED
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import BLANK, KEY, cell, hairline, join, keys, pad, text
from tenxgraph_tui.tui.setting_rows import CHOSEN, Row
from tenxgraph_tui.tui.words import wrap

NAME, NAME_OF_ACTION, KEYS = 18, 24, 14
WHERE = 26
WHERE_FROM = 60
FOOT = 5
"""Lines below the rows: a rule, two or more of text, the keys."""


def setting_line(row: Row, width: int) -> Content:
    """Name, value and origin; where there is little room the origin goes."""
    where = WHERE if width >= WHERE_FROM else 0
    value = max(0, width - NAME - where - 2)
    origin = cell(row.where, where, ACCENT if row.where == CHOSEN else MUTED) if where else BLANK
    return pad(join(" ", cell(row.name, NAME, MUTED), cell(row.value, value), " ", origin), width)


def key_line(row: Row, width: int) -> Content:
    """Id, keys and what they do; where there is little room the id is cut first."""
    name = min(NAME_OF_ACTION, max(0, width - KEYS - 2))
    text_cells = max(0, width - name - KEYS - 2)
    parts = (cell(row.name, name, MUTED), cell(row.value, KEYS, KEY), cell(row.where, text_cells))
    return pad(join(" ", *parts), width)


def foot_lines(row: Row | None, width: int) -> list[Content]:
    """What is to know about the row under the cursor, in exactly `FOOT` lines."""
    lines = [hairline(width)]
    if row is not None:
        about = [text(f" {line}") for line in wrap(row.about, max(1, width - 1))]
        how = [text(f" {line}", MUTED) for line in wrap(row.how, max(1, width - 1))]
        lines += [*about[:1], *how[: FOOT - 3]]
    lines += [BLANK] * (FOOT - 1 - len(lines))
    lines.append(join(" ", keys(_offered(row), max(0, width - 1))))
    return [pad(line, width) for line in lines]


def _offered(row: Row | None) -> list[tuple[str, str]]:
    offered = [(word("settings.close"), "Close")]
    if row is not None and row.change is not None:
        offered.insert(0, (word("settings.change"), "Change"))
    if row is not None and row.file is not None:
        place = row.file.name if row.line is None else f"{row.file.name} line {row.line}"
        offered.insert(len(offered) - 1, (word("settings.edit"), f"Open {place}"))
    return offered
