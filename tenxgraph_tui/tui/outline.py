"""The catalog as a tree: folders, files, cases and tags, as the flat entries that a list shows."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePath

from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.tui.catalog import CaseId, Catalog, SetFile
from tenxgraph_tui.tui.words import wrap

FEW_CASES, FEW_FILES = 12, 12
SHOWN_WARNINGS = 3
INDENT = 2
NARROWEST = 16
"""Cells below which a note is cut and not wrapped: nobody reads a letter a line."""
TAGS_KEY = "#tags"
_POSITION = re.compile(r"(\d+):|.*?\bline (\d+)\b", re.DOTALL)


class Kind(StrEnum):
    """What a line of the tree is. A note is what is wrong with a file, or about the project."""

    PROJECT = "project"
    FOLDER = "folder"
    FILE = "file"
    CASE = "case"
    NOTE = "note"
    TAGS = "tags"
    TAG = "tag"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line. `name` is that of a folder, a case or a tag, or what a note says.

    A file that is alone in its folder has the folder's name. `line` is where in its file a note
    leads to.
    """

    kind: Kind
    depth: int = 0
    file: SetFile | None = None
    name: str = ""
    line: int | None = None

    @property
    def identity(self) -> tuple[str, str, str]:
        """What stays the same when the tree is built again."""
        name = "" if self.kind is Kind.FILE else self.name
        return (self.kind, self.file.path if self.file else "", name)

    @property
    def key(self) -> str | None:
        """What it is called when it is noted whether it is unfolded; None if it cannot be."""
        match self.kind:
            case Kind.FILE if self.file is not None:
                return self.file.path
            case Kind.FOLDER:
                return folder_key(self.name)
            case Kind.TAGS:
                return TAGS_KEY
        return None

    @property
    def leads_to(self) -> int | None:
        """The line to open its file at, where it is not a case that is looked for."""
        if self.kind is Kind.FILE and self.file is not None:
            return line_in(told(self.file, self.file.problem))
        return self.line

    @property
    def case(self) -> CaseId | None:
        """The case that the line is."""
        is_case = self.kind is Kind.CASE and self.file is not None
        return CaseId(self.file.path, self.name) if is_case and self.file else None


