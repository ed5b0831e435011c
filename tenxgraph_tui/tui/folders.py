"""Paths as people type them: completed on the way, checked, and written as they would be typed."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from textual.suggester import Suggester

from tenxgraph_tui.evaluation.models import nearest
from tenxgraph_tui.session.files import SUFFIX


def place_typed(typed: str) -> Path:
    """The folder or file that was typed, from here or from the home folder."""
    return Path(os.path.expanduser(typed.strip())).absolute()  # noqa: PTH111 - it never raises


def as_typed(path: str | Path) -> str:
    """A path as one would type it here: relative where it lies below the working directory."""
    relative = os.path.relpath(path)
    typed = str(path) if relative.startswith(os.pardir) else relative
    return os.path.join(os.curdir, typed) if typed.startswith("-") else typed  # noqa: PTH118 - Path drops the dot


def why_not_open(typed: str) -> str:
    """What is wrong with a path that was typed; "" if there is something."""
    if not typed.strip():
        return "type the path of a folder"
    path = place_typed(typed)
    if path.exists():
        return ""
    try:
        meant = nearest(path.name, [entry.name for entry in path.parent.iterdir()])
    except OSError:
        meant = None
    return "there is no such folder" + (f": did you mean {meant}?" if meant else "")


def completed(typed: str) -> str | None:
    """`typed` with the rest of the first folder or eval set whose name begins like that."""
    head, _, begun = typed.rpartition("/")
    folder = Path(f"{head}/" if "/" in typed else ".").expanduser()
    try:
        with os.scandir(folder) as found:
            names = sorted(
                f"{entry.name}/" if entry.is_dir() else entry.name
                for entry in found
                if entry.name.startswith(begun) and entry.name.startswith(".") <= bool(begun)
                if entry.is_dir() or entry.name.endswith(SUFFIX)
            )
    except OSError:
        return None
    return typed + names[0][len(begun) :] if names else None


class FolderSuggester(Suggester):
    """Looks into folders in a thread: one may be far away."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        return await asyncio.to_thread(completed, value) if value else None
