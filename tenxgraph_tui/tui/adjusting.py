"""The settings of a session: looked at on a sheet, and changed in it where that is possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from tenxgraph_tui.tui.commands import Command
from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.look import Look
from tenxgraph_tui.tui.running import RunApp
from tenxgraph_tui.tui.theme import OURS, names
from tenxgraph_tui.tui.widgets.cases_pane import CasesPane

if TYPE_CHECKING:  # loaded when they are asked for: the first frame does not wait for them
    from tenxgraph_tui.tui.screens.settings import SettingsScreen
    from tenxgraph_tui.tui.screens.themes import ThemeScreen
    from tenxgraph_tui.tui.setting_rows import Row


class AdjustableApp(RunApp):
    """Colours, signs and columns are chosen while it runs, and kept for the project."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "comma",
            "settings",
            "Settings",
            show=False,
            tooltip="Show settings and keys",
            id="app.settings",
        ),
    ]
    look: Look
    _shared: Context

    def commands(self) -> Iterator[Command]:
        """What the palette offers beyond the bindings."""
        yield Command("Choose colours", "app", "", self.action_theme)
        signs = "Draw with all signs" if self.look.is_ascii else "Draw with ASCII signs alone"
        yield Command(signs, "app", "", self._switch_ascii)

    def action_settings(self) -> None:
        """Show the settings and the keys."""
        from tenxgraph_tui.tui.screens.settings import SettingsScreen
        from tenxgraph_tui.tui.setting_rows import key_rows

        loaded = self._shared.settings
        self.push_screen(SettingsScreen(self._setting_rows, lambda: key_rows(loaded)))

    def _setting_rows(self) -> list[Row]:
        from tenxgraph_tui.tui.setting_rows import Change, Drawn, setting_rows

        remembered = self._shared.remembered
        chosen = frozenset(change for change in Change if getattr(remembered, change) is not None)
        drawn = Drawn(self.theme, self.look.is_ascii, chosen)
        return setting_rows(self._shared.settings, drawn)

    def on_settings_screen_wanted(self, message: SettingsScreen.Wanted) -> None:
        from tenxgraph_tui.tui.setting_rows import Change

        match message.change:
            case Change.THEME:
                self.action_theme()
            case Change.ASCII:
                self._switch_ascii()
            case Change.COLUMNS:
                self.pop_screen()
                self.screen.query_one(CasesPane).action_columns()
        self._draw_settings()

    def _switch_ascii(self) -> None:
        self.look.choose_ascii(self, is_ascii=not self.look.is_ascii)

    def action_theme(self) -> None:
        """Choose colours; what is below the list is drawn in them at once."""
        from tenxgraph_tui.tui.screens.themes import Choice, ThemeScreen

        before = self.theme

        def keep(name: str | None) -> None:
            if name is None:
                self.look.wear(self, before)
            else:
                self.look.choose_theme(self, name)
            self._draw_settings()

        choices = [Choice(name, OURS.get(name, "")) for name in names()]
        self.push_screen(ThemeScreen(choices, before), keep)

    def on_theme_screen_tried(self, message: ThemeScreen.Tried) -> None:
        self.look.wear(self, message.name)

    def _draw_settings(self) -> None:
        from tenxgraph_tui.tui.screens.settings import SettingsScreen

        if isinstance(self.screen, SettingsScreen):
            self.screen.draw()
