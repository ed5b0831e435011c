"""A value of any size: it is walked through, folded and unfolded."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from tenxgraph_tui.tui.kit import BLANK
from tenxgraph_tui.tui.lines.value import value_line
from tenxgraph_tui.tui.value.document import Document
from tenxgraph_tui.tui.value.node import Node
from tenxgraph_tui.tui.value.search import Found
from tenxgraph_tui.tui.widgets.line_list import LineList


class ValuePane(LineList):
    """Draws the lines of a document; those of a long text are made while the first are read."""

    HEAD: ClassVar[int] = 0
    DEFAULT_CSS = """
    ValuePane { scrollbar-gutter: stable; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "switch", "Fold", tooltip="Fold or unfold", id="value.toggle"),
        Binding("right,l", "unfold", "Unfold", show=False, id="value.unfold"),
        Binding("left,h", "fold", "Fold", show=False, id="value.fold"),
        Binding("y", "copy", "Copy", tooltip="Copy what the cursor is on", id="value.copy"),
    ]

    @dataclass
    class CopyAsked(Message):
        """The user wants a value in the clipboard; `path` leads to it, as one would write it."""

        path: str
        value: Any

    def __init__(self, document: Document, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.document = document
        self._pattern: re.Pattern[str] | None = None

    def row_count(self) -> int:
        return len(self.document.lines)

    def row_line(self, index: int, width: int) -> Content:
        return value_line(self.document.lines[index], width, self._pattern)

    def head_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - there is none
        return BLANK

    def row_clicked(self, index: int) -> None:  # noqa: ARG002 - it has the cursor
        self.action_switch()

    def on_resize(self) -> None:
        width = self.inner_width
        if width and width != self.document.width:
            self._lay_out(width)
        else:
            self.rows_changed()

    def _lay_out(self, width: int) -> None:
        """Make the lines for a width; those of a long text stay as they are until they are made."""
        if not (self.document.is_large and self.document.lines):
            spot = self._spot
            self.document.begin(width)
            self._stand_on(*spot)
        self._complete(width)

    def _complete(self, width: int) -> None:
        """Have the lines made that take long."""
        if self.document.is_large:
            self.run_worker(self._lay_out_rest(width), exclusive=True, exit_on_error=False)

    async def _lay_out_rest(self, width: int) -> None:
        document, version = self.document, -1
        while version != document.version:  # something was folded meanwhile
            version = document.version
            lines = await asyncio.to_thread(document.laid_out, width)
        spot = self._spot
        document.take(lines, width)
        self._stand_on(*spot)

    @property
    def _spot(self) -> tuple[Node, int]:
        """What the cursor is on, whatever the width."""
        lines = self.document.lines
        if not lines:
            return self.document.root, 0
        line = lines[self.cursor]
        return line.node, line.start

    def _stand_on(self, node: Node, offset: int = 0) -> None:
        self.rows_changed(self.document.place(node, offset))
        self.reveal()

    def mark(self, pattern: re.Pattern[str] | None) -> None:
        """Have what is looked for stand out."""
        self._pattern = pattern
        self.update_lines()

    def go_to_found(self, found: Found) -> None:
        """Unfold what hides a place, and go there."""
        version = self.document.version
        self._stand_on(self.document.find(found.path), found.offset)
        if self.document.version != version:
            self._complete(self.inner_width)

    def action_switch(self) -> None:
        if self.document.lines:
            self.rows_changed(self.document.toggle(self.cursor))
            self._complete(self.inner_width)

    def action_unfold(self) -> None:
        """Unfold; what is unfolded already is entered."""
        node, _ = self._spot
        if node.folds and not node.is_open:
            self.action_switch()
        else:
            self.go_to(self.cursor + 1)

    def action_fold(self) -> None:
        """Fold; from what cannot be, go to what it is in."""
        node, _ = self._spot
        if node.folds and node.is_open and node is not self.document.root:
            self.action_switch()
        elif node.parent is not None:
            self._stand_on(node.parent)

    def action_copy(self) -> None:
        node, _ = self._spot
        self.post_message(self.CopyAsked(".".join(map(str, node.path())), node.data))
