"""What files said when they were last looked at, as hashes of their bytes."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from tenxgraph_tui.session.files import Stamp, stamp_of


class Fingerprints:
    """By path; a file that is not there, or cannot be read, has None."""

    def __init__(self) -> None:
        self._known: dict[Path, bytes | None] = {}
        self._stamps: dict[Path, Stamp | None] = {}

    def __contains__(self, path: object) -> bool:
        return path in self._known

    def look_at(self, paths: Iterable[Path]) -> None:
        """Take down those that were not looked at yet."""
        for path in paths:
            if path not in self._known:
                self._take_down(path)

    def look_at_since(self, stamps: Mapping[Path, Stamp | None]) -> set[Path]:
        """The same; those are told that are not any more as they were by their stamps."""
        self.look_at(stamps)
        return {path for path, stamp in stamps.items() if self._stamps[path] != stamp}

    def suspicious(self, paths: Iterable[Path]) -> set[Path]:
        """Those that may have changed, by their time and size; nothing is read."""
        return {
            path
            for path in paths
            if path not in self._known or stamp_of(path) != self._stamps[path]
        }

    def gone(self) -> set[Path]:
        """Those that were there when they were last looked at, and are not any more."""
        there = list(self._stamps.items())  # at once: another thread may take down more
        return {path for path, stamp in there if stamp is not None and stamp_of(path) is None}

    def changed(self, paths: Iterable[Path]) -> set[Path]:
        """Those that are not as they were; they are from now on. New files have changed."""
        found = set()
        for path in paths:
            before = self._known.get(path)
            if self._take_down(path) != before:
                found.add(path)
        return found

    def below(self, folder: Path) -> set[Path]:
        """The files that are known in a folder, however deep."""
        return {path for path in list(self._known) if path.is_relative_to(folder)}

    def _take_down(self, path: Path) -> bytes | None:
        self._stamps[path] = stamp_of(path)  # first: what is written meanwhile differs from it
        now = self._known[path] = fingerprint(path)
        return now


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
