"""The keys of watch mode; they work on every screen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.exporting.app import ExportingApp
from tenxgraph_tui.tui.watching.vigil import Vigil
from tenxgraph_tui.tui.widgets.armed import ArmedSheet


class WatchingApp(ExportingApp):
    """`vigil` starts runs when files are saved, and is told of those that keys start."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "w", "watch", "Watch", tooltip="Run again what a save touches, or stop", id="run.watch"
        ),
        Binding(
            "W",
            "watched",
            "Watched files",
            show=False,
            tooltip="Show the files that are watched",
            id="run.watched",
        ),
    ]
    vigil: Vigil

    def action_watch(self) -> None:
        """Watch the files, or do not watch them any more."""
        self.vigil.switch()

    def action_watched(self) -> None:
        """Show which files are followed, and what their last save led to."""
        from tenxgraph_tui.tui.screens.files import WatchedFilesScreen

        self.push_screen(WatchedFilesScreen(self.desk.watch, self.vigil.files))

    @on(ArmedSheet.Answered)
    def _answer(self, message: ArmedSheet.Answered) -> None:
        self.vigil.answer(message.answer)

    def begin_run(self, only: Iterable[CaseId] | None = None) -> None:
        if self.vigil.is_on:
            self.vigil.run(only)
        else:
            super().begin_run(only)
