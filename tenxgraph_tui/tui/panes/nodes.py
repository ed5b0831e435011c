"""*Nodes*: every call of a model or a tool, and everything about the selected one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.tui.glyphs import FAINT, HAIR, MUTED
from tenxgraph_tui.tui.kit import (
    BLANK,
    CURSOR,
    clip,
    hairline,
    highlight,
    join,
    pad,
    text,
)
from tenxgraph_tui.tui.panes import node_row, states
from tenxgraph_tui.tui.panes.chat_lines import Fold
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.node_call import NodeCall
from tenxgraph_tui.tui.panes.node_calls import decisive_call, node_calls
from tenxgraph_tui.tui.panes.node_detail import call_lines
from tenxgraph_tui.tui.panes.scrolled import BAR, THUMB, TRACK, scrolled, with_bar
from tenxgraph_tui.tui.words import clean, shorten

BESIDE_FROM, WIDE_FROM = 96, 140
NARROW_LIST, WIDE_LIST = 50, 56
NO_ROOM_FOR_DETAIL = 12
ROOMY = 24
LOW, HIGH = Fold(lines=2, first=1, last=3), Fold(lines=4, first=2, last=8)
"""Of what a model was sent, in a pane with little room and in one with more."""
PARTING = " │ "


@dataclass(frozen=True, slots=True)
class Drawn:
    """The lines of the pane and, for each, the call that the list has there, up to `list_width`.

    `offset` is how far the details are really scrolled.
    """

    lines: list[Content]
    calls: list[int | None]
    list_width: int = 0
    offset: int = 0

    def call_at(self, x: int, y: int) -> int | None:
        """The call in the list that the mouse is on."""
        is_listed = 0 <= y < len(self.calls) and x < self.list_width
        return self.calls[y] if is_listed else None


def lines(
    model: DetailModel, width: int, height: int, selected: int | None = None, offset: int = 0
) -> list[Content]:
    """At most `height` lines of at most `width` cells; the call where it went wrong is selected."""
    calls = node_calls(model)
    at = decisive_call(model) if selected is None else selected
    return draw(calls, model, width, height, at, offset).lines


def draw(
    calls: Sequence[NodeCall],
    model: DetailModel,
    width: int,
    height: int,
    selected: int,
    offset: int = 0,
    cursor: str = CURSOR,
) -> Drawn:
    """The same, with what a click needs."""
    if width <= 0 or height <= 0:
        return Drawn([], [])
    if not calls:
        told = _nothing(model, width)[:height]
        return Drawn(told, [None] * len(told))
    selected = max(0, min(selected, len(calls) - 1))
    listing = _Listing(calls, model, selected, cursor)
    if width >= BESIDE_FROM:
        return _beside(listing, width, height, offset)
    return _stacked(listing, width, height, offset)


def _nothing(model: DetailModel, width: int) -> list[Content]:
    if model.result is None:
        return [line for block in states.without_result(model, width) for line in block]
    found = [text("No call of a model or a tool was recorded.", MUTED)]
    if model.result.is_error:
        found += [BLANK, *states.error_lines(model.result, width, NO_ROOM_FOR_DETAIL)]
    return [clip(line, width) for line in found]


def _beside(listing: _Listing, width: int, height: int, offset: int) -> Drawn:
    """The list at the left, the details at its right: each has the whole height."""
    cells = WIDE_LIST if width >= WIDE_FROM else NARROW_LIST
    left, owners = listing.lines(cells, height, is_beside=True)
    room = width - cells - len(PARTING)
    right, offset = _details(listing, room, height, offset)
    drawn = [join(_parted(_at(left, at), cells), _at(right, at)) for at in range(height)]
    owners += [None] * (height - len(owners))
    return Drawn([clip(line, width) for line in drawn], owners, cells, offset)


def _parted(line: Content, cells: int) -> Content:
    """A line of the list and what parts it from the details: its own bar, if it has one."""
    is_scrolled = line.plain.endswith((THUMB, TRACK))
    return join(line, " ") if is_scrolled else join(pad(line, cells), text(PARTING, HAIR))


def _stacked(listing: _Listing, width: int, height: int, offset: int) -> Drawn:
    """The list above, the details below it where there is room for them."""
    if height < NO_ROOM_FOR_DETAIL:
        drawn, owners = listing.lines(width, height)
        return Drawn(drawn, owners, width)
    above = min(listing.height, height // 2)
    drawn, owners = listing.lines(width, above)
    below, offset = _details(listing, width, height - len(drawn) - 1, offset)
    drawn = [*drawn, hairline(width), *below]
    owners += [None] * (len(drawn) - len(owners))
    return Drawn(drawn, owners, width, offset)


def _details(listing: _Listing, width: int, height: int, offset: int) -> tuple[list[Content], int]:
    """What is seen of the details, and how far they are scrolled: never beyond their end."""
    fold = LOW if height < ROOMY else HIGH
    found = listing.details(width, fold)
    if len(found) > height:
        found = listing.details(max(1, width - BAR), fold)
    offset = max(0, min(offset, len(found) - height))
    return scrolled(found, width, height, offset), offset


def _at(lines: Sequence[Content], index: int) -> Content:
    return lines[index] if index < len(lines) else BLANK


class _Listing:
    """The calls as rows: of thousands only those that are seen are drawn."""

    def __init__(
        self, calls: Sequence[NodeCall], model: DetailModel, selected: int, cursor: str
    ) -> None:
        self._calls, self._model = calls, model
        self._selected, self._cursor = selected, cursor
        self._rows = _plan(calls, model)

    @property
    def height(self) -> int:
        """How many lines all of it takes, its head included."""
        return len(self._rows) + 1

    def details(self, width: int, fold: Fold) -> list[Content]:
        return call_lines(self._model, self._calls[self._selected], width, fold)

    def lines(
        self, width: int, height: int, *, is_beside: bool = False
    ) -> tuple[list[Content], list[int | None]]:
        """The lines around the selected call, and the call that each of them is of.

        Beside the details there is a line for the total, and a bar stands right of `width`.
        """
        shown = min(len(self._rows), max(1, height - 1))
        outer = width + BAR if is_beside else width
        inner = width if shown == len(self._rows) else max(1, outer - BAR)
        columns = node_row.Columns.of(self._calls, inner)
        first = self._first(shown)
        visible = self._rows[first : first + shown]
        drawn = [self._line(row, columns, inner) for row in visible]
        found = [node_row.head(columns), *with_bar(drawn, outer, first, len(self._rows))]
        owners = [None, *(index for index, _ in visible)]
        if is_beside and self._model.result is not None and height > len(found):
            found.append(node_row.total(self._calls, self._model.result.duration_seconds, columns))
            owners.append(None)
        return [clip(line, outer) for line in found[:height]], owners[:height]

    def _first(self, shown: int) -> int:
        at = next(at for at, row in enumerate(self._rows) if row[0] == self._selected)
        return max(0, min(at - shown // 2, len(self._rows) - shown))

    def _line(self, row: tuple[int | None, int], columns: node_row.Columns, width: int) -> Content:
        index, turn = row
        if index is None:
            asked = shorten(clean(self._model.asked(turn)), width)
            return clip(join(text(f"turn {turn + 1}", "bold"), "  ", text(asked, FAINT)), width)
        line = node_row.row(self._calls[index], columns)
        if index == self._selected:
            return highlight(line, width, self._cursor)
        return pad(line, width)


def _plan(calls: Sequence[NodeCall], model: DetailModel) -> list[tuple[int | None, int]]:
    """The calls by their position; where a turn begins there is a line without one before it."""
    rows: list[tuple[int | None, int]] = []
    turn: int | None = None
    for index, call in enumerate(calls):
        if model.turn_count > 1 and call.turn is not None and call.turn != turn:
            turn = call.turn
            rows.append((None, turn))
        rows.append((index, turn or 0))
    return rows
