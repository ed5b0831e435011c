"""One row of the trajectory: its columns, and where in the whole time its step lies."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.numbers import seconds
from tenxgraph_tui.tui.glyphs import (
    ACCENT,
    BAD,
    ERROR,
    GOOD,
    HAIR,
    HEAVY,
    LIGHT,
    MUTED,
    RUNNING,
    WARN,
)
from tenxgraph_tui.tui.kit import Part, cell, join, pad, text
from tenxgraph_tui.tui.panes.calls import Side
from tenxgraph_tui.tui.panes.comparison import item
from tenxgraph_tui.tui.panes.rows import is_quiet, mark
from tenxgraph_tui.tui.panes.step import Step

TIMES_FROM, SHORT_BARS_FROM, LONG_BARS_FROM, WIDE_FROM = 96, 120, 140, 91
LONGEST_MARK = 24


@dataclass(frozen=True, slots=True)
class Columns:
    """How wide each column is; 0 where it is not shown."""

    number: int
    side: int
    mark: int
    at: int = 0
    took: int = 0
    bar: int = 0

    @classmethod
    def of(cls, width: int, longest_mark: int = 0) -> Columns:
        """The columns of a pane of `width` cells."""
        number, marked = (5, 12) if width >= WIDE_FROM else (4, 10)
        if width >= SHORT_BARS_FROM:
            marked = max(marked, min(longest_mark + 1, LONGEST_MARK))
        times = width >= TIMES_FROM
        bar = 26 if width >= LONG_BARS_FROM else 14 if width >= SHORT_BARS_FROM else 0
        rest = width - number - marked - (14 if times else 0) - (bar + 2 if bar else 0)
        return cls(number, max(1, rest // 2), marked, 6 * times, 8 * times, bar)


def step_row(step: Step, index: int, columns: Columns, total: float) -> Content:
    quiet = MUTED if step.is_context or is_quiet(step.row) else ""
    happened = step.row.actual is not None
    parts: list[Part] = [
        cell(index + 1, columns.number - 2, MUTED, align="right"),
        "  ",
        _side(step, columns.side, Side(quiet, GOOD), expected=True),
        _side(step, columns.side, Side(quiet, BAD), expected=False),
        _mark(step, columns.mark),
        cell(
            seconds(step.at) if happened and step.at is not None else "",
            columns.at,
            MUTED,
            align="right",
        ),
        cell(
            seconds(step.took) if happened and step.took is not None else "",
            columns.took,
            MUTED,
            align="right",
        ),
    ]
    if columns.bar:
        parts += ["  ", _bar(step, columns.bar, total)]
    return join(*parts)


def _mark(step: Step, cells: int) -> Content:
    """How both sides compare; of a case that runs only what goes on and what broke."""
    if not step.is_context:
        return mark(step.row, cells)
    if step.is_open:
        return cell(f"{RUNNING} now", cells, ACCENT)
    actual = step.row.actual
    if step.is_live and isinstance(actual, ToolCall) and actual.error:
        return cell(f"{ERROR} error", cells, WARN)
    return cell("", cells)


def _side(step: Step, cells: int, side: Side, *, expected: bool) -> Content:
    """One side of a row: nodes at the margin, calls indented, one blank before the next column."""
    what = step.row.expected if expected else step.row.actual
    if what is None and step.is_context:
        return cell("", cells)
    indent = "  " if step.is_tool else ""
    room = max(0, cells - len(indent) - 1)
    return pad(join(indent, item(what, room, step.row, side)), cells)


def _bar(step: Step, cells: int, total: float) -> Content:
    """Where in the whole time a step lies, at least one cell long."""
    if step.at is None or total <= 0 or step.row.actual is None:
        return cell("", cells)
    start = min(cells - 1, int(step.at / total * cells))
    length = min(cells - start, max(1, round((step.took or 0.0) / total * cells)))
    return join(
        text(LIGHT * start, HAIR),
        text(HEAVY * length, MUTED if step.is_tool else ACCENT),
        text(LIGHT * (cells - start - length), HAIR),
    )
