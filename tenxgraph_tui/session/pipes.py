"""The three pipes of a child process, served by one thread that never waits for one of them."""

from __future__ import annotations

import math
import os
import selectors
import threading
import time
from collections.abc import Callable
from typing import IO

from tenxgraph_tui.session.lines import Lines

CHUNK = 64 * 1024
TICK = 0.05
"""Seconds until something to send, or the end of the child, is noticed at the latest."""

IDLE = 0.25
"""The same while the child has nothing to do yet: it costs next to nothing to wait for it."""

HURRY = 0.005
"""The same while a long request waits for room in the pipe."""

LAST_WORDS = 0.5
"""Seconds for what a dead child left in its pipes; a grandchild may write into them for ever."""

OnLine = Callable[[bytes], None]


class Pipes:
    """`send` from any thread; `serve` in one of its own until the child is over."""

    def __init__(
        self, pipes: tuple[IO[bytes], IO[bytes], IO[bytes]], on_output: OnLine, on_error: OnLine
    ) -> None:
        self._stdin, self._stdout, self._stderr = pipes
        self._readers = {
            self._stdout.fileno(): (Lines(), on_output),
            self._stderr.fileno(): (Lines(), on_error),
        }
        self._to_send = bytearray()
        self._sending = threading.Lock()
        self._is_hanging_up = self._has_sent = False
        self._overdue_at = math.inf
        self._selector = selectors.DefaultSelector()
        os.set_blocking(self._stdin.fileno(), False)

    def send(self, line: bytes) -> None:
        """Write a line, now or as soon as the child takes it. A dead child is no error."""
        with self._sending:
            self._to_send += line
            self._has_sent = True
            self._write()

    def hang_up(self, patience: float) -> None:
        """Close the child's input once it has what was sent; it has `patience` seconds to leave."""
        self._is_hanging_up = True
        self._overdue_at = min(self._overdue_at, time.monotonic() + patience)

    def serve(self, has_exited: Callable[[], bool], on_overdue: Callable[[], None]) -> None:
        """Move bytes until the child has exited; `close` reads the rest.

        `on_overdue` is called once if it is still there when it should have left: after `hang_up`,
        or when it has closed its output.
        """
        for reader in self._readers:
            self._selector.register(reader, selectors.EVENT_READ)
        is_told = False
        while not has_exited():
            self._move(self._patience())
            if not is_told and time.monotonic() > self._overdue_at:
                is_told = True
                on_overdue()

    def close(self) -> None:
        """Read what is left without waiting for more, and close everything."""
        give_up = time.monotonic() + LAST_WORDS
        while self._move(0.0) and time.monotonic() < give_up:
            pass
        for lines, on_line in self._readers.values():
            if rest := lines.rest():
                on_line(rest)
        self._selector.close()
        with self._sending:
            self._stdin.close()
        self._stdout.close()
        self._stderr.close()

    def _patience(self) -> float:
        if self._to_send and not self._stdin.closed:
            return HURRY
        return TICK if self._has_sent or self._is_hanging_up else IDLE

    def _move(self, timeout: float) -> bool:
        """Move what can be moved; False when there was nothing to read."""
        with self._sending:
            self._write()
        ready = [key.fd for key, _ in self._selector.select(timeout)]
        for fd in ready:
            self._read(fd)
        return bool(ready)

    def _read(self, fd: int) -> None:
        lines, on_line = self._readers[fd]
        chunk = os.read(fd, CHUNK)
        if not chunk:
            self._selector.unregister(fd)
            if fd == self._stdout.fileno():
                self.hang_up(LAST_WORDS)
            return
        for line in lines.feed(chunk):
            on_line(line)

    def _write(self) -> None:
        if self._stdin.closed:
            return
        try:
            while self._to_send:
                del self._to_send[: os.write(self._stdin.fileno(), self._to_send[:CHUNK])]
        except BlockingIOError:
            pass  # the child has not read what it got before
        except OSError:
            self._to_send.clear()
        if self._is_hanging_up and not self._to_send:
            self._stdin.close()
