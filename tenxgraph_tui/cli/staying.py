"""An agent that leaves the process, or its folder, must not take the run along."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

LEAVE = os._exit
"""Python's own; our code leaves by this one while `staying` is entered."""


@contextmanager
def staying() -> Iterator[None]:
    """Within it `os._exit` raises `SystemExit` in this process; afterwards we are where we were.

    The exit code of an agent that left by itself would be taken for that of the run: 0, and no case
    was checked. Processes that it forks leave as ever.
    """
    process, folder = os.getpid(), Path.cwd()

    def leave(status: int) -> Any:
        if os.getpid() != process:
            LEAVE(status)
        raise SystemExit(f"os._exit({status})")

    os._exit = leave
    try:
        yield
    finally:
        os._exit = LEAVE
        with suppress(OSError):  # somebody removed it
            os.chdir(folder)
