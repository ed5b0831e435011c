"""Why a case passed or did not, as a widget."""

from __future__ import annotations

from functools import partial

from tenxgraph_tui.tui.panes import why
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.widgets.item_pane import ItemPane


class WhyPane(ItemPane):
    """Criteria that passed are a line each until they are unfolded."""

    def look_at(self, model: DetailModel | None, place: object = None) -> None:
        self.read(partial(why.draw, model) if model is not None else None, place)
