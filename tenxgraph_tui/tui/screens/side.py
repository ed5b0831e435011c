"""What a screen with the browser and the presets on it does with what they report."""

from __future__ import annotations

from textual import on
from textual.screen import ScreenResultType

from tenxgraph_tui.tui.screens.choosing import ChoosingScreen
from tenxgraph_tui.tui.widgets.browser import Browser


class SideScreen(ChoosingScreen[ScreenResultType]):
    """Takes the picks of both panes to the desk, and has everything drawn again."""

    @on(Browser.Selected)
    def _select_many(self, message: Browser.Selected) -> None:
        self._shared.desk.choices.toggle(message.cases)
        self._shared.changed.publish(None)
