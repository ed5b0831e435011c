"""All keys that work, by where they work, and what the signs mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.getters import query_one

from tenxgraph_tui.tui.lines.help import Group, help_lines
from tenxgraph_tui.tui.screens.front import Sheet
from tenxgraph_tui.tui.widgets.line_pane import LinePane


class HelpScreen(Sheet[None]):
    """A sheet over whatever was there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "app.quit", "Quit", show=False, id="app.quit"),
        Binding("escape", "dismiss(None)", "Close", id="case.back"),
        Binding("question_mark", "dismiss(None)", show=False, id="app.help"),
    ]

    sheet = query_one("#help", LinePane)

    def __init__(self, groups: Sequence[Group]) -> None:
        super().__init__()
        self._groups = tuple(groups)

    def compose(self) -> ComposeResult:
        yield LinePane(lambda width, _: help_lines(self._groups, width), id="help")

    def on_resize(self) -> None:
        """As high as its lines, and no higher than the screen lets it be."""
        lines = help_lines(self._groups, self.sheet.line_width)
        self.sheet.styles.height = len(lines) + 1
