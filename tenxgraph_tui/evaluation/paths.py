"""Paths that people and files name, which may be anything."""

from __future__ import annotations

from pathlib import Path


def real(path: Path) -> Path:
    """Where a file really is; where it is named, if that leads nowhere.

    `Path.resolve` raises of a link to itself and of a zero byte, which JSON can name.
    """
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return path.absolute()
