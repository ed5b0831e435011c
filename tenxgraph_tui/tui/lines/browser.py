"""The browser of eval sets and cases: a tree as flat entries, and one line for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.tui import kit
from tenxgraph_tui.tui.catalog import CaseId, Catalog, SetFile
from tenxgraph_tui.tui.glyphs import ACCENT, ERROR, FAINT, MUTED, RUNNING, WARN
from tenxgraph_tui.tui.kit import cell, join, pad, spread, text
from tenxgraph_tui.tui.words import wrap

OPEN, PROBLEM_INDENT = "▾", "    "
BOX = {True: "[x] ", False: "[ ] "}
_LINE = re.compile(r"(?::|\bline )(\d+)")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the tree: the whole project, a file, one case of it, or what is wrong with it."""

    file: SetFile | None = None
    case: str | None = None
    problem: str = ""

    @property
    def is_file(self) -> bool:
        return self.file is not None and self.case is None and not self.problem

    @property
    def identity(self) -> tuple[str, str, str]:
        """What stays the same when the tree is built again."""
        return (self.file.path if self.file else "", self.case or "", self.problem)

    def cases(self, catalog: Catalog) -> Iterator[CaseId]:
        """Every case below this entry."""
        if self.file is None:
            yield from catalog
        elif self.case is not None:
            yield CaseId(self.file.path, self.case)
        elif not self.problem:
            for case in self.file.cases:
                yield CaseId(self.file.path, case.eval_id)


def entries(catalog: Catalog, unfolded: set[str], width: int) -> tuple[Entry, ...]:
    """The tree as lines; `unfolded` holds the paths of the files whose cases (or problem) show."""
    lines = [Entry()]
    for file in catalog.files:
        lines.append(Entry(file))
        if file.path not in unfolded:
            continue
        if file.problem:
            problem = file.problem.removeprefix(file.path).lstrip(": ")
            lines += [
                Entry(file, problem=part) for part in wrap(problem, width - len(PROBLEM_INDENT))
            ]
        lines += [Entry(file, case.eval_id) for case in file.cases]
    return tuple(lines)


@dataclass(frozen=True, slots=True)
class TreeContext:
    """What a line needs beside its entry."""

    catalog: Catalog
    unfolded: set[str]
    selected: AbstractSet[CaseId]
    status_of: Callable[[CaseId], CaseStatus]
    tally: Callable[[Entry], tuple[int, int]]


def line(entry: Entry, context: TreeContext, width: int) -> Content:
    """One entry in exactly `width` cells."""
    if entry.problem:
        return pad(join(PROBLEM_INDENT, text(entry.problem, WARN)), width)
    box = text(_box(entry, context), ACCENT)
    if entry.file is None:
        left = join(text(f"{OPEN} ", MUTED), box, text(context.catalog.title, "bold"))
        return spread(left, _share(entry, context), width)
    if entry.case is not None:
        return _case_line(CaseId(entry.file.path, entry.case), box, context, width)
    is_open = entry.file.path in context.unfolded
    if entry.file.problem:
        left = join("  ", text(f"{ERROR} ", WARN), text(entry.file.label))
        return spread(left, text(_where(entry.file.problem), WARN), width)
    left = join("  ", text(f"{OPEN if is_open else RUNNING} ", MUTED), box, text(entry.file.label))
    return spread(left, _share(entry, context), width)


def _case_line(case: CaseId, box: Content, context: TreeContext, width: int) -> Content:
    status = context.status_of(case)
    sign = kit.sign_of(status)
    head = join("    ", text(f"{sign.glyph} ", sign.style), box)
    calm = status in {CaseStatus.PASSED, CaseStatus.WAITING, CaseStatus.SKIPPED}
    room = max(0, width - head.cell_length)
    return pad(join(head, cell(case.eval_id, room, MUTED if calm else "", mode="middle")), width)


def _box(entry: Entry, context: TreeContext) -> str:
    """Boxes stand only where something is selected."""
    if not context.selected:
        return ""
    cases = set(entry.cases(context.catalog))
    return BOX[bool(cases) and cases <= context.selected]


def _share(entry: Entry, context: TreeContext) -> Content:
    passed, total = context.tally(entry)
    return join(text(passed), text(f"/{total}", FAINT))


def _where(problem: str) -> str:
    found = _LINE.search(problem)
    return f"line {found[1]}" if found else "not read"
