"""Which processes there are, told by a text that is in the environment of some of them alone."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

LONG = 20.0


def processes_with(mark: str) -> list[int]:
    """Who has that text in its environment."""
    found = []
    for environ in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in environ.read_bytes():
                found.append(int(environ.parent.name))
        except OSError:
            continue
    return found


def assert_nobody_is_left(mark: str, seconds: float = LONG) -> None:
    wait_for(lambda: not processes_with(mark), seconds)


def wait_for(condition: Callable[[], bool], seconds: float = LONG) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return not Path("/proc").exists()
