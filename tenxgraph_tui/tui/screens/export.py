"""The sheet of an export: boxes to switch, a folder to type, and one key that has it written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.getters import query_one
from textual.message import Message

from tenxgraph_tui.tui.exporting.choice import ExportRow
from tenxgraph_tui.tui.exporting.runs import Exported
from tenxgraph_tui.tui.lines.export import (
    FOOT,
    ExportStatus,
    export_line,
    export_title,
    foot_line,
)
from tenxgraph_tui.tui.screens.front import Sheet, is_beside
from tenxgraph_tui.tui.widgets.line_list import LineList


class ExportList(LineList):
    """The choices; what is going on and the keys stand below them."""

    GUTTER = 0
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "switch", "On, off", tooltip="Switch, or type", id="export.toggle"),
    ]

    @dataclass
    class Switched(Message):
        """The user wants a box switched, or to type the folder."""

        name: str

    def __init__(self, run: Exported) -> None:
        super().__init__()
        self._run = run
        self._rows: Sequence[ExportRow] = ()
        self._status = ExportStatus()

    def show(self, rows: Sequence[ExportRow], status: ExportStatus) -> None:
        self._status = status
        if len(rows) != len(self._rows):
            self.styles.height = len(rows) + self.HEAD + self.foot
        self._rows = rows
        self.rows_changed()

    @property
    def foot(self) -> int:
        return FOOT

    def row_count(self) -> int:
        return len(self._rows)

    def head_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - there is one
        return export_title(self._run, width)

    def row_line(self, index: int, width: int) -> Content:
        return export_line(self._rows[index], width)

    def foot_line(self, index: int, width: int) -> Content:
        return foot_line(self._status, index, width)

    def row_clicked(self, index: int) -> None:
        self.post_message(self.Switched(self._rows[index].name))

    def action_switch(self) -> None:
        if self._rows:
            self.row_clicked(self.cursor)


class ExportScreen(Sheet[None]):
    """`rows` and `status` give what is to be shown now; what is wanted is reported."""

    AUTO_FOCUS = "ExportList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,e", "begin", "Export", key_display="enter", id="export.begin"),
        Binding("x", "stop", "Stop", tooltip="Give the export up", id="export.stop"),
        Binding("escape", "dismiss(None)", "Close", id="export.close"),
    ]

    @dataclass
    class Begun(Message):
        """The user wants the run written."""

        run: Exported

    class Stopped(Message):
        """The user wants it given up."""

    sheet = query_one(ExportList)

    def __init__(
        self,
        run: Exported,
        rows: Callable[[], Sequence[ExportRow]],
        status: Callable[[], ExportStatus],
    ) -> None:
        super().__init__()
        self._run = run
        self._rows, self._status = rows, status

    def compose(self) -> ComposeResult:
        with Vertical(id="export"):
            yield ExportList(self._run)

    def on_mount(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Show the choices and the state of the export as they are now."""
        self.sheet.show(self._rows(), self._status())
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"begin", "stop"}:
            return self._status().is_busy is (action == "stop")
        return super().check_action(action, parameters)

    def action_begin(self) -> None:
        self.post_message(self.Begun(self._run))

    def action_stop(self) -> None:
        self.post_message(self.Stopped())

    @on(events.Click)
    def _leave(self, event: events.Click) -> None:
        if is_beside(self, event):
            self.dismiss(None)
