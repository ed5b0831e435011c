"""The table of cases: ten thousand rows, of which only the visible ones are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.strip import Strip

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.anchor import Anchor
from tenxgraph_tui.tui.case_lines import CaseLines
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.intents import EditCase
from tenxgraph_tui.tui.kit import BLANK
from tenxgraph_tui.tui.lines.columns import Columns, heading_at, headings
from tenxgraph_tui.tui.listing import Listing
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
        self._lines = CaseLines(desk, listing)
        self._anchor = Anchor(desk, listing.rows)

    @property
    def key(self) -> CaseKey | None:
        """The case under the cursor."""
        rows = self._listing.rows
        return rows[self.cursor].key if self.cursor < len(rows) else None

    @property
    def columns(self) -> Columns:
        """The columns that there is room for."""
        return self._lines.columns

    def show(self, now: float) -> None:
        """Draw the desk's cases as they are now; the cursor and the view stay with theirs."""
        self._lines.fit(self.inner_width, now)
        lanes = LANES if self.size.height >= SHORT else LANES_WHEN_SHORT
        if self._listing.follow(lanes):
            self._rows_moved()
        else:
            self.update_lines()
        self._anchor.note_top(self.scroll_offset.y)

    def _rows_moved(self) -> None:
        top = self.scroll_offset.y
        is_seen = self.frame.shows(self.cursor, top)
        place, above = self._anchor.places(self.cursor, top, is_seen=is_seen)
        self.rows_changed(place)
        if above != self.scroll_offset.y and top:
            self.scroll_to(y=above, animate=False, immediate=True)
        if not self._anchor.is_set:
            self._anchor.note(self.cursor)

    def to_top(self) -> None:
        """Show the first rows, whichever cases they will be."""
        self._anchor.forget()
        self.cursor = 0
        self.scroll_to(y=0, animate=False, immediate=True)

    def put_cursor(self, key: CaseKey) -> None:
        """Move the cursor to a case, if it has a row."""
        place = self._listing.rows.place_of(key)
        if place is not None:
            self.go_to(place)
            self._anchor.note(self.cursor)

    def row_count(self) -> int:
        return len(self._listing.rows)

    def cursor_moved(self) -> None:
        self._anchor.note(self.cursor)
        if (key := self.key) is not None:
            self.post_message(self.Moved(key))

    def row_clicked(self, index: int) -> None:
        self.post_message(self.Opened(self._listing.rows[index].key))

    def head_clicked(self, index: int, x: int) -> None:
        if index == 0:
            self.post_message(self.FilterAsked())
            return
        found = heading_at(headings(self.columns), x)
        if found is not None and found.by:
            self.post_message(self.HeadingClicked(found.by))

    def on_resize(self) -> None:
        self._lines.fit(self.inner_width)
        super().on_resize()

    def render_line(self, y: int) -> Strip:
        if self._lines.width != self.inner_width:  # drawn before it was told of its size
            self._lines.fit(self.inner_width)
        return super().render_line(y)

    def head_line(self, index: int, width: int) -> Content:
        lines = self._lines
        return lines.header() if index else lines.rule(width, focused=self.has_focus)

    def below(self, index: int, width: int) -> Content:
        return BLANK if index else self._lines.below(width)

    def row_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - the columns know it
        return self._lines.row(index)

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
