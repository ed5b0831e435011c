"""What helps to find one's way: the palette and the sheet of keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from tenxgraph_tui.tui.commands import Command, commands_of, key_groups
from tenxgraph_tui.tui.going import GoingApp
from tenxgraph_tui.tui.keynames import shown
from tenxgraph_tui.tui.palette import Palette, Shelf
from tenxgraph_tui.tui.theme import DARK, ROW, ROW_BLURRED, names

if TYPE_CHECKING:  # loaded when it is asked for: the first frame does not wait for it
    from tenxgraph_tui.tui.screens.palette import PaletteScreen


class GuidedApp(GoingApp):
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
        from tenxgraph_tui.tui.screens.help import HelpScreen

        self.push_screen(HelpScreen(key_groups(self.screen)))

    def action_palette(self) -> None:
        """Choose what to do from all that can be done."""
        from tenxgraph_tui.tui.screens.palette import PaletteScreen

        worn = names()
        themes = Shelf("theme", worn, lambda place: self.look.choose_theme(self, worn[place]))
        palette = Palette([*commands_of(self, self.screen)], [*self.shelves(), themes])
        screen = PaletteScreen(palette)
        self.push_screen(screen, self._run_command)
        self.run_worker(self._add_runs(screen), group="palette", exclusive=True)

    async def _add_runs(self, screen: PaletteScreen) -> None:
        runs = await self.runs()
        if screen.is_attached:
            screen.add(runs)

    def _run_command(self, command: Command | None) -> None:
        if command is not None:
            self.call_later(command.run)
