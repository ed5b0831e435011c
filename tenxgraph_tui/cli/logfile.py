"""The file that keeps everything the agents of a run printed, up to a limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

from tenxgraph_tui.cli.lines import Line
from tenxgraph_tui.evaluation.visible import visible

LIMIT = 20 * 1024 * 1024
PRIVATE = 0o600


class LogFile:
    """Made with the first line, so that a silent run leaves none. A full disk is not the run's end.

    `limit` is in bytes.
    """

    def __init__(
        self, path: Path, *, limit: int = LIMIT, clock: Callable[[], float] = time.time
    ) -> None:
        self.path = path
        self._limit, self._clock = limit, clock
        self._lock = threading.Lock()
        self._file: IO[bytes] | None = None
        self._written = 0
        self._is_over = False

    def __call__(self, line: Line) -> None:
        """Append a line with its time and case; control characters are written out."""
        if self._is_over:
            return
        stamp = time.strftime("%H:%M:%S", time.localtime(self._clock()))
        case = f"{line.case.set_index}/{line.case.eval_id}" if line.case else "-"
        self._append(f"{stamp} {visible(case)} {line.source} | {visible(line.text)}\n".encode())

    def flush(self) -> None:
        """Let others read what was written so far."""
        with self._lock:
            if self._file is not None and not self._file.closed:
                self._file.flush()

    def close(self) -> None:
        """Nothing is written any more."""
        with self._lock:
            self._is_over = True
            if self._file is not None:
                self._file.close()

    def _append(self, data: bytes) -> None:
        with self._lock:
            if self._is_over:
                return
            try:
                if self._file is None:
                    self._file = self.path.open("wb")
                    self.path.chmod(PRIVATE)
                if self._written + len(data) > self._limit:
                    data = (
                        f"the log is full at {self._limit} bytes, the rest is left out\n".encode()
                    )
                    self._is_over = True
                self._written += self._file.write(data)
            except OSError:
                self._is_over = True
