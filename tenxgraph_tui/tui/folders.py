"""Completing the path of a folder while it is typed."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from textual.suggester import Suggester

from tenxgraph_tui.session.files import SUFFIX


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
