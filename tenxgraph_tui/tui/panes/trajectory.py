"""*Trajectory*: what was expected and what happened, step by step, with the selected step below."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import assert_never

from textual.content import Content

from tenxgraph_tui.evaluation.numbers import seconds
from tenxgraph_tui.tui.glyphs import ACCENT, FAINT, HAIR, LIGHT, MUTED, RUNNING
from tenxgraph_tui.tui.kit import BLANK, CURSOR, Part, cell, clip, highlight, join, text
from tenxgraph_tui.tui.panes import states
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.rows import mark_cells
from tenxgraph_tui.tui.panes.scrolled import BAR, scrolled, with_bar
from tenxgraph_tui.tui.panes.step_detail import step_lines
from tenxgraph_tui.tui.panes.step_row import Columns, step_row
from tenxgraph_tui.tui.panes.steps import Timeline, timeline
from tenxgraph_tui.tui.words import clean, shorten

NO_ROOM_FOR_DETAIL, ROOMY = 12, 28
"""Below these heights the selected step is not shown, or shown so that all others are too."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The lines of the pane and, for each, the step that a click on it selects.

    `offset` is how far the selected step is really scrolled: never beyond its end.
    """

    lines: list[Content]
    steps: list[int | None]
    offset: int = 0


def lines(
    model: DetailModel, width: int, height: int, selected: int = 0, offset: int = 0
) -> list[Content]:
    """At most `height` lines of at most `width` cells: the steps around the selected one, and it.

    `offset` scrolls what is shown of the selected step.
    """
    return draw(timeline(model), model, width, height, selected, offset).lines


def draw(
    found: Timeline,
    model: DetailModel,
    width: int,
    height: int,
    selected: int,
    offset: int = 0,
    cursor: str = CURSOR,
) -> Drawn:
    """The same, with what a click needs."""
    if not found.steps:
        told = _nothing(model, width)[: max(0, height)]
        return Drawn(told, [None] * len(told))
    selected = max(0, min(selected, len(found.steps) - 1))
    room = max(0, height - 1)
    rows = _plan(found, model)
    least = max(room - len(rows), room // 2)
    spare = least if height >= ROOMY else max(0, room - len(rows))
    detail = step_lines(found.steps[selected], selected, model, width, spare - 1)
    below = min(len(detail) + 1, least) if _fits(height) else 0
    shown = min(len(rows), room - below)
    inner = width if shown == len(rows) else max(1, width - BAR)
    longest = max(mark_cells(step.row) for step in found.steps)
    columns = Columns.of(inner, longest)
    table = _Table(found, model, columns, inner, selected, cursor)
    first = _first(rows, selected, shown)
    visible = rows[first : first + shown]
    upper = with_bar([table.line(row) for row in visible], width, first, len(rows))
    offset = max(0, min(offset, len(detail) - 1 - max(0, room - shown - 2)))
    lower = _below(detail, width, room - shown, offset) if below else []
    drawn = [table.head(), *upper, *lower][: max(0, height)]
    owners = [row.index if row.kind is Kind.STEP else None for row in visible]
    steps = [None, *owners, *([None] * len(lower))][: len(drawn)]
    return Drawn([clip(line, width) for line in drawn], steps, offset)


def _fits(height: int) -> bool:
    return height >= NO_ROOM_FOR_DETAIL


def _nothing(model: DetailModel, width: int) -> list[Content]:
    if model.result is None:
        return [line for block in states.without_result(model, width) for line in block]
    return [clip(text("No steps were expected and none were recorded.", MUTED), width)]


def _below(detail: list[Content], width: int, room: int, offset: int) -> list[Content]:
    """A blank row and the selected step; its title stays when the rest is scrolled."""
    title, rest = detail[0], detail[1:]
    shown = max(0, room - 2)
    return [BLANK, title, *scrolled(rest, width, shown, offset)]


class Kind(Enum):
    """What a line of the table is: a step, the begin of a turn, or the mark of a divergence."""

    STEP = auto()
    TURN = auto()
    DIVERGENCE = auto()


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of the table, not drawn yet: of thousands only those that are seen are drawn."""

    kind: Kind
    index: int


def _plan(found: Timeline, model: DetailModel) -> list[_Row]:
    """The lines: where a turn begins and where they first diverge a step has one before it."""
    rows: list[_Row] = []
    turn: int | None = None
    for index, step in enumerate(found.steps):
        if model.turn_count > 1 and step.turn is not None and step.turn != turn:
            turn = step.turn
            rows.append(_Row(Kind.TURN, turn))
        if index == found.divergence:
            rows.append(_Row(Kind.DIVERGENCE, index))
        rows.append(_Row(Kind.STEP, index))
    return rows


def _first(rows: list[_Row], selected: int, shown: int) -> int:
    """The first line to show, so that the selected step is in the middle if it can be."""
    at = rows.index(_Row(Kind.STEP, selected))
    return max(0, min(at - shown // 2, len(rows) - shown))


@dataclass(frozen=True, slots=True)
class _Table:
    """Draws the lines of the table."""

    found: Timeline
    model: DetailModel
    columns: Columns
    width: int
    selected: int
    cursor: str

    def head(self) -> Content:
        columns = self.columns
        parts: list[Part] = [
            cell("", columns.number),
            cell("expected", columns.side, MUTED),
            cell("actual", columns.side, MUTED),
            cell("", columns.mark),
            cell("at", columns.at, MUTED, align="right"),
            cell("took", columns.took, MUTED, align="right"),
        ]
        if columns.bar:
            total = seconds(self.found.seconds)
            parts += ["  ", cell("0s", columns.bar - len(total), MUTED), text(total, MUTED)]
        return clip(join(*parts), self.width)

    def line(self, row: _Row) -> Content:
        match row.kind:
            case Kind.TURN:
                return clip(self._turn(row.index), self.width)
            case Kind.DIVERGENCE:
                return self._divergence()
            case Kind.STEP:
                line = step_row(
                    self.found.steps[row.index], row.index, self.columns, self.found.seconds
                )
                if row.index == self.selected:
                    return highlight(line, self.width, self.cursor)
                return clip(line, self.width)
            case _:
                assert_never(row.kind)

    def _turn(self, turn: int) -> Content:
        asked = shorten(clean(self.model.asked(turn)), self.width)
        title = text(f"turn {turn + 1}", "bold")
        return join(cell("", self.columns.number), title, "  ", text(asked, FAINT))

    def _divergence(self) -> Content:
        title = join("  ", text(f"{RUNNING} first divergence ", f"bold {ACCENT}"))
        stroke = text(LIGHT * max(0, self.width - title.cell_length), HAIR)
        return clip(join(title, stroke), self.width)
