"""Why a case passed or did not, as a widget."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from tenxgraph_tui.tui.panes import why
from tenxgraph_tui.tui.panes.frame import Tab
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.widgets.view_pane import ViewPane


class WhyPane(ViewPane):
    """Scrolls; its place is the first line that is shown."""

    TAB: ClassVar[Tab] = Tab("1", "Why")

    @property
    def place(self) -> object:
        return self.scroll_offset.y

    def look_at(self, model: DetailModel | None, place: object = None) -> None:
        lines = partial(why.lines, model) if model is not None else None
        self.show(lines, top=place if isinstance(place, int) else 0)
