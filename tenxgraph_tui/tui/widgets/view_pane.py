"""One view of a case, as the drill-down knows it."""

from __future__ import annotations

from typing import ClassVar

from tenxgraph_tui.tui.panes.frame import Tab
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.widgets.line_pane import LinePane


class ViewPane(LinePane):
    """Draws a case. A `place` is where its reader was: what only the view itself understands."""

    TAB: ClassVar[Tab]

    @property
    def place(self) -> object:
        """Where the reader is; None where there is nothing to read."""
        raise NotImplementedError

    def look_at(self, model: DetailModel | None, place: object = None) -> None:
        """Draw a case, or nothing, with the reader where `place` says; None is the beginning."""
        raise NotImplementedError
