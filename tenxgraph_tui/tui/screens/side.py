"""What a screen with the browser and the presets on it does with what they report."""

from __future__ import annotations

from textual import on
from textual.screen import Screen, ScreenResultType

from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.widgets.browser import Browser
from tenxgraph_tui.tui.widgets.preset_panel import PresetPanel


class SideScreen(Screen[ScreenResultType]):
    """Takes the picks of both panes to the desk, and has everything drawn again."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._shared = context

    @on(Browser.Selected)
    def _select_many(self, message: Browser.Selected) -> None:
        self._shared.desk.choices.toggle(message.cases)
        self._shared.changed.publish(None)

    @on(PresetPanel.Used)
    def _use(self, message: PresetPanel.Used) -> None:
        self._shared.desk.choose(message.preset)
        self.query_one(PresetPanel).refresh()
        self._shared.changed.publish(None)
