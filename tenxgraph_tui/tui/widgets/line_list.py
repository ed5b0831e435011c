"""A scrolling list of lines with a cursor: what the browser, the presets and the cases share."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size

from tenxgraph_tui.tui.framing import Part
from tenxgraph_tui.tui.kit import BLANK, CURSOR, CURSOR_BLURRED, highlight
from tenxgraph_tui.tui.widgets.framed_lines import FramedLines


class LineList(FramedLines, can_focus=True):
    """Framed lines, one row of which has the cursor.

    A subclass says how many rows there are and how one looks, and where the cursor belongs when
    rows move.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Previous row", show=False, id="list.up"),
        Binding("down,j", "move(1)", "Next row", show=False, id="list.down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="list.page_up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="list.page_down"),
        Binding("home", "go(0)", "First row", show=False, id="list.home"),
        Binding("end", "go(-1)", "Last row", show=False, id="list.end"),
    ]
    CLICKS_TO_OPEN: ClassVar[int] = 1
    """How many quick clicks on a row mean more than to go there, once it has the cursor."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.cursor = 0

    def row_seen(self, index: int, part: int, width: int) -> Content:
        line = self.row_part(index, part, width)
        if line is None or index != self.cursor:
            return line or BLANK
        return highlight(line, width, CURSOR if self.is_lit() else CURSOR_BLURRED)

    def head_clicked(self, index: int, x: int) -> None:
        """Cell `x` of a line of the head was clicked."""

    def foot_clicked(self, index: int) -> None:
        """A line of the foot was clicked."""

    def cursor_moved(self) -> None:
        """The cursor is on another row, because the user moved it."""

    def row_clicked(self, index: int) -> None:
        """The row that had the cursor was clicked again."""

    def is_lit(self) -> bool:
        """Whether the keys go here, so that the cursor is drawn in full."""
        return self.has_focus

    def rows_changed(self, index: int | None = None) -> None:
        """There are other rows: the cursor goes to `index`; the view moves only if it held it."""
        frame = self.frame
        was_visible = frame.shows(self.cursor, self.scroll_offset.y)
        self.cursor = frame.nearest(self.cursor if index is None else index)
        # what the foot says may be about the row with the cursor
        self.virtual_size = Size(max(0, self.size.width), self.frame.length)
        if was_visible:
            self.reveal()
        self.update_lines()

    def reveal(self) -> None:
        """Scroll as little as needed to see the cursor."""
        top = self.frame.top_to_see(self.cursor, self.scroll_offset.y)
        if top != self.scroll_offset.y:
            self.scroll_to(y=top, animate=False, immediate=True)

    def go_to(self, index: int) -> None:
        """Put the cursor on a row and tell about it."""
        frame = self.frame
        index = frame.nearest(index)
        if index == self.cursor:
            self.reveal()
            return
        before, top = self.cursor, self.scroll_offset.y
        self.cursor = index
        self.reveal()
        if self.scroll_offset.y == top:
            for row in (before, index):
                for part in range(frame.row_height):
                    self.refresh_line(row * frame.row_height + part + self.HEAD)
        else:
            self.refresh()
        self.cursor_moved()

    def action_move(self, rows: int) -> None:
        self.go_to(self.cursor + rows)

    def action_page(self, pages: int) -> None:
        self.go_to(self.cursor + pages * self.frame.page)

    def action_go(self, index: int) -> None:
        self.go_to(index if index >= 0 else self.row_count() - 1)

    def on_click(self, event: events.Click) -> None:
        part, index, _ = self.frame.place(event.y, self.scroll_offset.y)
        if part is Part.HEAD:
            self.head_clicked(index, event.x)
        elif part is Part.FOOT:
            self.foot_clicked(index)
        elif part is Part.ROW:
            if index == self.cursor and event.chain >= self.CLICKS_TO_OPEN:
                self.row_clicked(index)
            self.go_to(index)

    def on_resize(self) -> None:
        self.rows_changed()

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()
