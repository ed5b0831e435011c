"""Waiting for a fact: it comes at once, or the machine is very busy."""

from __future__ import annotations

import time
from collections.abc import Callable

LONG = 30.0


def until(condition: Callable[[], object]) -> None:
    """Return as soon as it holds."""
    deadline = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)
