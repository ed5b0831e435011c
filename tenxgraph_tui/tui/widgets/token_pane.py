"""The tokens as a widget: a table that scrolls, in tokens or in dollars."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from tenxgraph_tui.tui.panes import tokens
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.picked import Picked
from tenxgraph_tui.tui.panes.spending import spending
from tenxgraph_tui.tui.widgets.view_pane import ViewPane


class TokenPane(ViewPane):
    """Scrolls; its place is the first line that is shown. What bars stand for is kept for all."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "m",
            "unit",
            "Tokens or money",
            tooltip="Draw bars of tokens, or of what they cost",
            id="tokens.unit",
        ),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._model: DetailModel | None = None
        self.in_money = False

    @property
    def place(self) -> object:
        return self.scroll_offset.y

    @property
    def picked(self) -> Picked | None:
        """The whole table, with a tab between its columns; its numbers are never cut."""
        if self._model is None or self._model.result is None:
            return None
        table = tokens.table_text(spending(self._model))
        return Picked("the table of tokens", lambda _: table)

    def look_at(self, model: DetailModel | None, place: object = None) -> None:
        self._model = model
        self.show(
            self._draw if model is not None else None, top=place if isinstance(place, int) else 0
        )

    def action_unit(self) -> None:
        """Bars of tokens become bars of dollars, and the other way round."""
        self.in_money = not self.in_money
        self.redraw()

    def _draw(self, width: int, height: int) -> list[Content]:
        if self._model is None:
            return []
        return tokens.lines(self._model, width, height, in_money=self.in_money)
