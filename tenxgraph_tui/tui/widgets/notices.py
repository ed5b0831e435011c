"""What stands in the place of the cases: trouble, an empty project, a terminal too small."""

from __future__ import annotations

from typing import ClassVar

from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from tenxgraph_tui.tui.lines.notices import Empty, empty_lines, too_small, trouble_lines
from tenxgraph_tui.tui.trouble import Trouble
from tenxgraph_tui.tui.widgets.line_pane import LinePane


class TroubleView(LinePane):
    """Why nothing could be run."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back to the cases", id="notice.back"),
    ]

    class Dismissed(Message):
        """The user has read it."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: Trouble | None = None

    def tell(self, trouble: Trouble | None) -> None:
        if trouble is self._shown:
            return
        self._shown = trouble
        if trouble is not None:
            self.show(lambda width, height: trouble_lines(trouble, width, height))

    def action_back(self) -> None:
        self.post_message(self.Dismissed())


class EmptyView(LinePane):
    """There is no eval set."""

    def tell(self, empty: Empty) -> None:
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
