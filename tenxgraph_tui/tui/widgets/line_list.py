"""A scrolling list of lines with a cursor: what the browser, the presets and the cases share."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip

from tenxgraph_tui.tui.kit import BLANK, CURSOR, CURSOR_BLURRED, highlight, strip
from tenxgraph_tui.tui.widgets.scroll_line import thin


class LineList(ScrollView, can_focus=True):
    """Draws only the lines that are visible, between the lines of head and foot, which stay.

    A subclass says how many rows there are and how one looks, and where the cursor belongs when
    rows move. A row may be several lines high, blank ones between the rows among them.
    """

    DEFAULT_CSS = """
    LineList {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Previous row", show=False, id="list.up"),
        Binding("down,j", "move(1)", "Next row", show=False, id="list.down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="list.page_up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="list.page_down"),
        Binding("home", "go(0)", "First row", show=False, id="list.home"),
        Binding("end", "go(-1)", "Last row", show=False, id="list.end"),
    ]
    HEAD: ClassVar[int] = 1
    GUTTER: ClassVar[int] = 1
    CLICKS_TO_OPEN: ClassVar[int] = 1
    """How many quick clicks on a row mean more than to go there, once it has the cursor."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.cursor = 0
        self._drawn_lines: dict[int, tuple[Content, Strip]] = {}

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """Beside the rows, not beside the head."""
        return thin(super().vertical_scrollbar, self.HEAD)

    def row_count(self) -> int:
        raise NotImplementedError

    def head_line(self, index: int, width: int) -> Content:
        raise NotImplementedError

    def row_line(self, index: int, width: int) -> Content:
        raise NotImplementedError

    @property
    def row_height(self) -> int:
        """How many lines a row has."""
        return 1

    def row_part(self, index: int, part: int, width: int) -> Content | None:
        """Line `part` of a row that has several, None for a blank one between rows."""
        return None if part else self.row_line(index, width)

    @property
    def foot(self) -> int:
        """How many lines stay at the bottom."""
        return 0

    def foot_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - nothing, unless overridden
        """Line `index` of the foot."""
        return BLANK

    def below(self, index: int, width: int) -> Content:  # noqa: ARG002 - nothing, unless overridden
        """Line `index` after the last row."""
        return BLANK

    def head_clicked(self, index: int, x: int) -> None:
        """Cell `x` of a line of the head was clicked."""

    def foot_clicked(self, index: int) -> None:
        """A line of the foot was clicked."""

    def cursor_moved(self) -> None:
        """The cursor is on another row, because the user moved it."""

    def is_lit(self) -> bool:
        """Whether the keys go here, so that the cursor is drawn in full."""
        return self.has_focus

    def row_clicked(self, index: int) -> None:
        """The row that had the cursor was clicked again."""

    @property
    def inner_width(self) -> int:
        """The cells that a line may fill: neither the scrollbar nor the blank before it."""
        return max(0, self.scrollable_content_region.width - self.GUTTER)

    @property
    def page(self) -> int:
        return max(1, (self.size.height - self.HEAD - self.foot) // self.row_height)

    def rows_changed(self, index: int | None = None) -> None:
        """There are other rows: the cursor goes to `index`; the view moves only if it held it."""
        was_visible = self._is_visible(self.cursor)
        count = self.row_count()
        self.cursor = max(0, min(self.cursor if index is None else index, count - 1))
        height = count * self.row_height + self.HEAD + self.foot
        self.virtual_size = Size(max(0, self.size.width), height)
        if was_visible:
            self.reveal()
        self.update_lines()

    def reveal(self) -> None:
        """Scroll as little as needed to see the cursor."""
        room = self.size.height - self.HEAD - self.foot
        if room <= 0:
            return
        top, first = self.scroll_offset.y, self.cursor * self.row_height
        if first < top or self.row_height > room:
            self.scroll_to(y=first, animate=False, immediate=True)
        elif first + self.row_height > top + room:
            self.scroll_to(y=first + self.row_height - room, animate=False, immediate=True)

    def _is_visible(self, index: int) -> bool:
        top = self.scroll_offset.y
        return top <= index * self.row_height < top + self.page * self.row_height

    def go_to(self, index: int) -> None:
        """Put the cursor on a row and tell about it."""
        index = max(0, min(index, self.row_count() - 1))
        if index == self.cursor:
            self.reveal()
            return
        before, top = self.cursor, self.scroll_offset.y
        self.cursor = index
        self.reveal()
        if self.scroll_offset.y == top:
            for row in (before, index):
                for part in range(self.row_height):
                    self.refresh_line(row * self.row_height + part + self.HEAD)
        else:
            self.refresh()
        self.cursor_moved()

    def action_move(self, rows: int) -> None:
        self.go_to(self.cursor + rows)

    def action_page(self, pages: int) -> None:
        self.go_to(self.cursor + pages * self.page)

    def action_go(self, index: int) -> None:
        self.go_to(index if index >= 0 else self.row_count() - 1)

    def on_click(self, event: events.Click) -> None:
        index = (self.scroll_offset.y + event.y - self.HEAD) // self.row_height
        if (below := event.y - self.size.height + self.foot) >= 0:
            self.foot_clicked(below)
            return
        if event.y < self.HEAD:
            self.head_clicked(event.y, event.x)
            return
        if not 0 <= index < self.row_count():
            return
        if index == self.cursor and event.chain >= self.CLICKS_TO_OPEN:
            self.row_clicked(index)
        self.go_to(index)

    def on_resize(self) -> None:
        self.rows_changed()

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def update_lines(self) -> None:
        """Draw again what changed of what is visible, and nothing else."""
        inner, (width, height) = self.inner_width, self.size
        for y in range(height):
            drawn = self._drawn_lines.get(y)
            if drawn is None or not drawn[0].is_same(self._line(y, inner)):
                self.refresh(Region(0, y, width, 1))

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._drawn_lines.clear()

    def render_line(self, y: int) -> Strip:
        line, width = self._line(y, self.inner_width), self.size.width
        drawn = self._drawn_lines.get(y)
        if drawn is not None and drawn[1].cell_length == width and drawn[0].is_same(line):
            return drawn[1]
        made = strip(line, width, self.visual_style)
        self._drawn_lines[y] = (line, made)
        return made

    def _line(self, y: int, width: int) -> Content:
        if y < self.HEAD:
            return self.head_line(y, width)
        if (below := y - self.size.height + self.foot) >= 0:
            return self.foot_line(below, width)
        at, height = self.scroll_offset.y + y - self.HEAD, self.row_height
        index, part = divmod(at, height)
        if index >= self.row_count():
            return self.below(at - self.row_count() * height, width)
        line = self.row_part(index, part, width)
        if line is None or index != self.cursor:
            return line or BLANK
        return highlight(line, width, CURSOR if self.is_lit() else CURSOR_BLURRED)
