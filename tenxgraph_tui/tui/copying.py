"""Copies to the clipboard of the terminal, and into a file for where that does not work.

A terminal is asked by an escape sequence (OSC 52) and never says whether it did as it was told:
some do not know it, tmux may keep it back, most take no long ones. So there is always the file.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from textual.app import App

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.session.project import PRIVATE_FILE, make_private
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.folders import as_typed

FILE_NAME = "copied.txt"
MOST_BYTES = 74_000
"""What fits into the 100 000 characters of base64 that common terminals take at most."""


def copy(app: App[Any], name: str, content: str, folder: Path | None) -> None:
    """Copy a text that people know as `name` ("the answer"), and say where it is.

    `folder` is where the file is written; None where the project keeps nothing.
    """
    content = content.encode("utf-8", "backslashreplace").decode("utf-8")  # no lone surrogates
    size = f"{len(content):,} {'character' if len(content) == 1 else 'characters'}"
    file, problem = _written(content, folder)
    if len(content.encode("utf-8")) <= MOST_BYTES:
        app.copy_to_clipboard(content)
        told = f"{size}, also in {as_typed(file)}" if file is not None else size
        toasts.done(app, f"Copied {name}", told)
    elif file is not None:
        told = f"{size} are too many for a clipboard: they are in {as_typed(file)}"
        toasts.done(app, f"Wrote {name} to a file", told)
    else:
        told = f"{size} are too many for a clipboard{problem and f', and {problem}'}"
        toasts.warn(app, "Not copied", told)


def text_of(value: Any) -> str:
    """A value as it is copied: a text as it is, anything else as JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, indent=2, default=repr)


def _written(content: str, folder: Path | None) -> tuple[Path | None, str]:
    """The file with the text in it, or why there is none."""
    if folder is None:
        return None, ""
    path = folder / FILE_NAME
    try:
        make_private(folder)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(content)
    except (OSError, StoreError) as error:
        return None, f"{path.name}: {getattr(error, 'strerror', None) or error}"
    return path, ""
