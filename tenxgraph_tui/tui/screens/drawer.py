"""Eval sets and presets over the cases, where the terminal has no room for them beside."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.getters import query_one
from textual.screen import ModalScreen

from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.screens.front import is_beside
from tenxgraph_tui.tui.screens.side import SideScreen
from tenxgraph_tui.tui.screens.sizes import HEIGHTS, WIDE_FROM, WIDTHS, classes_at
from tenxgraph_tui.tui.widgets.browser import Browser
from tenxgraph_tui.tui.widgets.key_bar import KeyBar
from tenxgraph_tui.tui.widgets.preset_panel import PresetPanel


class Drawer(SideScreen[CaseId | None], ModalScreen[CaseId | None]):
    """Gives back the case that was opened, if one was."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back", id="case.back"),
        Binding("r", "app.run", "Run", id="run.start"),
        Binding("f", "app.rerun_failed", "Rerun failed", id="run.failed"),
        # where the one above has nothing to do; it moves with its key
        Binding("f", "app.nothing_failed", show=False, id="run.failed"),
        Binding("x", "app.cancel_run", "Cancel run", id="run.cancel"),
        Binding("w", "app.watch", "Watch", show=False, id="run.watch"),
        Binding("ctrl+r,f5", "app.reread", "Refresh", show=False, id="browser.refresh"),
        Binding("question_mark", "app.help", "Help", tooltip="Show the keys", id="app.help"),
        Binding("ctrl+p", "app.palette", "Commands", id="app.palette"),
        Binding("q", "app.quit", "Quit", id="app.quit"),
        Binding("b", "switch('Browser')", "Eval sets", show=False, id="dashboard.sets"),
        Binding("p", "switch('PresetPanel')", "Preset", show=False, id="dashboard.preset"),
    ]

    browser = query_one(Browser)
    presets = query_one(PresetPanel)

    def __init__(self, context: Context, pane: str) -> None:
        super().__init__(context)
        self._pane = pane

    def compose(self) -> ComposeResult:
        self.update_classes(classes_at(self.app.size), animate=False)
        desk = self._shared.desk
        with Vertical(id="drawer"):
            yield Browser(desk, self._shared.remembered)
            yield PresetPanel(desk)
        yield KeyBar(desk)

    def on_mount(self) -> None:
        self.keep_up_with(self._shared.changed, self._draw)
        self.set_focus(self.browser if self._pane == "browser" else self.presets)

    def _draw(self) -> None:
        self.browser.show()
        self.refresh_bindings()  # how many cases r runs

    def action_switch(self, pane: str) -> None:
        """Go to the other pane; the key of the one that has the focus closes the drawer."""
        wanted = self.query_one(pane)
        if wanted.has_focus:
            self.dismiss(None)
        else:
            self.set_focus(wanted)

    def on_resize(self, event: events.Resize) -> None:
        self._leave_if_wide(event.size.width)

    def on_screen_resume(self) -> None:
        self._leave_if_wide(self.app.size.width)

    def _leave_if_wide(self, width: int) -> None:
        if width >= WIDE_FROM:
            self.dismiss(None)  # both panes stand beside the cases now

    def on_click(self, event: events.Click) -> None:
        if is_beside(self, event):
            self.dismiss(None)

    @on(Browser.Opened)
    def _open(self, message: Browser.Opened) -> None:
        self.dismiss(message.case)
