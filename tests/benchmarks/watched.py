"""A program in a pseudo-terminal, timed: when it drew something, how much memory it has."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ
from types import TracebackType
from typing import Self

PATIENCE = 60.0
SEQUENCES = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


class NeverDrawn(Exception):
    """The program did not draw what was waited for."""


class Watched:
    """Runs a command of `size` (columns, rows); seconds are counted from its start."""

    def __init__(
        self, command: Sequence[str], *, cwd: Path, size: tuple[int, int] = (160, 45)
    ) -> None:
        self._main, line = os.openpty()
        ioctl(line, TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        hidden = {"COLUMNS", "LINES", "NO_COLOR"}
        env = {name: value for name, value in os.environ.items() if name not in hidden}
        self._began = time.perf_counter()
        self._process = subprocess.Popen(
            command,
            stdin=line,
            stdout=line,
            stderr=line,
            cwd=cwd,
            env={**env, "TERM": "xterm-256color", "COLORTERM": "truecolor"},
            start_new_session=True,
        )
        os.close(line)
        self._seen = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)
        deadline = time.perf_counter() + 5
        while self._process.poll() is None and time.perf_counter() < deadline:
            self.watch(0.05)
        self._process.kill()
        self._process.wait()
        os.close(self._main)

    def until(self, words: str, *, patience: float = PATIENCE) -> float:
        """Wait for `words` among what is drawn from now on; when they came."""
        wanted, started = words.encode(), time.perf_counter()
        while wanted not in SEQUENCES.sub(b"", self._seen):
            if time.perf_counter() - started > patience or not self.watch(1.0):
                raise NeverDrawn(f"{words!r} in {SEQUENCES.sub(b'', self._seen)[-2000:]!r}")
        return time.perf_counter() - self._began

    def press(self, keys: str, shows: str) -> float:
        """Seconds from the key to the output that has `shows` in it."""
        self._seen.clear()
        wanted, pressed = shows.encode(), time.perf_counter()
        os.write(self._main, keys.encode())
        while wanted not in self._seen:
            if time.perf_counter() - pressed > PATIENCE or not self.watch(1.0):
                raise NeverDrawn(f"{shows!r} after {keys!r}")
        return time.perf_counter() - pressed

    def type(self, keys: str) -> None:
        """Press keys without waiting for anything."""
        self._seen.clear()
        os.write(self._main, keys.encode())

    def rest(self, seconds: float) -> bytes:
        """Read what comes, for so long."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            self.watch(left)
        seen = bytes(self._seen)
        self._seen.clear()
        return seen

    def watch(self, seconds: float) -> bool:
        """Read once; whether the program can still write."""
        ready, _, _ = select.select([self._main], [], [], seconds)
        if not ready:
            return self._process.poll() is None
        try:
            part = os.read(self._main, 1 << 16)
        except OSError:  # nobody has the other side open any more
            return False
        self._seen += part
        return bool(part)

    def memory(self) -> dict[str, float]:
        """MiB: resident now, at its peak, and what is this process's alone."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        found = dict(re.findall(r"^(VmRSS|VmHWM|RssAnon):\s+(\d+) kB", status, re.MULTILINE))
        return {name: int(size) / 1024 for name, size in found.items()}
