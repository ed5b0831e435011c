"""What is wrong with the settings without keeping anything from running is said at the start."""

from __future__ import annotations

import os
from typing import Any

from textual.app import App

from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.tui import toasts


class Cautions:
    """Accompanies the application (see `companions`) and says it once."""

    def __init__(self, settings: Loaded) -> None:
        root = f"{settings.root}{os.sep}"  # a toast is short, and its reader is in the project
        self._lines = [line.removeprefix(root) for line in settings.warnings]

    def begin(self, app: App[Any]) -> None:
        if not self._lines:
            return
        first, *others = self._lines
        more = f" ({len(others)} more: tenxgraph-tui doctor)" if others else ""
        toasts.warn(app, "Settings", first + more)

    def tick(self, app: App[Any]) -> None:
        """Nothing to do: it was said."""

    def end(self, app: App[Any]) -> None:
        """Nothing to do either."""
