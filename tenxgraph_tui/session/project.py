"""Where a project begins, and where what we keep about it lies."""

from __future__ import annotations

import hashlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.settings.layers import has_our_table

FOLDER = ".tenxgraph-tui"
MARKS = ("tenxgraph-tui.toml", "10xgraph.json", ".git")
PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600


@dataclass(frozen=True, slots=True)
class StorePlace:
    """Where runs are kept; `note` says why it is not where one would look for it."""

    path: Path
    note: str | None = None


def project_root(start: Path) -> Path:
    """The nearest folder at or above `start` that is marked as a project, else the current one."""
    begin = start.resolve()
    marked = (folder for folder in (begin, *begin.parents) if mark_of(folder))
    return next(marked, None) or Path.cwd()


def mark_of(folder: Path) -> str | None:
    """What makes a project of the folder; None if nothing does."""
    found = next((mark for mark in MARKS if (folder / mark).exists()), None)
    return found or ("[tool.tenxgraph-tui] in pyproject.toml" if has_our_table(folder) else None)


def store_place(root: Path) -> StorePlace:
    """The run store of a project: below its root, or in the user's cache where that is read-only.

    Nothing is made; `make_private` does that when the first run is written.
    """
    folder = root / FOLDER
    if os.access(folder if folder.exists() else root, os.W_OK):
        return StorePlace(folder / "runs.db")
    elsewhere = _user_cache() / _name_of(root)
    note = f"{root} is read-only: runs are kept in {elsewhere}"
    return StorePlace(elsewhere / "runs.db", note)


def store_path(root: Path) -> Path:
    """The path of the run store, for those who have no use for the note."""
    return store_place(root).path


def log_path(root: Path, run: int | str) -> Path:
    """The file that everything the agents of a run print goes to; its folder exists afterwards.

    Raises:
        StoreError: the folder cannot be made.
    """
    folder = store_path(root).parent
    make_private(folder)
    make_private(folder / "logs")
    return folder / "logs" / f"{run}.log"


def make_private(folder: Path) -> None:
    """Make a folder that only its owner can open and that git leaves alone.

    Raises:
        StoreError: it cannot be made.
    """
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        ignore = folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
    except OSError as error:
        raise StoreError(f"cannot make {folder}: {error.strerror or error}") from error


def user_state() -> Path:
    """Where we keep what is the user's own, whatever the project; nothing is made."""
    if configured := os.environ.get("XDG_STATE_HOME"):
        return Path(configured) / "tenxgraph-tui"
    states = "Library/Application Support" if sys.platform == "darwin" else ".local/state"
    return Path.home() / states / "tenxgraph-tui"


def _user_cache() -> Path:
    if configured := os.environ.get("XDG_CACHE_HOME"):
        return Path(configured) / "tenxgraph-tui"
    caches = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return Path.home() / caches / "tenxgraph-tui"


def _name_of(root: Path) -> str:
    digest = hashlib.sha256(os.fsencode(root.absolute())).hexdigest()
    return f"{root.absolute().name or 'root'}-{digest[:8]}"
