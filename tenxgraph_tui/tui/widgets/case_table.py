"""The table of cases: ten thousand rows, of which only the visible ones are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.strip import Strip

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.board import Board
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.changes import Change
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.intents import EditCase
from tenxgraph_tui.tui.kit import BLANK
from tenxgraph_tui.tui.labels import set_labels
from tenxgraph_tui.tui.lines.around_cases import cases_rule, no_match
from tenxgraph_tui.tui.lines.cases import RowContext, longest_name, row
from tenxgraph_tui.tui.lines.columns import Columns, columns, header, heading_at, headings
from tenxgraph_tui.tui.lines.kept import Kept
from tenxgraph_tui.tui.listing import Listing
from tenxgraph_tui.tui.sorting import FILE_ORDER
from tenxgraph_tui.tui.widgets.line_list import LineList

LANES, LANES_WHEN_SHORT, SHORT = 4, 3, 14


class CaseTable(LineList):
    """Shows the rows of a listing, and reports what the user is after."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", tooltip="Open the case", id="cases.open"),
        Binding("space", "select", "Select", tooltip="Select the case", id="cases.select"),
        Binding("o", "edit", "Edit", tooltip="Edit the file of the case", id="cases.edit"),
        Binding("escape", "clear_selection", "Clear selection", id="cases.clear"),
        Binding("escape", "clear_filter", "Clear filter", id="cases.clear_filter"),
    ]
    HEAD = 2
    CLICKS_TO_OPEN = 2

    @dataclass
    class Moved(Message):
        """The cursor is on another case."""

        key: CaseKey

    @dataclass
    class Opened(Message):
        """The user wants to see all of a case."""

        key: CaseKey

    @dataclass
    class Selected(Message):
        """The user wants cases in, or out of, the selection."""

        keys: tuple[CaseKey, ...]

    class Cleared(Message):
        """The user wants nothing selected any more."""

    class FilterAsked(Message):
        """The user wants to type a filter."""

    class FilterCleared(Message):
        """The user wants to see every case again."""

    @dataclass
    class HeadingClicked(Message):
        """The user wants the cases sorted by a column."""

        by: str

    def __init__(self, desk: Desk, listing: Listing, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._desk, self._listing = desk, listing
        self._board: Board | None = None
        self._longest, self._fitted = 0, 0
        self._labels: tuple[str, ...] = ()
        self._row_context = RowContext(Columns(case=0), (), (), 0.0)
        self._at: CaseId | None = None
        self._top: CaseKey | None = None
        self._lines: Kept[tuple[CaseKey, CaseStatus, bool, Change | None]] = Kept()

    @property
    def key(self) -> CaseKey | None:
        """The case under the cursor."""
        rows = self._listing.rows
        return rows[self.cursor].key if self.cursor < len(rows) else None

    @property
    def columns(self) -> Columns:
        """The columns that there is room for."""
        return self._row_context.columns

    def show(self, now: float) -> None:
        """Draw the desk's cases as they are now; the cursor and the view stay with theirs."""
        self._fit(now)
        lanes = LANES if self.size.height >= SHORT else LANES_WHEN_SHORT
        if self._listing.follow(lanes):
            self._rows_moved()
        else:
            self.update_lines()
        top = self.scroll_offset.y
        self._top = self._listing.rows[top].key if 0 < top < self.row_count() else None

    def _rows_moved(self) -> None:
        rows, top = self._listing.rows, self.scroll_offset.y
        key = self._desk.key_of(self._at) if self._at else None
        place = rows.near(key) if key is not None else 0
        offset = self.cursor - top
        if top and self.frame.shows(self.cursor, top):
            above = place - offset
        else:  # from the very top, new rows are seen as they come
            above = rows.near(self._top) if top and self._top is not None else top
        self.rows_changed(place)
        if above != self.scroll_offset.y and top:
            self.scroll_to(y=above, animate=False, immediate=True)
        if self._at is None:
            self._note_place()

    def _fit(self, now: float) -> None:
        board, listing = self._desk.board, self._listing
        if board is not self._board:
            self._board, self._labels = board, set_labels(board.sets)
            self._longest = longest_name(board.sets, self._labels)
            self._lines.clear()
        self._fitted = self.inner_width
        fitting = columns(self._fitted, listing.wanted(), longest=self._longest)
        if fitting != self._row_context.columns:
            self._lines.clear()
        self._row_context = RowContext(fitting, board.sets, self._labels, now)

    def to_top(self) -> None:
        """Show the first rows, whichever cases they will be."""
        self._at = self._top = None
        self.cursor = 0
        self.scroll_to(y=0, animate=False, immediate=True)

    def put_cursor(self, key: CaseKey) -> None:
        """Move the cursor to a case, if it has a row."""
        place = self._listing.rows.place_of(key)
        if place is not None:
            self.go_to(place)
            self._note_place()

    def row_count(self) -> int:
        return len(self._listing.rows)

    def _note_place(self) -> None:
        """Remember the case as it stands in its file: the next run may number its sets anew."""
        self._at = self._desk.id_of(self.key) if self.key is not None else None

    def cursor_moved(self) -> None:
        self._note_place()
        if (key := self.key) is not None:
            self.post_message(self.Moved(key))

    def row_clicked(self, index: int) -> None:
        self.post_message(self.Opened(self._listing.rows[index].key))

    def head_clicked(self, index: int, x: int) -> None:
        if index == 0:
            self.post_message(self.FilterAsked())
            return
        found = heading_at(headings(self._row_context.columns), x)
        if found is not None and found.by:
            self.post_message(self.HeadingClicked(found.by))

    def on_resize(self) -> None:
        self._fit(self._row_context.now)
        super().on_resize()

    def render_line(self, y: int) -> Strip:
        if self._fitted != self.inner_width:  # drawn before it was told of its size
            self._fit(self._row_context.now)
        return super().render_line(y)

    def head_line(self, index: int, width: int) -> Content:
        listing = self._listing
        if index:
            heads = headings(self._row_context.columns, self._desk.comparison.number)
            by = listing.order.by if listing.order != FILE_ORDER else None
            return header(heads, by, listing.order.arrow)
        count = (self.row_count(), listing.total)
        wanted = listing.filter.text if listing.filter is not None else ""
        return cases_rule(count, listing.order_words(), wanted, width, focused=self.has_focus)

    def below(self, index: int, width: int) -> Content:
        wanted = self._listing.filter
        if index or wanted is None or self.row_count():
            return BLANK
        return no_match(wanted.text, width)

    def row_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - the columns know it
        case = self._listing.rows[index]
        selected = self._desk.choices.selected
        is_selected = bool(selected) and self._desk.id_of(case.key) in selected
        if case.status is CaseStatus.RUNNING:
            return row(case, self._row_context, is_selected=is_selected)
        change = self._desk.change_of(case.key)
        drawn = (case.key, case.status, is_selected, change)
        draw = partial(row, case, self._row_context, is_selected=is_selected, change=change)
        return self._lines.get(drawn, draw)

    def action_open(self) -> None:
        if (key := self.key) is not None:
            self.post_message(self.Opened(key))

    def action_edit(self) -> None:
        if (key := self.key) is not None:
            self.post_message(EditCase(self._desk.id_of(key)))

    def action_select(self) -> None:
        if (key := self.key) is not None:
            self.post_message(self.Selected((key,)))
            self.action_move(1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"open", "select"}:
            return self.row_count() > 0
        if action in {"clear_selection", "clear_filter"} and self._desk.watch.has_told:
            return False  # the key says that it dismisses what is told
        if action == "clear_selection":
            return bool(self._desk.choices.selected)
        if action == "clear_filter":
            return self._listing.filter is not None
        return super().check_action(action, parameters)

    def action_clear_selection(self) -> None:
        self.post_message(self.Cleared())

    def action_clear_filter(self) -> None:
        self.post_message(self.FilterCleared())

    def to_next_failed(self, step: int) -> None:
        """Move the cursor to the next case that did not pass, around the end if need be."""
        found = self._listing.rows.next_not_passed(self.key, step)
        if found is not None:
            self.put_cursor(found)
