"""The sheet of keys: groups in columns where there is room, one under the other where not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from textual.content import Content

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.tui.changes import SIGNS, Change
from tenxgraph_tui.tui.glyphs import (
    BAD,
    DIFFERS,
    EXTRA,
    MISSING,
    MUTED,
    NOTHING,
    SAME,
    STATUS,
    WARN,
    Sign,
)
from tenxgraph_tui.tui.keywords import word
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

LEAST = 24
"""Cells of a column; where there is more room than the columns need it is left free."""
BETWEEN, LEAST_BETWEEN = 3, 2
ORDER = (
    CaseStatus.PASSED,
    CaseStatus.FAILED,
    CaseStatus.ERROR,
    CaseStatus.RUNNING,
    CaseStatus.WAITING,
    CaseStatus.CANCELLED,
    CaseStatus.SKIPPED,
)
LEGEND = (
    tuple(STATUS[status] for status in ORDER),
    tuple(SIGNS[change] for change in (Change.REGRESSED, Change.FIXED, Change.NEW)),
    (
        Sign(NOTHING, "not evaluated", MUTED, MUTED),
        Sign(SAME, "as expected", MUTED, MUTED),
        Sign(DIFFERS, "differs", BAD, MUTED),
        Sign(MISSING, "missing", BAD, MUTED),
        Sign(EXTRA, "extra", WARN, MUTED),
    ),
)


@dataclass(frozen=True, slots=True)
class Group:
    """The keys of one place: (key, what it does)."""

    title: str
    keys: tuple[tuple[str, str], ...]


def help_lines(groups: Sequence[Group], width: int) -> list[Content]:
    """The whole sheet."""
    lines = [spread(text("Keys", "bold"), key(word("case.back"), "Close"), width), BLANK]
    columns, gap = _columns([_group(group) for group in groups], width)
    widths = [_cells(column) + gap for column in columns]
    rows = (zip(row, widths, strict=True) for row in zip_longest(*columns, fillvalue=BLANK))
    lines += [join(*(pad(part, cells) for part, cells in row)) for row in rows]
    return [pad(line, width) for line in [*lines, BLANK, *_signs(width)]]


def _group(group: Group) -> list[Content]:
    cells = max((text(name).cell_length for name, _ in group.keys), default=0) + 2
    rows = [text(group.title, "bold")]
    rows += [join(cell(name, cells, KEY), text(what, MUTED)) for name, what in group.keys]
    return rows


def _columns(groups: Sequence[list[Content]], width: int) -> tuple[list[list[Content]], int]:
    """The groups in as many columns as fit, none much longer than the others, and the gap."""
    for count in range(min(len(groups), max(1, width // LEAST)), 1, -1):
        columns = _filled(groups, count)
        used = sum(map(_cells, columns))
        for gap in (BETWEEN, LEAST_BETWEEN):
            if used + gap * (len(columns) - 1) <= width:
                return columns, gap
    return _filled(groups, 1), 0


def _cells(column: Sequence[Content]) -> int:
    return max(line.cell_length for line in column)


def _filled(groups: Sequence[list[Content]], count: int) -> list[list[Content]]:
    """At most `count` columns, as low as that allows."""
    for height in range(max(map(len, groups), default=0), sum(map(len, groups)) + len(groups)):
        columns: list[list[Content]] = []
        for group in groups:
            if columns and len(columns[-1]) + 1 + len(group) <= height:
                columns[-1] += [BLANK, *group]
            else:
                columns.append([*group])
        if len(columns) <= count:
            return columns
    return [[line for group in groups for line in [*group, BLANK]]]


def _signs(width: int) -> list[Content]:
    lines: list[list[Content]] = []
    for signs in LEGEND:
        lines.append([])
        for part in map(sign, signs):
            if lines[-1] and between([*lines[-1], part]).cell_length > width:
                lines.append([])
            lines[-1].append(part)
    return [clip(between(line), width) for line in lines]
