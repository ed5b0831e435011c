"""What files said when they were last looked at, as hashes of their bytes."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path


class Fingerprints:
    """By path; a file that is not there, or cannot be read, has None."""

    def __init__(self) -> None:
        self._known: dict[Path, bytes | None] = {}

    def __contains__(self, path: object) -> bool:
        return path in self._known

    def look_at(self, paths: Iterable[Path]) -> None:
        """Take down those that were not looked at yet."""
        for path in paths:
            if path not in self._known:
                self._known[path] = fingerprint(path)

    def differing(self, paths: Iterable[Path]) -> set[Path]:
        """Those that are not as they were when they were looked at; nothing is taken down."""
        return {path for path in paths if fingerprint(path) != self._known.get(path)}

    def changed(self, paths: Iterable[Path]) -> set[Path]:
        """Those that are not as they were; they are from now on. New files have changed."""
        now = {path: fingerprint(path) for path in paths}
        found = {path for path, said in now.items() if said != self._known.get(path)}
        self._known |= now
        return found

    def below(self, folder: Path) -> set[Path]:
        """The files that are known in a folder, however deep."""
        return {path for path in self._known if path.is_relative_to(folder)}


def fingerprint(path: Path) -> bytes | None:
    """A hash of what is in the file; None if there is none, or nothing that can be read to its end.

    Links are followed; one that leads nowhere has the hash of where it leads.
    """
    try:
        if stat.S_ISREG(path.stat().st_mode):
            with path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return _of_broken_link(path)
    return None


def _of_broken_link(path: Path) -> bytes | None:
    try:
        return hashlib.sha256(os.fsencode(path.readlink())).digest()
    except OSError:
        return None
