"""The eval sets that were found, and which of their cases are wanted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path

from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.session.files import Problem, Stamp
from tenxgraph_tui.session.modules import Uses
from tenxgraph_tui.session.protocol import SetRequest

MOST_NEAR = 3


@dataclass(frozen=True, slots=True)
class FoundSet:
    """A file that was read, and which of its cases are wanted; `ids` None wants all of them.

    `stamp` is that of the file as it was read. What a module made has `uses` instead: the files
    that it was made from.
    """

    file: Path
    eval_set: EvalSet
    ids: tuple[str, ...] | None = None
    warnings: tuple[str, ...] = ()
    stamp: Stamp | None = None
    uses: Uses = ()

    @property
    def cases(self) -> list[EvalCase]:
        """The wanted cases, in file order."""
        if self.ids is None:
            return list(self.eval_set.eval_cases)
        wanted = set(self.ids)
        return [case for case in self.eval_set.eval_cases if case.eval_id in wanted]

    @property
    def request(self) -> SetRequest:
        """How a worker is asked for them."""
        return SetRequest(path=str(self.file), ids=self.ids)


@dataclass(frozen=True, slots=True)
class Discovery:
    """Everything found at the given paths; a file with a problem does not hide the others.

    `unread` are eval modules that were not read: that runs their code, which only a worker may do.
    `notes` say of those that were why nothing of them can be run. `near` are cases that may have
    been meant where none is what was asked for.
    """

    root: Path
    sets: tuple[FoundSet, ...] = ()
    problems: tuple[Problem, ...] = ()
    unread: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
    near: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """How many cases are wanted."""
        return sum(len(found.cases) for found in self.sets)

    @property
    def warnings(self) -> tuple[str, ...]:
        """One line for each thing in the files that has no effect."""
        return (*(warning for found in self.sets for warning in found.warnings), *self.notes)

    @property
    def requests(self) -> tuple[SetRequest, ...]:
        """The wanted cases as a worker is asked for them."""
        return tuple(found.request for found in self.sets)


def select(
    discovery: Discovery, case_globs: Sequence[str] = (), tags: Sequence[str] = ()
) -> Discovery:
    """Keep the cases that match any of the globs and carry any of the tags, where given.

    A glob is held against the case's id and against `eval_set_id/id`. A set without any case left
    is left out, so `total` may be 0 afterwards; then `near` has what may have been meant.
    """
    if not case_globs and not tags:
        return discovery
    narrowed = [
        replace(found, ids=tuple(_matching(found, case_globs, frozenset(tags))))
        for found in discovery.sets
    ]
    sets = tuple(found for found in narrowed if found.ids)
    return replace(discovery, sets=sets, near=() if sets else _near(discovery, case_globs))


def _near(discovery: Discovery, globs: Sequence[str]) -> tuple[str, ...]:
    """The ids, of any set, that have what was asked for in them, or nearly are it."""
    ids = list(dict.fromkeys(case.eval_id for found in discovery.sets for case in found.cases))
    near: list[str] = []
    for glob in globs:
        if any(fnmatchcase(one, glob) for one in ids):
            continue  # it is a tag that they lack
        asked = glob.strip("*?").casefold()
        having = [one for one in ids if asked and asked in one.casefold()]
        alike = get_close_matches(asked, ids, n=MOST_NEAR)
        near += [*having, *alike]
    return tuple(dict.fromkeys(near))[:MOST_NEAR]


def _matching(found: FoundSet, globs: Sequence[str], tags: frozenset[str]) -> Iterable[str]:
    for case in found.cases:
        names = (case.eval_id, f"{found.eval_set.eval_set_id}/{case.eval_id}")
        by_name = not globs or any(fnmatchcase(name, glob) for name in names for glob in globs)
        if by_name and (not tags or tags & set(case.tags)):
            yield case.eval_id
