"""The sheet of keys: groups in columns where there is room, one under the other where not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from textual.content import Content

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.tui.glyphs import MUTED, NOTHING, STATUS
from tenxgraph_tui.tui.kit import (
    BLANK,
    KEY,
    between,
    cell,
    clip,
    join,
    key,
    pad,
    sign,
    spread,
    text,
)

KEY_CELLS, COLUMN = 10, 34


@dataclass(frozen=True, slots=True)
class Group:
    """The keys of one place: (key, what it does)."""

    title: str
    keys: tuple[tuple[str, str], ...]


def help_lines(groups: Sequence[Group], width: int) -> list[Content]:
    """The whole sheet."""
    lines = [spread(text("Keys", "bold"), key("esc", "Close"), width), BLANK]
    per_row = max(1, min(len(groups), width // COLUMN))
    cells = width // per_row
    for start in range(0, len(groups), per_row):
        columns = [_group(group, cells) for group in groups[start : start + per_row]]
        rows = zip_longest(*columns, fillvalue=pad(BLANK, cells))
        lines += [*(join(*parts) for parts in rows), BLANK]
    return [pad(line, width) for line in [*lines, *_signs(width)]]


def _group(group: Group, cells: int) -> list[Content]:
    rows = [cell(group.title, cells, "bold")]
    rows += [
        pad(join(cell(name, KEY_CELLS, KEY), text(what, MUTED)), cells) for name, what in group.keys
    ]
    return rows


def _signs(width: int) -> list[Content]:
    parts = [sign(STATUS[status]) for status in CaseStatus]
    parts.append(join(text(f"{NOTHING} ", MUTED), text("not evaluated", MUTED)))
    lines: list[list[Content]] = [[]]
    for part in parts:
        if lines[-1] and between([*lines[-1], part]).cell_length > width:
            lines.append([])
        lines[-1].append(part)
    return [clip(between(line), width) for line in lines]
