"""Which files the runs of a project use: kept beside its runs, for watch modes to begin with."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable
from pathlib import Path

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.paths import real
from tenxgraph_tui.session.project import PRIVATE_FILE, make_private
from tenxgraph_tui.session.watching.followed import Followed

FILE_NAME = "used-files.json"

log = logging.getLogger(__name__)


def known_files(folder: Path) -> frozenset[str]:
    """What the runs kept in a folder imported and read: paths from the root of their project.

    They are absolute where they lie elsewhere; files that are gone by now are among them. Nothing
    is known where the list cannot be read: the next run writes it anew.
    """
    try:
        found = json.loads((folder / FILE_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return frozenset()
    names = found.get("files") if isinstance(found, dict) else None
    if not isinstance(names, list):
        return frozenset()
    return frozenset(name for name in names if isinstance(name, str))


def keep_known(folder: Path, root: Path, read: Iterable[str], written: Iterable[str] = ()) -> None:
    """A run used these, by their real paths; those that are gone, or that runs write, are left out.

    Results never depend on the list, so a warning is all that is made of one that cannot be kept.
    """
    before = known_files(folder)
    now = Followed(real(root)).recalled(before).with_used(read, written).used
    if now == before:
        return
    try:
        _write(folder / FILE_NAME, now)
    except (OSError, StoreError) as error:
        log.warning("watch mode will not know which files this run used: %s", error)


def _write(place: Path, names: Iterable[str]) -> None:
    """All of it or nothing: a dashboard may read at the same time."""
    make_private(place.parent)
    draft = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"files": sorted(names)}, file, indent=1)  # ASCII: names may be any bytes
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)
