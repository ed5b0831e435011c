"""The sheet on which columns of the case table are switched on and off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.getters import query_one
from textual.message import Message

from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import BLANK, keys, rule
from tenxgraph_tui.tui.lines.column_rows import ColumnRow, column_line
from tenxgraph_tui.tui.screens.front import Sheet
from tenxgraph_tui.tui.widgets.line_list import LineList


class ColumnList(LineList):
    """Columns with a box each."""

    GUTTER = 0
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "switch", "On, off", key_display="space", id="columns.toggle"),
    ]

    @dataclass
    class Toggled(Message):
        """The user wants a column, or does not want it any more."""

        name: str

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[ColumnRow] = ()

    def show(self, rows: Sequence[ColumnRow]) -> None:
        self._rows = rows
        self.styles.height = len(rows) + self.HEAD
        self.rows_changed()

    def row_count(self) -> int:
        return len(self._rows)

    def head_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - there is one
        offered = keys(
            [(word("columns.toggle"), "On, off"), (word("columns.close"), "Close")],
            max(0, width - 16),
        )
        return rule("Columns", width, offered or BLANK, focused=True)

    def row_line(self, index: int, width: int) -> Content:
        return column_line(self._rows[index], width)

    def row_clicked(self, index: int) -> None:
        self.post_message(self.Toggled(self._rows[index].name))

    def action_switch(self) -> None:
        if self._rows:
            self.row_clicked(self.cursor)


class ColumnsScreen(Sheet[None]):
    """`rows` gives the columns as they are now; `toggle` switches one and has the table drawn."""

    AUTO_FOCUS = "ColumnList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,C", "dismiss(None)", "Close", key_display="esc", id="columns.close"),
    ]

    sheet = query_one(ColumnList)

    def __init__(
        self, rows: Callable[[], Sequence[ColumnRow]], toggle: Callable[[str], None]
    ) -> None:
        super().__init__()
        self._rows, self._toggle = rows, toggle

    def compose(self) -> ComposeResult:
        yield ColumnList()

    def on_mount(self) -> None:
        self.sheet.show(self._rows())

    @on(ColumnList.Toggled)
    def _switch(self, message: ColumnList.Toggled) -> None:
        self._toggle(message.name)
        self.sheet.show(self._rows())
