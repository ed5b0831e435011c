"""What takes long to read comes after the first frame: many sets, modules, and a past run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from textual.app import App

from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.collecting import collect_again
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.files_app import FilesApp
from tenxgraph_tui.tui.rereading import Reread
from tenxgraph_tui.tui.screens.dashboard import DashboardScreen


class Opening:
    """Accompanies the application (see `companions`) until all that it was opened on is read.

    `settle` makes the choices of command line and last session, once the eval sets are there that
    the desk waits for. `tell` tells the past run that it was opened on, in a thread.
    """

    def __init__(
        self, desk: Desk, settle: Callable[[], None], tell: Callable[[], None] | None = None
    ) -> None:
        self._desk, self._settle, self._tell = desk, settle, tell

    def begin(self, app: App[Any]) -> None:
        assert isinstance(app, FilesApp)
        app.call_after_refresh(self._go, app)

    def tick(self, app: App[Any]) -> None:
        """Nothing: it is over soon."""

    def end(self, app: App[Any]) -> None:
        """Nothing: nobody waits for the thread."""

    def _go(self, app: FilesApp) -> None:
        threading.Thread(target=self._read, args=(app,), daemon=True, name="opening").start()

    def _read(self, app: FilesApp) -> None:
        try:
            if self._desk.files_to_come:
                self._read_files(app)
            elif any(file.near and file.near.is_unread for file in self._desk.catalog.files):
                app.call_later(partial(app.reread, is_asked_for=False))
            if self._tell is not None:
                self._tell()
        finally:
            collect_again()

    def _read_files(self, app: FilesApp) -> None:
        was_taken = threading.Event()
        app.rereader.start(lambda found: app.call_later(self._take, app, found, was_taken))
        was_taken.wait()  # a run is told to a desk that knows its files

    def _take(self, app: FilesApp, found: Reread, was_taken: threading.Event) -> None:
        self._desk.files_to_come = 0
        if found.reading is None:
            toasts.warn(app, "Not read", found.problem)
        else:
            self._desk.reread(found.reading.catalog, found.reading.presets)
            self._settle()
        for screen in app.screen_stack:
            if isinstance(screen, DashboardScreen):
                screen.draw()
                screen.restore()
        app.changed.publish(None)
        was_taken.set()
