"""The sheet on which one chooses what to copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.getters import query_one
from textual.message import Message

from tenxgraph_tui.tui.copies import What
from tenxgraph_tui.tui.lines.copies import (
    PREVIEW,
    CopyRow,
    copy_line,
    copy_title,
    preview_lines,
)
from tenxgraph_tui.tui.screens.front import Sheet, is_beside
from tenxgraph_tui.tui.widgets.bars import Row
from tenxgraph_tui.tui.widgets.line_list import LineList


class CopyList(LineList):
    """What can be copied. One click is enough: it is a menu."""

    GUTTER = 0
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y", "choose", "Copy", key_display="enter", id="copies.choose"),
    ]

    @dataclass
    class Chosen(Message):
        """The user wants this one."""

        what: What

    class Moved(Message):
        """The cursor is on another one."""

    def __init__(self, rows: Sequence[CopyRow]) -> None:
        super().__init__()
        self._rows = rows

    def on_mount(self) -> None:
        self.styles.height = len(self._rows) + self.HEAD

    @property
    def row(self) -> CopyRow:
        """The one that the cursor is on."""
        return self._rows[self.cursor]

    def row_count(self) -> int:
        return len(self._rows)

    def head_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - there is one
        return copy_title("Copy", width)

    def row_line(self, index: int, width: int) -> Content:
        return copy_line(self._rows[index], width)

    def cursor_moved(self) -> None:
        self.post_message(self.Moved())

    def on_click(self, event: events.Click) -> None:
        event.prevent_default()
        index = self.scroll_offset.y + event.y - self.HEAD
        if event.y >= self.HEAD and index < self.row_count():
            self.go_to(index)
            self.action_choose()

    def action_choose(self) -> None:
        self.post_message(self.Chosen(self.row.what))


class CopyPreview(Row):
    """What the row under the cursor would put into the clipboard."""

    DEFAULT_CSS = f"CopyPreview {{ height: {PREVIEW}; }}"

    def __init__(self) -> None:
        super().__init__()
        self._row: CopyRow | None = None

    def show(self, row: CopyRow) -> None:
        self._row = row
        self.refresh()

    def render(self) -> RenderResult:
        return Content("\n").join(preview_lines(self._row, *self.size))


class CopyScreen(Sheet[What | None]):
    """Gives back what is to be copied."""

    AUTO_FOCUS = "CopyList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close", id="copies.close"),
    ]

    sheet = query_one(CopyList)
    preview = query_one(CopyPreview)

    def __init__(self, rows: Sequence[CopyRow]) -> None:
        super().__init__()
        self._rows = rows

    def compose(self) -> ComposeResult:
        with Vertical(id="copies"):
            yield CopyList(self._rows)
            yield CopyPreview()

    def on_mount(self) -> None:
        self._look()

    @on(CopyList.Moved)
    def _look(self) -> None:
        self.preview.show(self.sheet.row)

    @on(CopyList.Chosen)
    def _choose(self, message: CopyList.Chosen) -> None:
        self.dismiss(message.what)

    def on_click(self, event: events.Click) -> None:
        if is_beside(self, event):
            self.dismiss(None)
