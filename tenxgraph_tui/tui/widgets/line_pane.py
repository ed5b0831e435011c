"""A pane that draws what a pure function returns, and scrolls it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip

from tenxgraph_tui.tui.kit import strip
from tenxgraph_tui.tui.widgets.scroll_line import thin

Lines = Callable[[int, int], list[Content]]
"""From a width and a height in cells to the lines; more lines than the height are scrolled."""

GUTTER = 1


class LinePane(ScrollView, can_focus=True):
    """Draws lines, asks for them again when its size or its data change."""

    DEFAULT_CSS = """
    LinePane {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", "Up", show=False, id="pane.up"),
        Binding("down,j", "scroll_down", "Down", show=False, id="pane.down"),
        Binding("pageup", "page_up", "Page up", show=False, id="pane.page_up"),
        Binding("pagedown", "page_down", "Page down", show=False, id="pane.page_down"),
        Binding("home", "scroll_home", "Top", show=False, id="pane.home"),
        Binding("end", "scroll_end", "End", show=False, id="pane.end"),
    ]

    def __init__(self, lines: Lines | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._source = lines
        self._lines: list[Content] = []
        self._drawn_for: tuple[int, int] | None = None
        self._wanted_top: float | None = None
        self._strips: dict[int, Strip] = {}

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """Drawn as the panes that scroll by themselves draw theirs."""
        return thin(super().vertical_scrollbar)

    def show(self, lines: Lines | None, *, top: float = 0) -> None:
        """Draw other lines, scrolled down to line `top`."""
        self._source, self._wanted_top = lines, top
        self.redraw()

    @property
    def line_width(self) -> int:
        """The cells that a line may fill: neither the scrollbar nor the blank before it."""
        return max(0, self.scrollable_content_region.width - GUTTER)

    def redraw(self) -> None:
        """Ask for the lines again; the scroll position stays."""
        self._ask()
        # as high as the pane at least: another size has the whole screen laid out again
        height = max(len(self._lines), self.scrollable_content_region.height)
        self.virtual_size = Size(self.line_width, height)
        if self._lines and self._wanted_top is not None:
            # not before there are lines: a pane that was hidden has no size to scroll in
            self.scroll_to(y=self._wanted_top, animate=False, immediate=True, force=True)
            self._wanted_top = None
        self.refresh()

    def _ask(self) -> None:
        width, height = self.line_width, self.scrollable_content_region.height
        self._drawn_for = width, height
        drawable = self._source is not None and width > 0 and height > 0
        before, self._lines = self._lines, []
        if self._source and drawable:
            self._lines = self._source(width, height)
        self._strips = {
            at: drawn
            for at, drawn in self._strips.items()
            if at < len(self._lines) and self._lines[at] is before[at]
        }

    def on_resize(self, event: events.Resize) -> None:
        event.stop()
        self.redraw()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()

    def render_line(self, y: int) -> Strip:
        if self._drawn_for != (self.line_width, self.scrollable_content_region.height):
            self._ask()  # drawn before it was told of its size
        width = self.size.width
        index = self.scroll_offset.y + y
        if index >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        drawn = self._strips.get(index)
        if drawn is None or drawn.cell_length != width:
            drawn = strip(self._lines[index], width, self.visual_style)
            self._strips[index] = drawn
        return drawn
