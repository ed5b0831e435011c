"""What stands in the place of the cases: trouble, an empty project, a terminal too small."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from tenxgraph_tui.tui.intents import EditFile
from tenxgraph_tui.tui.lines.notices import Empty, empty_lines, log_lines, too_small, trouble_lines
from tenxgraph_tui.tui.trouble import Trouble
from tenxgraph_tui.tui.widgets.line_pane import LinePane


class TroubleView(LinePane):
    """Why nothing could be run."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back to the cases", id="notice.back"),
        Binding("o", "edit", "Open line", tooltip="Open the line in an editor", id="notice.edit"),
        Binding("6", "log", "Log", tooltip="Show the whole traceback", id="notice.log"),
    ]

    class Dismissed(Message):
        """The user has read it."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: Trouble | None = None
        self._in_log = False

    def tell(self, trouble: Trouble | None) -> None:
        if trouble is self._shown:
            return
        self._shown, self._in_log = trouble, False
        self._draw()

    def _draw(self, *, focused: bool | None = None) -> None:
        if self._shown is not None:
            lines = log_lines if self._in_log else trouble_lines
            focused = self.has_focus if focused is None else focused
            self.show(partial(lines, self._shown, focused=focused))

    def on_focus(self) -> None:
        self._draw(focused=True)

    def on_blur(self) -> None:
        self._draw(focused=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "log":
            return self._shown is not None and bool(self._shown.log)
        if action == "edit":
            return self._shown is not None and bool(self._shown.file)
        return super().check_action(action, parameters)

    def action_log(self) -> None:
        """Show the whole traceback, or what it comes to again."""
        self._in_log = not self._in_log
        self._draw()

    def action_edit(self) -> None:
        """Open the file that the error names, at its line."""
        if self._shown is not None:
            self.post_message(EditFile(self._shown.file, self._shown.line))

    def action_back(self) -> None:
        """Leave the traceback, then the error."""
        if self._in_log:
            self.action_log()
        else:
            self.post_message(self.Dismissed())


class EmptyView(LinePane):
    """There is no eval set."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "o",
            "app.open_folder",
            "Open a folder",
            tooltip="Open another folder",
            id="notice.open_folder",
        ),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: Empty | None = None

    def tell(self, empty: Empty) -> None:
        if empty == self._shown:
            return
        self._shown = empty
        self.show(lambda width, height: empty_lines(empty, width, height))


class TooSmall(Widget):
    """The terminal is too small for anything else."""

    DEFAULT_CSS = """
    TooSmall { width: 1fr; height: 1fr; text-wrap: nowrap; }
    """
    NEEDED: ClassVar[tuple[int, int]] = (40, 8)

    def render(self) -> RenderResult:
        width, height = self.size
        return Content("\n").join(too_small(width, height, self.NEEDED))
