"""Looks through the results of many cases, a few at a time, and keeps only what was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.evidence import Evidence
from tenxgraph_tui.tui.board import Source
from tenxgraph_tui.tui.catalog import CaseId, Catalog
from tenxgraph_tui.tui.causes.failure import Failure
from tenxgraph_tui.tui.causes.finding import Finding
from tenxgraph_tui.tui.causes.grouping import ERROR
from tenxgraph_tui.tui.causes.steps import divergences
from tenxgraph_tui.tui.causes.trouble import breakdown
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.results import ResultReader

AT_ONCE = 100
MOST_KEPT = 20_000
NOTHING: Mapping[str, Finding] = {}
Place = tuple[str, CaseKey]
"""A run, and what it calls a case."""
Found = Mapping[str, Finding]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A case to look at, and where its result is."""

    case: CaseId
    source: Source
    error: str

    @property
    def place(self) -> Place:
        return self.source.run_id, self.source.key


class Lookout:
    """What was found out about cases of a desk. Only `look` may be called in a thread.

    What was looked at once is not read again, whichever screen asks.
    """

    def __init__(self, desk: Desk, reader: ResultReader) -> None:
        self._desk, self._reader = desk, reader
        self._found: dict[Place, Found] = {}
        self._of: tuple[Any, ...] = ()

    def findings(self, key: CaseKey) -> Found:
        """What is known of a case of the board by now."""
        source = self._desk.board.source(key)
        return self._found.get((source.run_id, source.key), NOTHING)

    def knows(self, key: CaseKey) -> bool:
        """Whether the case was looked at."""
        source = self._desk.board.source(key)
        return (source.run_id, source.key) in self._found

    def missing(self, failed: Iterable[Failure]) -> list[Wanted]:
        """The cases that have not been looked at."""
        self._forget_other_files()
        desk = self._desk
        wanted = (
            Wanted(desk.id_of(one.key), desk.board.source(one.key), one.error) for one in failed
        )
        return [one for one in wanted if one.place not in self._found]

    def _forget_other_files(self) -> None:
        """Files that were read again may expect something else."""
        catalog = (self._desk.catalog,)
        if catalog != self._of or len(self._found) > MOST_KEPT:
            self._of = catalog
            self._found.clear()

    def look(self, some: Sequence[Wanted]) -> list[tuple[Place, Found]]:
        """Read the results of some cases; those that have none (yet) are left out.

        Raises:
            StoreError: the store cannot be read.
        """
        catalog = self._desk.catalog
        ordered = sorted(some, key=lambda one: one.source.run_id)
        found: list[tuple[Place, Found]] = []
        for run_id, group in groupby(ordered, key=lambda one: one.source.run_id):
            wanted = {one.source.key: one for one in group}
            for one in self._reader.evidence(run_id, list(wanted)):
                told = dict(_told(wanted[one.key], one, catalog))
                found.append(((run_id, one.key), told))
        return found

    def take(self, some: Sequence[Wanted], found: Iterable[tuple[Place, Found]]) -> None:
        """Keep what was found; what a run that goes on has not written yet is looked at later."""
        if not self._desk.state.is_running:
            self._found.update({one.place: NOTHING for one in some})
        self._found.update(found)


def _told(wanted: Wanted, found: Evidence, catalog: Catalog) -> Iterator[tuple[str, Finding]]:
    if wanted.error:
        yield ERROR, breakdown(wanted.error, found)
    yield from divergences(catalog.case_once(wanted.case), found)
