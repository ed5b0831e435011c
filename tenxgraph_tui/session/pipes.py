"""The three pipes of a child process, served by one thread that never waits for one of them."""

from __future__ import annotations

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
        self._selector = selectors.DefaultSelector()
        os.set_blocking(self._stdin.fileno(), False)

    def send(self, line: bytes) -> None:
        """Write a line as soon as the child takes it. A dead child is no error."""
        with self._sending:
            self._to_send += line

    def serve(self, has_exited: Callable[[], bool], on_silence: Callable[[], None]) -> None:
        """Move bytes until the child has exited; `close` reads the rest.

        `on_silence` is called once if the child closes its output and goes on without it.
        """
        for reader in self._readers:
            self._selector.register(reader, selectors.EVENT_READ)
        silent_since: float | None = None
        while not has_exited():
            self._move(HURRY if self._to_send else TICK)
            if silent_since is None and self._stdout.fileno() not in self._selector.get_map():
                silent_since = time.monotonic()
            if silent_since is not None and time.monotonic() > silent_since + LAST_WORDS:
                silent_since = float("inf")
                on_silence()

    def close(self) -> None:
        """Read what is left without waiting for more, and close everything."""
        give_up = time.monotonic() + LAST_WORDS
        while self._move(0.0) and time.monotonic() < give_up:
            pass
        for lines, on_line in self._readers.values():
            if rest := lines.rest():
                on_line(rest)
        self._selector.close()
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()

    def _move(self, timeout: float) -> bool:
        """Move what can be moved; False when there was nothing to read."""
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
            return
        for line in lines.feed(chunk):
            on_line(line)

    def _write(self) -> None:
        with self._sending:
            try:
                while self._to_send:
                    del self._to_send[: os.write(self._stdin.fileno(), self._to_send[:CHUNK])]
            except BlockingIOError:
                pass  # the child has not read what it got before
            except OSError:
                self._to_send.clear()
