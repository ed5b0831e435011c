"""What helps to find one's way: the palette, the sheet of keys, and going to what was found."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.screen import Screen

from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.adjusting import AdjustableApp
from tenxgraph_tui.tui.catalog import CaseId, set_label
from tenxgraph_tui.tui.commands import Command, commands_of, key_groups
from tenxgraph_tui.tui.keynames import shown
from tenxgraph_tui.tui.palette import Palette, Shelf
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen
from tenxgraph_tui.tui.screens.help import HelpScreen
from tenxgraph_tui.tui.screens.palette import PaletteScreen
from tenxgraph_tui.tui.theme import DARK, ROW, ROW_BLURRED
from tenxgraph_tui.tui.theme import names as names_of_themes


class GuidedApp(AdjustableApp):
    """Offers what can be done on the screen that is shown, and what can be gone to."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", tooltip="Show the keys", id="app.help"),
        Binding("ctrl+p", "palette", "Commands", id="app.palette"),
    ]

    def get_key_display(self, binding: Binding) -> str:
        return shown(binding.key)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {ROW: DARK.variables[ROW], ROW_BLURRED: DARK.variables[ROW_BLURRED]}

    def action_help(self) -> None:
        """Show the keys that work here."""
        self.push_screen(HelpScreen(key_groups(self.screen)))

    def action_palette(self) -> None:
        """Choose what to do from all that can be done."""
        palette = Palette([*commands_of(self, self.screen)], self._shelves())
        self.push_screen(PaletteScreen(palette), self._run_command)

    def _run_command(self, command: Command | None) -> None:
        if command is not None:
            self.call_later(command.run)

    def _shelves(self) -> list[Shelf]:
        catalog = self.desk.catalog
        cases = [*catalog]
        labels = {file.path: file.label for file in catalog.files}
        names = [f"{labels[case.path]}/{case.eval_id}" for case in cases]
        worn = names_of_themes()
        return [
            Shelf("case", names, lambda place: self.show_case(cases[place])),
            Shelf("theme", worn, lambda place: self.look.choose_theme(self, worn[place])),
        ]

    def show_case(self, case: CaseId) -> None:
        """Look at a case, from wherever one is."""
        dashboard = self.to_dashboard()
        if dashboard is None:
            return
        dashboard.action_to_cases()
        key = dashboard.follow(case)
        if key is None:
            name = f"{set_label(case.path, '')}/{case.eval_id}"
            toasts.said(self, "Not in this run", f"{name} is not part of the run that is shown.")
        elif not dashboard.view.display:
            dashboard.post_message(DashboardScreen.OpenCase(key))

    def to_dashboard(self) -> DashboardScreen | None:
        """Close whatever lies over the first screen."""
        while len(self.screen_stack) > 1:
            self.pop_screen()
        screen: Screen[object] = self.screen
        return screen if isinstance(screen, DashboardScreen) else None
