"""What the dashboard remembers of a project from one session to the next."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.session.project import PRIVATE_FILE, make_private
from tenxgraph_tui.tui.exporting.choice import ExportChoice

FILE_NAME = "dashboard.json"
VERSION = 1
INCIDENTAL = frozenset({"case", "tab"})
"""What merely looking around changes: for that alone no folder is made in a project."""


class CasePlace(NamedTuple):
    """A case of the project; `file` is relative to the project root, with slashes."""

    file: str
    eval_id: str


class Remembered(BaseModel):
    """What a session leaves to the next one; a default means that nothing was chosen.

    Whoever owns a field assigns to it when the user changes it, and it is written within a second.
    Values are immutable, because a change is found by comparing.
    """

    model_config = ConfigDict(extra="ignore")

    preset: str | None = None
    selected: frozenset[CasePlace] = frozenset()
    unfolded: frozenset[str] | None = None
    case: CasePlace | None = None
    tab: str | None = None
    sort: str | None = None
    filter: str = ""
    columns: tuple[str, ...] | None = None
    theme: str | None = None
    ascii: bool | None = None
    watch: bool | None = None
    export: ExportChoice | None = None


class Memory:
    """The file that `values` are read from, and written to when they changed.

    `note` says why a file was not read; without a path nothing is kept.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.values = Remembered()
        self.note = ""
        self._path = path
        if path is not None and path.exists():
            self._read(path)
        self._last = self.values.model_copy()

    def _read(self, path: Path) -> None:
        try:
            found = _parsed(path)
            version = found.get("version", VERSION)
            if version == VERSION:
                self.values = Remembered.model_validate(found)
            else:
                self._path = None  # the newer version that wrote it still wants it
                self.note = f"{FILE_NAME} is of another version: neither read nor written"
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            self.note = f"{FILE_NAME}: {where}: {first['msg']}. Ignored, and written anew."
        except (OSError, ValueError, RecursionError) as error:
            told = error.strerror if isinstance(error, OSError) else error
            self.note = f"{FILE_NAME}: {told}. Ignored, and written anew."

    def save(self) -> None:
        """Write what changed since the last time; what another session changed meanwhile stays.

        Raises:
            StoreError: it cannot be written; this is said once, nothing is tried after it.
        """
        path, last = self._path, self._last
        if path is None or self.values == last:
            return
        names = [n for n in Remembered.model_fields if getattr(self.values, n) != getattr(last, n)]
        if INCIDENTAL.issuperset(names) and not path.parent.exists():
            return
        try:
            make_private(path.parent)
            _write(path, _on_disk(path) | self.values.model_dump(mode="json", include={*names}))
        except (OSError, StoreError) as error:
            self._path = None
            told = (error.strerror or error) if isinstance(error, OSError) else error
            raise StoreError(f"{path}: {told}") from error
        self._last = self.values.model_copy()

    def forget(self) -> None:
        """Remove the file, and keep nothing more of this session.

        Raises:
            StoreError: it cannot be removed.
        """
        path, self._path = self._path, None
        try:
            if path is not None:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror or error}") from error


def place_of(path: str, root: Path) -> str:
    """How a file is remembered, wherever the dashboard is started the next time."""
    relative = Path(os.path.relpath(path, root)).as_posix()
    return os.fsencode(relative).decode("utf-8", "backslashreplace")  # JSON has no other bytes


def _parsed(path: Path) -> dict[str, Any]:
    found = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise ValueError("it is not a JSON object")  # noqa: TRY004 - of the file, not of a caller
    return found


def _on_disk(path: Path) -> dict[str, Any]:
    try:
        return _parsed(path)
    except (OSError, ValueError, RecursionError):
        return {}


def _write(path: Path, values: dict[str, Any]) -> None:
    """All of it or nothing: another session may read at the same time."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"version": VERSION} | values, file, ensure_ascii=False, indent=1)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
