"""Writing soon but not at once: rows from any thread go to the disk together, in one thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from tenxgraph_tui.errors import StoreError

GAP = 0.03
"""Seconds between two writes: well below the 100 ms within which a result must be durable."""

MOST_WAITING = 32 * 1024 * 1024
"""Characters that may wait for a slow disk before `put` waits too."""

Row = TypeVar("Row")


class Committer(Generic[Row]):
    """Gives rows to `write`, in order, in a thread of its own.

    The first row after a pause is written at once. When `write` raises, the next `put` and `close`
    raise it.
    """

    def __init__(self, write: Callable[[list[Row]], None], *, gap: float = GAP) -> None:
        self._write, self._gap = write, gap
        self._changed = threading.Condition()
        self._rows: list[Row] = []
        self._size = 0
        self._is_closing = False
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def put(self, row: Row, size: int) -> None:
        """Take a row of `size` characters; waits only if very much is waiting already.

        Raises:
            StoreError: an earlier row could not be written, or the committer is closed.
        """
        with self._changed:
            while self._size > MOST_WAITING and self._error is None:
                self._changed.wait()
            self._raise_error()
            if self._is_closing:
                raise StoreError("a result came after the end of its run")
            self._rows.append(row)
            self._size += size
            if len(self._rows) == 1:
                self._changed.notify_all()

    def close(self) -> None:
        """Write what is waiting, and end the thread.

        Raises:
            StoreError: something could not be written.
        """
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        self._thread.join()
        with self._changed:
            self._raise_error()

    def _raise_error(self) -> None:
        if isinstance(self._error, StoreError):
            raise StoreError(str(self._error)) from self._error
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        last = 0.0
        while rows := self._next(last + self._gap):
            try:
                self._write(rows)
            except Exception as error:  # noqa: BLE001 - not lost: `put` and `close` raise it
                with self._changed:
                    self._error = error
                    self._changed.notify_all()
                return
            last = time.monotonic()

    def _next(self, not_before: float) -> list[Row]:
        with self._changed:
            self._changed.wait_for(lambda: self._rows or self._is_closing)
            wait = not_before - time.monotonic()
            if wait > 0:
                self._changed.wait_for(lambda: self._is_closing, wait)
            rows, self._rows, self._size = self._rows, [], 0
            self._changed.notify_all()
            return rows
