"""Finds the config files of a project in a thread of its own: a project may hold many files."""

from __future__ import annotations

import threading
from typing import Any

from textual.app import App

from tenxgraph_tui.session.configs import discover_configs
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.offered import project_config
from tenxgraph_tui.tui.presets import Preset, find
from tenxgraph_tui.tui.running import RunApp


class ConfigScout:
    """Accompanies the application (see `companions`) and offers what it found to the desk.

    It looks once the first frame is painted, and again for a catalog that was read anew. `wanted`
    is the preset of the last session: it may be a file, and is chosen as soon as it was found
    unless another one was chosen meanwhile.
    """

    def __init__(self, desk: Desk, wanted: str | None = None) -> None:
        self._desk, self._wanted = desk, wanted
        self._at_first = desk.choices.preset
        self._catalog: Catalog | None = None

    def begin(self, app: App[Any]) -> None:
        assert isinstance(app, RunApp)
        app.changed.subscribe(app, lambda _: self._look_around(app), immediate=True)
        app.call_after_refresh(self._look_around, app)

    def tick(self, app: App[Any]) -> None:
        """Nothing to do: what was found is told at once."""

    def end(self, app: App[Any]) -> None:
        """Its thread is a daemon: nobody waits for it."""

    def _look_around(self, app: RunApp) -> None:
        catalog = self._desk.catalog
        if self._catalog is catalog:
            return
        self._catalog = catalog
        root = self._desk.root

        def look() -> None:
            found = [project_config(file, root) for file in discover_configs(root)]
            app.call_later(self._take, app, catalog, found)

        threading.Thread(target=look, name="configs", daemon=True).start()

    def _take(self, app: RunApp, catalog: Catalog, found: list[Preset]) -> None:
        desk, choices = self._desk, self._desk.choices
        if self._catalog is not catalog:
            return  # read anew meanwhile, and so looked for anew
        wanted, self._wanted = self._wanted, None
        is_untouched = choices.preset is self._at_first
        if found or any(entry.is_file for entry in choices.presets):
            choices.put_files(found)
        if wanted is not None and is_untouched:
            desk.choose(find(choices.presets, wanted) or choices.preset)
        app.changed.publish(None)
