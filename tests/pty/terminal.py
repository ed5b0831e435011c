"""A terminal in which the real program runs, and what can be read off it."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

PATIENCE = 60.0
SIZE = frozenset({"COLUMNS", "LINES"})
_SEQUENCE = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b."
)


class Terminal:
    """Runs `tenxgraph-tui WORDS` under a pseudo-terminal and keeps all that it writes.

    `command` is what runs instead. Where the terminal `controls` it, the system tells the program
    when the terminal is gone.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        cwd: Path,
        size: tuple[int, int] = (100, 30),
        env: Mapping[str, str] | None = None,
        command: Sequence[str] = (sys.executable, "-m", "tenxgraph_tui"),
        controls: bool = False,
    ) -> None:
        self._main, self.line = os.openpty()
        self._ends: tuple[int, ...] = (self._main, self.line)
        self.before = termios.tcgetattr(self.line)
        self.resize(*size)
        self.written = bytearray()
        # a size in the environment would win over that of the terminal
        outer = {name: value for name, value in os.environ.items() if name not in SIZE}
        self.process = subprocess.Popen(
            [*command, *words],
            stdin=self.line,
            stdout=self.line,
            stderr=self.line,
            cwd=cwd,
            env={**outer, "TERM": "xterm-256color", **(env or {})},
            start_new_session=True,
            preexec_fn=_take_control if controls else None,  # noqa: PLW1509 - no threads here
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.hang_up()

    def hang_up(self) -> None:
        """Be gone, as the terminal is when its window is closed or its connection is lost."""
        for end in self._ends:
            os.close(end)
        self._ends = ()

    def resize(self, width: int, height: int) -> None:
        """Change the size, as dragging a window does."""
        fcntl.ioctl(self.line, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        with contextlib.suppress(AttributeError, ProcessLookupError):
            os.kill(self.process.pid, signal.SIGWINCH)

    def type(self, keys: str) -> None:
        os.write(self._main, keys.encode())

    def read_until(self, words: str, *, since: int = 0) -> None:
        """Wait until the program has drawn `words` (or has ended) after byte `since`."""
        deadline = time.monotonic() + PATIENCE
        while words not in self.text(since):
            assert time.monotonic() < deadline, f"never drawn: {words!r} in {self.text(since)!r}"
            assert self._read() or self.process.poll() is None, self.text(since)

    def leave(self) -> int:
        """Read until the program has ended; its exit code."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"never left: {self.text()[-500:]!r}"
            self._read()
        while self._read():
            pass
        return self.process.returncode

    def text(self, since: int = 0) -> str:
        """What was written without the sequences between it."""
        return _SEQUENCE.sub(b"", bytes(self.written[since:])).decode(errors="replace")

    @property
    def modes(self) -> list[Any]:
        """The terminal's settings as they are now."""
        return termios.tcgetattr(self.line)

    def is_on(self, mode: int) -> bool:
        """Whether a private mode (1049: other screen, 25: cursor) was last switched on."""
        return self.written.rfind(b"\x1b[?%dh" % mode) > self.written.rfind(b"\x1b[?%dl" % mode)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._main], [], [], 0.1)
        if not ready:
            return False
        try:
            part = os.read(self._main, 65536)
        except OSError as error:
            if error.errno == errno.EIO:  # nobody has the other side open any more
                return False
            raise
        self.written += part
        return bool(part)


def _take_control() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
