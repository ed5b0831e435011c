"""What a file system tells of files and folders that may be gone already."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def identity(folder: Path) -> tuple[int, int] | None:
    """Device and inode: another folder of the same name has another."""
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def written_after(since: float, paths: Iterable[Path]) -> set[Path]:
    """Those of the files that were written after a moment, in Unix seconds."""
    found = set()
    for path in paths:
        try:
            if path.stat().st_mtime > since:
                found.add(path)
        except OSError:
            continue
    return found
