"""The keys of watch mode; they work on every screen."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType

from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.companions import Companion
from tenxgraph_tui.tui.exporting.app import ExportingApp
from tenxgraph_tui.tui.widgets.armed import ArmedSheet

if TYPE_CHECKING:  # loaded when watch mode is: the first frame does not wait for it
    from tenxgraph_tui.tui.watching.reading import Reload
    from tenxgraph_tui.tui.watching.saves import MakeWatcher
    from tenxgraph_tui.tui.watching.vigil import Vigil


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
    _companions: list[Companion]
    _reload: Reload | None
    _watcher: MakeWatcher | None

    @cached_property
    def vigil(self) -> Vigil:
        """Watch mode, there from the first frame on, or from when it is asked for."""
        from tenxgraph_tui.session.watching.known_files import known_files
        from tenxgraph_tui.tui.watching.ringing import ring
        from tenxgraph_tui.tui.watching.saves import real_watcher
        from tenxgraph_tui.tui.watching.vigil import Vigil

        shared, folder = self._shared, self.conductor.folder
        values = shared.settings.values
        vigil = Vigil(
            self.desk,
            self.conductor,
            self.rereader,
            shared.settings,
            shared.remembered,
            clock=shared.clock,
            above=values.confirm_above,
            reload=self._reload,
            make=self._watcher or real_watcher,
            announce=lambda news: ring(self, values.notify, news),
            known=partial(known_files, folder) if folder is not None else tuple,
        )
        if self.is_running:  # and not about to end
            vigil.begin(self)
            self._companions.append(vigil)
        return vigil

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
