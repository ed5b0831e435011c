"""What files said when they were last looked at, as hashes of their bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


class Fingerprints:
    """By path; a file that is not there, or cannot be read, has None."""

    def __init__(self) -> None:
        self._known: dict[Path, bytes | None] = {}

    def look_at(self, paths: Iterable[Path]) -> None:
        """Take down those that were not looked at yet."""
        for path in paths:
            if path not in self._known:
                self._known[path] = fingerprint(path)

    def changed(self, paths: Iterable[Path]) -> set[Path]:
        """Those that are not as they were; they are from now on. New files have changed."""
        found = set()
        for path in paths:
            now = fingerprint(path)
            if now != self._known.get(path):
                found.add(path)
            self._known[path] = now
        return found


def fingerprint(path: Path) -> bytes | None:
    """A hash of what is in the file; None if there is none that can be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return None
