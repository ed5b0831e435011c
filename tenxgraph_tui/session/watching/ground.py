"""The folders that are watched, and the files in them that may matter."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tenxgraph_tui.session.watching.followed import Followed
from tenxgraph_tui.session.watching.ignoring import Ignoring

MOST_FOLDERS = 4000
"""Of a project; a system has 8 000 watches a user at the least, and editors want some too."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What lies below the root and matters, and where else followed files are.

    `folders` are real paths that exist. `is_too_large` when the root has more of them than can be
    watched: then only those of files that are known are in it.
    """

    folders: frozenset[Path]
    files: frozenset[Path] = frozenset()
    is_too_large: bool = False

    @classmethod
    def of(cls, followed: Followed, ignoring: Ignoring) -> Ground:
        """As it is now."""
        below = dict(islice(_walk(followed.root, ignoring), MOST_FOLDERS + 1))
        if is_too_large := len(below) > MOST_FOLDERS:
            below = {followed.root: _names_in(followed.root)}
        # there may be very many files: a look at their names has to do
        found = {
            folder / name
            for folder, names in below.items()
            for name in names
            if followed.follows_named(name) and not ignoring.ignores_named(name)
        }
        elsewhere = {_nearest(folder) for folder in followed.folders} - below.keys()
        others = (folder / name for folder in elsewhere for name in _names_in(folder))
        found |= {path for path in others if matters(path, followed, ignoring)}
        files = (found | followed.files.keys()) - followed.written
        return cls(frozenset(below.keys() | elsewhere), frozenset(files), is_too_large)


def matters(path: Path, followed: Followed, ignoring: Ignoring) -> bool:
    """Whether a change of the file is looked at; what is followed by its name is never ignored."""
    if path in followed.files:
        return followed.is_followed(path)
    return not ignoring.ignores(path) and followed.is_followed(path)


def _walk(root: Path, ignoring: Ignoring) -> Iterator[tuple[Path, Iterable[str]]]:
    for place, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not ignoring.ignores_folder_named(name)]
        yield Path(place), names


def _names_in(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - names, and no paths made of them
    except OSError:
        return []


def _nearest(folder: Path) -> Path:
    """The folder, or what is there of the way to it: it may be made later."""
    return next((one for one in (folder, *folder.parents) if one.is_dir()), folder)
