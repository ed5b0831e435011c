"""Bytecode that cannot be mistaken for that of a later save."""

from __future__ import annotations

import time
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

SETTLED = 2.0
"""Seconds after which another save is sure to have another time in a `.pyc`, which knows only
whole seconds and the size (PEP 552)."""
WRITE = SourceFileLoader.set_data


def keep_no_fresh_bytecode() -> None:
    """From now on this process writes no `.pyc` of a file that was saved just now.

    If the file were saved again within the second, with as many bytes, Python would take that
    `.pyc` for the new file's: a number changed by one digit would not be seen by the next run.
    """
    SourceFileLoader.set_data = _write_settled  # type: ignore[method-assign]  # a worker is ours


def _write_settled(self: SourceFileLoader, path: str, data: Any, **how: Any) -> None:
    if time.time() - Path(self.path).stat().st_mtime >= SETTLED:
        WRITE(self, path, data, **how)
