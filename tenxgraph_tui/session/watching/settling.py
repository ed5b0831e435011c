"""When what was heard of files is worth a look: once whoever writes them has come to rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

QUIET = 0.04
"""Seconds of rest after a save that comes alone; an editor's own steps are closer together."""

BUSY_QUIET = 0.3
"""The same for saves soon after one that was reported, and for files that are gone: whoever saves
by deleting and writing may still be between the two."""

BUSY = 1.0
"""Seconds for which one report makes the next wait longer."""

LONGEST = 2.0
"""Seconds after which a file that is written on and on is looked at anyway."""


class Settling:
    """Gathers paths until nothing was heard for a while. `is_there` tells whether a file is."""

    def __init__(self, is_there: Callable[[Path], bool] = Path.exists) -> None:
        self._is_there = is_there
        self._paths: set[Path] = set()
        self._first = self._last = 0.0
        self._reported = float("-inf")

    def hear(self, paths: Iterable[Path], now: float) -> None:
        """Something happened to these files; `now` is in seconds of any clock."""
        paths = set(paths)
        if not paths:
            return
        if not self._paths:
            self._first = now
        self._last = now
        self._paths |= paths

    def take(self, now: float) -> frozenset[Path]:
        """What has come to rest; nothing is kept of it."""
        if not self._paths or not self._is_due(now):
            return frozenset()
        paths, self._paths = frozenset(self._paths), set()
        return paths

    def reported(self, now: float) -> None:
        """What was taken had really changed."""
        self._reported = now

    def _is_due(self, now: float) -> bool:
        if now - self._first >= LONGEST:
            return True
        rest = now - self._last
        if rest < QUIET:
            return False
        is_busy = self._first - self._reported < BUSY
        return rest >= BUSY_QUIET or not (is_busy or not all(map(self._is_there, self._paths)))
