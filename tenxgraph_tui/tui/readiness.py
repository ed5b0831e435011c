"""The first run waits for nothing but the agent either: a worker is made ready for it."""

from __future__ import annotations

import threading
from typing import Any

from textual.app import App

from tenxgraph_tui.session.protocol import Need
from tenxgraph_tui.session.standby import Standby
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.presets import Preset, needs_judge


class Readiness:
    """Accompanies the application (see `companions`) and has a worker wait for its next run.

    It starts when the dashboard has been there for a moment, not to hold up its first frame, and
    looks again when another preset was chosen.
    """

    def __init__(self, standby: Standby, desk: Desk) -> None:
        self._standby, self._desk = standby, desk
        self._ready_for: Preset | None = None

    def begin(self, app: App[Any]) -> None:
        """Nothing yet: the first frame comes first."""

    def tick(self, app: App[Any]) -> None:  # noqa: ARG002 - a companion's interface
        desk, chosen = self._desk, self._desk.choices.preset
        if chosen is self._ready_for or desk.is_busy or not len(desk.catalog):
            return
        self._ready_for = chosen
        needs: list[Need] = ["judge"] if needs_judge(chosen) else []
        threading.Thread(
            target=self._standby.prepare, args=(needs,), name="readiness", daemon=True
        ).start()

    def end(self, app: App[Any]) -> None:  # noqa: ARG002 - a companion's interface
        self._standby.close()