class Outline:
    """The tree of one catalog, made once for it."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.folders = in_folders(catalog.files)
        self.tags = tagged(catalog)

    def unfolded_at_first(self) -> set[str]:
        """A small project whole, of a large one the first file; and whatever cannot be read."""
        files = self.catalog.files
        first = files if len(self.catalog) <= FEW_CASES else files[:1]
        shown = {file.path for file in files if file.problem} | {file.path for file in first}
        folders = {
            folder_key(name)
            for name, inside in self.folders.items()
            if len(files) <= FEW_FILES or any(file.path in shown for file in inside)
        }
        return (shown | folders) & self.keys

    @property
    def keys(self) -> set[str]:
        """Everything that can be folded."""
        folders = {folder_key(name) for name in self.folders if name}
        return {TAGS_KEY, *(file.path for file in self.catalog.files)} | folders

    def entries(self, unfolded: AbstractSet[str], width: int) -> tuple[Entry, ...]:
        """The tree as lines, with what is below the `unfolded` keys, in a pane of that width."""
        return tuple(self._entries(unfolded, width))

    def _entries(self, unfolded: AbstractSet[str], width: int) -> Iterator[Entry]:
        yield Entry(Kind.PROJECT)
        for name, files in self.folders.items():
            depth = 1
            if name and len(files) > 1:
                yield Entry(Kind.FOLDER, depth, name=name)
                if folder_key(name) not in unfolded:
                    continue
                depth += 1
            for file in files:
                alone = name if len(files) == 1 else ""
                yield Entry(Kind.FILE, depth, file, alone)
                if file.path in unfolded:
                    yield from _below(file, depth + 1, width)
        if self.catalog.modules:
            found = plural(len(self.catalog.modules), "eval module")
            yield Entry(Kind.NOTE, 1, name=f"{found}, not read yet")
        for note in self.catalog.notes:
            yield from (Entry(Kind.NOTE, 1, name=part) for part in wrap(note, max(1, width - 2)))
        if self.tags:
            yield Entry(Kind.TAGS)
            if TAGS_KEY in unfolded:
                yield from (Entry(Kind.TAG, 1, name=tag) for tag in self.tags)

    def files(self, entry: Entry) -> Sequence[SetFile]:
        """The files below a line, or the one that it is."""
        if entry.kind is Kind.PROJECT:
            return self.catalog.files
        if entry.kind is Kind.FOLDER:
            return self.folders[entry.name]
        return (entry.file,) if entry.kind is Kind.FILE and entry.file else ()

    def cases(self, entry: Entry) -> Iterable[CaseId]:
        """Every case below a line."""
        if (case := entry.case) is not None:
            return (case,)
        if entry.kind is Kind.TAG:
            return self.tags[entry.name]
        return [
            CaseId(file.path, case.eval_id) for file in self.files(entry) for case in file.cases
        ]


class Picked:
    """How many of the cases below each line are selected; made anew for another selection."""

    def __init__(self, outline: Outline, selected: AbstractSet[CaseId]) -> None:
        self.selected = selected
        self._outline = outline
        self._in_file = Counter(case.path for case in selected if case in outline.catalog)
        self._with_tag: dict[str, int] = {}

    def __len__(self) -> int:
        return self._in_file.total()

    def below(self, entry: Entry) -> tuple[int, int]:
        """How many cases there are below a line that are selected, and how many at all."""
        if (case := entry.case) is not None:
            return int(case in self.selected), 1
        if entry.kind is Kind.TAG:
            cases = self._outline.tags[entry.name]
            if entry.name not in self._with_tag:
                self._with_tag[entry.name] = sum(case in self.selected for case in cases)
            return self._with_tag[entry.name], len(cases)
        files = self._outline.files(entry)
        return sum(self._in_file[f.path] for f in files), sum(len(f.cases) for f in files)


def folder_key(name: str) -> str:
    """What a folder is called when it is noted whether it is unfolded."""
    return f"{name}/"


def in_folders(files: Sequence[SetFile]) -> dict[str, tuple[SetFile, ...]]:
    """The files by the folder that they are in, seen from the one that holds them all: that is ""
    and comes first.
    """
    parents = {file.path: _parent(file.path) for file in files}
    base = _common(set(parents.values()))
    found: dict[str, list[SetFile]] = {"": []}
    for file in files:
        parent = parents[file.path]
        name = parent.relative_to(base).as_posix() if base is not None else parent.as_posix()
        found.setdefault("" if name == "." else name, []).append(file)
    return {name: tuple(inside) for name, inside in found.items()}


def tagged(catalog: Catalog) -> dict[str, tuple[CaseId, ...]]:
    """The cases that carry each tag, in file order; the tag that most carry comes first."""
    found: dict[str, list[CaseId]] = {}
    for file in catalog.readable:
        for case in file.cases:
            for tag in dict.fromkeys(case.tags):
                found.setdefault(tag, []).append(CaseId(file.path, case.eval_id))
    most_first = sorted(found, key=lambda tag: -len(found[tag]))
    return {tag: tuple(found[tag]) for tag in most_first}


def line_in(note: str) -> int | None:
    """The line that a note about a file, which begins behind the file's path, names."""
    found = _POSITION.match(note)
    return int(found[1] or found[2]) if found else None


def told(file: SetFile, what: str) -> str:
    """A problem or a warning without the path that stands above it."""
    return what.removeprefix(file.path).lstrip(": ")


def _below(file: SetFile, depth: int, width: int) -> Iterator[Entry]:
    left_out = len(file.warnings) - SHOWN_WARNINGS
    notes = [told(file, what) for what in (file.problem, *file.warnings[:SHOWN_WARNINGS]) if what]
    room = max(width - INDENT * depth, NARROWEST)
    for note in notes:
        line = line_in(note)
        yield from (Entry(Kind.NOTE, depth, file, part, line) for part in wrap(note, room))
    if left_out > 0:
        yield Entry(Kind.NOTE, depth, file, f"and {left_out} more like that")
    yield from (Entry(Kind.CASE, depth, file, case.eval_id) for case in file.cases)


def _parent(path: str) -> PurePath:
    return Path(os.path.normpath(path)).parent


def _common(parents: set[PurePath]) -> PurePath | None:
    try:
        return PurePath(os.path.commonpath(parents) or ".") if parents else None
    except ValueError:
        return None  # some of the paths are absolute and some are not
