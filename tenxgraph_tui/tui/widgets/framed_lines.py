"""Lines between a head and a foot: of thousands of rows only those in sight are drawn."""

from __future__ import annotations

from typing import ClassVar, assert_never

from textual.content import Content
from textual.geometry import Region
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip

from tenxgraph_tui.tui.framing import Frame, Part
from tenxgraph_tui.tui.kit import BLANK, strip
from tenxgraph_tui.tui.widgets.scroll_line import thin


class FramedLines(ScrollView):
    """Draws what a subclass tells of its rows, its head and its foot, and draws it once.

    A row may be several lines high, blank ones between the rows among them.
    """

    DEFAULT_CSS = """
    FramedLines {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
    }
    """
    HEAD: ClassVar[int] = 1
    GUTTER: ClassVar[int] = 1

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
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

    def row_seen(self, index: int, part: int, width: int) -> Content:
        """The same as it is drawn."""
        return self.row_part(index, part, width) or BLANK

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

    @property
    def inner_width(self) -> int:
        """The cells that a line may fill: neither the scrollbar nor the blank before it."""
        return max(0, self.scrollable_content_region.width - self.GUTTER)

    @property
    def frame(self) -> Frame:
        """Where everything stands now."""
        return Frame(self.row_count(), self.size.height, self.HEAD, self.foot, self.row_height)

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
        part, index, line = self.frame.place(y, self.scroll_offset.y)
        match part:
            case Part.HEAD:
                return self.head_line(index, width)
            case Part.ROW:
                return self.row_seen(index, line, width)
            case Part.BELOW:
                return self.below(index, width)
            case Part.FOOT:
                return self.foot_line(index, width)
            case _:
                assert_never(part)
