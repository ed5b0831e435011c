"""Moving what was committed from SQLite's write-ahead log into the store, beside who writes."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path

EVERY = 4 * 1024 * 1024
"""Characters between two checkpoints: about as often as SQLite does by itself."""


class Checkpoints:
    """Checkpoints of one store, each in a thread and a connection of its own.

    SQLite by itself makes them inside of a commit, so that results wait for the disk: 20 to 40 ms,
    and more than the promised 100 where other programs write much. `PASSIVE` ones hold up nobody.
    """

    def __init__(self, path: Path, *, every: int = EVERY) -> None:
        self._path, self._every = path, every
        self._size = 0
        self._thread: threading.Thread | None = None

    def written(self, size: int) -> None:
        """Count what a commit brought, in characters; begins a checkpoint when it is time."""
        self._size += size
        is_busy = self._thread is not None and self._thread.is_alive()
        if self._size < self._every or is_busy:
            return
        self._size = 0
        self._thread = threading.Thread(target=self._make, name="checkpoint", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait for the one that goes on."""
        if self._thread is not None:
            self._thread.join()

    def _make(self) -> None:
        there = f"{self._path.absolute().as_uri()}?mode=rw"  # one that was removed stays away
        # and a disk that fails is told by the next commit
        with suppress(sqlite3.Error), closing(sqlite3.connect(there, uri=True)) as database:
            database.execute("PRAGMA wal_checkpoint(PASSIVE)")
