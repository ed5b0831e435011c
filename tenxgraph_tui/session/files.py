"""Finding eval-set files: which files lie below what a person named, in the order people expect."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.formats.module_paths import is_module, split
from tenxgraph_tui.evaluation.models import nearest

SUFFIX = ".evalset.json"
CONFIG_SUFFIX = ".evalconfig.json"
SKIPPED = frozenset({"venv", "node_modules", "__pycache__"})
Stamp = tuple[int, int, int]
DIGITS = re.compile(r"([0-9]+)")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that keeps a file from being used, in one line that names the file."""

    file: Path
    text: str


@dataclass(frozen=True, slots=True)
class Named:
    """A path as a person wrote it, and the case after its `::`, if there was one.

    `function` is the one of an eval module whose set is meant: `FILE.py:FUNCTION`.
    """

    path: Path
    case: str | None = None
    function: str | None = None

    @classmethod
    def parse(cls, text: str | Path) -> Named:
        """Split `PATH::CASE`; a file that is really called that is taken as it is.

        Raises:
            UsageError: there is no such file or folder, or no case after the `::`.
        """
        whole = Path(text)
        if os.path.lexists(whole):
            return cls(whole)
        before, separator, case = str(text).partition("::")
        path, function = Path(before), None
        if not os.path.lexists(path) and (found := split(before)) is not None:
            path, function = Path(found[0]), found[1]
        if not os.path.lexists(path):
            raise UsageError(f"no such file or folder: {path}{_similar(path)}")
        if separator and not case:
            raise UsageError(f"{text}: a case id is missing after '::'")
        return cls(path, case or None, function)


@dataclass(slots=True)
class Walk:
    """What lies at a path. A folder is entered once, however often it is linked."""

    sets: list[Path] = field(default_factory=list)
    modules: list[Path] = field(default_factory=list)
    configs: list[Path] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _entered: set[Path] = field(default_factory=set)

    def at(self, path: Path) -> None:
        """Collect what a person named: a folder's eval sets, or a file whatever its name."""
        if path.is_dir():
            self._below(path)
        elif path.suffix == ".py":
            self._module(path)
        else:
            self._set(path)

    def _below(self, folder: Path) -> None:
        if (real := folder.resolve()) in self._entered:
            return
        self._entered.add(real)
        for path in self._entries(folder):
            if path.name.startswith("."):
                continue
            if path.is_dir():
                if path.name not in SKIPPED:
                    self._below(path)
            elif path.name.endswith(SUFFIX):
                self._set(path)
            elif path.name.endswith(CONFIG_SUFFIX):
                self.configs.append(path)
            elif is_module(path):
                self._module(path)

    def _module(self, path: Path) -> None:
        if hindrance := _hindrance(path):
            self.problems.append(Problem(path, f"{path}: {hindrance}"))
        else:
            self.modules.append(path)

    def _set(self, path: Path) -> None:
        if hindrance := _hindrance(path):
            self.problems.append(Problem(path, f"{path}: {hindrance}"))
        else:
            self.sets.append(path)

    def _entries(self, folder: Path) -> list[Path]:
        try:
            return sorted(folder.iterdir(), key=_as_people_sort)
        except OSError as error:
            self.problems.append(Problem(folder, f"{folder}: {error.strerror or error}"))
            return []


def _hindrance(path: Path) -> str:
    """Why a file must not even be opened: whoever reads it may wait for ever, or never end."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        return "this is a link to itself" if error.errno == errno.ELOOP else ""
    is_file = stat.S_ISREG(mode) or stat.S_ISDIR(mode)
    return "" if is_file else "this is a pipe or a device, not a file"


def stamp_of(path: Path) -> Stamp | None:
    """What is different once a file was written again; None if it cannot be looked at."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _similar(path: Path) -> str:
    try:
        neighbours = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return ""
    meant = nearest(path.name, neighbours)
    return f" (did you mean {path.parent / meant}?)" if meant else ""


def _as_people_sort(path: Path) -> tuple[bool, list[tuple[bool, int, str]], str]:
    # Files before folders; `case 2` before `case 10`; upper and lower case together.
    return path.is_dir(), list(_parts(path.name)), path.name


def _parts(name: str) -> Iterator[tuple[bool, int, str]]:
    for part in DIGITS.split(name.casefold()):
        yield (False, int(part), "") if DIGITS.fullmatch(part) else (True, 0, part)
