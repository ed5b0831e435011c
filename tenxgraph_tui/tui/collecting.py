"""When garbage is looked for: never while the dashboard opens, in full only when nobody waits.

To look through everything that is known of ten thousand cases takes longer than a key may.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

from textual.app import App

from tenxgraph_tui.tui.desk import Desk

YOUNG, MIDDLE, NEVER = 700, 10, 1_000_000
ENOUGH = 3
"""Looks at what is not quite new any more, after which a look at everything is worth its time."""
TOO_MANY = 12
"""The same, after which it is done though somebody presses keys: by then it is some ten MiB."""
PATIENCE = 60.0
"""Seconds after which it is done while a run goes on, too."""


def collect_again() -> None:
    """What was made while nothing was collected stays: it need never be looked through."""
    if not gc.isenabled():
        gc.freeze()
        gc.set_threshold(YOUNG, MIDDLE, NEVER)
        gc.enable()


class Collector:
    """Accompanies the application (see `companions`). `clock` gives seconds that only grow."""

    def __init__(self, desk: Desk, clock: Callable[[], float] = time.monotonic) -> None:
        self._desk, self._clock = desk, clock
        self._last = clock()
        self._looks = 0

    def begin(self, app: App[Any]) -> None:
        """Nothing: whoever opens the dashboard says when it is open."""

    def tick(self, app: App[Any]) -> None:  # noqa: ARG002 - every companion is told
        """Look through everything, if it was not done for long and nobody waits.

        Whoever presses keys makes garbage: where none was looked for since the last tick, nobody
        does.
        """
        before, self._looks = self._looks, gc.get_count()[2]
        if not gc.isenabled() or self._looks < ENOUGH:
            return
        if self._desk.is_busy:
            is_time = self._clock() - self._last >= PATIENCE
        else:
            is_time = self._looks == before or self._looks >= TOO_MANY
        if is_time:
            gc.collect()
            self._last, self._looks = self._clock(), 0

    def end(self, app: App[Any]) -> None:
        """Nothing: all of it goes."""
