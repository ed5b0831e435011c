"""How late this machine is by itself: what a promise in milliseconds has to be measured against."""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, Self

BEAT = 0.01
NOTABLE = 0.005
WINDOW = 0.5
"""Seconds before a moment in which a hiccup can have held up what was written then."""


class Hiccup(NamedTuple):
    """Time that went by while nothing was to be done but a small commit."""

    begin: float
    seconds: float


class Hiccups:
    """While it is entered, a thread commits a row every 10 ms and notes by how much it is late."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "hiccups.db"
        self._noted: list[Hiccup] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="hiccups", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._is_over.set()
        self._thread.join()

    def before(self, moment: float) -> float:
        """The seconds that were lost until a moment, shortly before it."""
        return sum(
            each.seconds
            for each in self._noted
            if each.begin <= moment <= each.begin + each.seconds + WINDOW
        )

    def _beat(self) -> None:
        with closing(sqlite3.connect(self._path, isolation_level=None)) as database:
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=NORMAL")
            database.execute("CREATE TABLE beats (at REAL)")
            while not self._is_over.is_set():
                wall, begin = time.time(), time.monotonic()
                self._is_over.wait(BEAT)
                database.execute("INSERT INTO beats VALUES (?)", (wall,))
                late = time.monotonic() - begin - BEAT
                if late > NOTABLE:
                    self._noted.append(Hiccup(wall, late))
