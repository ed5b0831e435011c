"""The conversation of a case as a widget."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from tenxgraph_tui.tui.panes import chat, chat_picked
from tenxgraph_tui.tui.panes.findings import decisive_turn
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.talk import talk_of
from tenxgraph_tui.tui.widgets.item_pane import ItemPane


class ChatPane(ItemPane):
    """Long texts are folded; a reader who is new to a case begins at the turn that decided."""

    FOLDS: ClassVar[str] = "Texts that end in … and messages before the case can be unfolded."

    def look_at(self, model: DetailModel | None, place: object = None) -> None:
        if model is None:
            self.read(None, place)
            return
        self.read(partial(chat.draw, talk_of(model), model), place)
        if place is None and (turn := decisive_turn(model)):
            self.call_after_refresh(self.go_to, chat_picked.name_of(turn))
