"""The cases of a board as the rows of a table: filtered, in an order, the running ones on top."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.progress import NOT_PASSED, CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.sorting import Rank

Place = tuple[float, int]
"""Where a case belongs: its rank in the order, then its place in the files."""


class View(NamedTuple):
    """Which cases are rows, and what decides about their order; a new one has all placed anew."""

    wants: Callable[[CaseProgress], bool] | None
    rank: Rank
    lanes: int


class Rows:
    """Knows every row and its place without looking at all of them again when a case changes.

    The first `lanes` running cases stand on top in file order; all others by rank.
    """

    def __init__(self) -> None:
        self._view: View | None = None
        self._cases: list[CaseProgress] = []
        self._index: dict[CaseKey, int] = {}
        self._places: dict[int, Place] = {}
        self._sorted: list[Place] = []
        self._bad: list[Place] = []
        self._running: list[int] = []
        self._pinned: list[int] = []
        self._lifted: list[int] = []

    def set(self, cases: Iterable[CaseProgress], view: View) -> None:
        """Place all of these cases."""
        self._cases, self._view = list(cases), view
        self._index = {case.key: index for index, case in enumerate(self._cases)}
        wants, rank = view.wants, view.rank
        self._places = {
            index: (rank(case), index)
            for index, case in enumerate(self._cases)
            if wants is None or wants(case)
        }
        self._sorted = sorted(self._places.values())
        self._bad = [place for place in self._sorted if self._status(place[1]) in NOT_PASSED]
        running = CaseStatus.RUNNING
        self._running = [index for index in self._places if self._status(index) is running]
        self._pin()

    def update(self, keys: Iterable[CaseKey]) -> bool:
        """Place these cases anew, because they changed; tells whether any row moved."""
        if self._view is None:
            return False
        before = (*self._pinned,)
        moved = False
        for key in keys:
            index = self._index.get(key)
            if index is not None:
                moved = self._place(index, self._view) or moved
        self._pin()
        return moved or (*self._pinned,) != before

    def _place(self, index: int, view: View) -> bool:
        case, old = self._cases[index], self._places.get(index)
        is_row = view.wants is None or view.wants(case)
        new = (view.rank(case), index) if is_row else None
        if old is not None:
            _remove(self._bad, old)
            _remove(self._running, index)
        if new is not None:
            if case.status in NOT_PASSED:
                insort(self._bad, new)
            elif case.status is CaseStatus.RUNNING:
                insort(self._running, index)
        if new == old:
            return False
        if old is not None:
            _remove(self._sorted, old)
            del self._places[index]
        if new is not None:
            insort(self._sorted, new)
            self._places[index] = new
        return True

    def _pin(self) -> None:
        lanes = self._view.lanes if self._view else 0
        self._pinned = self._running[:lanes]
        self._lifted = sorted(bisect_left(self._sorted, self._places[i]) for i in self._pinned)

    def _status(self, index: int) -> CaseStatus:
        return self._cases[index].status

    def __len__(self) -> int:
        return len(self._sorted)

    def __iter__(self) -> Iterator[CaseProgress]:
        return (self[row] for row in range(len(self)))

    def __getitem__(self, row: int) -> CaseProgress:
        if row < len(self._pinned):
            return self._cases[self._pinned[row]]
        below = row - len(self._pinned)
        for lifted in self._lifted:
            below += lifted <= below
        return self._cases[self._sorted[below][1]]

    def place_of(self, key: CaseKey) -> int | None:
        """The row of a case, None where it has none."""
        index = self._index.get(key)
        if index is None or index not in self._places:
            return None
        if index in self._pinned:
            return self._pinned.index(index)
        return self._row_at(self._places[index])

    def _row_at(self, place: Place) -> int:
        """The row at which a place below the pinned ones is, or would be."""
        found = bisect_left(self._sorted, place)
        return found + len(self._pinned) - bisect_left(self._lifted, found)

    def near(self, key: CaseKey) -> int:
        """The row of a case, or the one that stands where it would."""
        row = self.place_of(key)
        if row is not None or self._view is None or key not in self._index:
            return row or 0
        index = self._index[key]
        return min(self._row_at((self._view.rank(self._cases[index]), index)), len(self) - 1)

    @property
    def not_passed(self) -> int:
        """How many rows are of cases that failed or errored."""
        return len(self._bad)

    def standing(self, key: CaseKey) -> int:
        """Which of the rows that did not pass a case is, from 1; 0 where it is none of them."""
        place = self._places.get(self._index.get(key, -1))
        found = bisect_left(self._bad, place) if place is not None else len(self._bad)
        return found + 1 if found < len(self._bad) and self._bad[found] == place else 0

    def next_not_passed(self, key: CaseKey | None, step: int) -> CaseKey | None:
        """The next row, or the one before, that did not pass, around the end if need be."""
        if not self._bad:
            return None
        place: Place = (float("-inf"), -1)
        index = self._index.get(key, -1) if key is not None else -1
        if index in self._places and index not in self._pinned:
            place = self._places[index]
        found = bisect_left(self._bad, place)
        is_there = found < len(self._bad) and self._bad[found] == place
        target = found + step if is_there or step < 0 else found
        return self._cases[self._bad[target % len(self._bad)][1]].key


def _remove(among: list[Any], one: Any) -> None:
    found = bisect_left(among, one)
    if found < len(among) and among[found] == one:
        del among[found]
