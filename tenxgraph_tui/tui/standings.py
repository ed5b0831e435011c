"""How every case of the catalog did when it last ran, over all runs of a session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.progress import NOT_PASSED, CaseProgress
from tenxgraph_tui.tui.catalog import CaseId


class Standings:
    """Counts as it goes: what is asked for in every frame must not look at every case."""

    def __init__(self) -> None:
        self._latest: dict[CaseId, CaseProgress] = {}
        self._passed_in: Counter[str] = Counter()
        self._counted: set[CaseId] = set()
        self._failed: set[CaseId] = set()
        self._pending: set[CaseId] = set()

    def seed(self, cases: Iterable[tuple[CaseId, CaseProgress]]) -> None:
        """What earlier sessions know; of cases that ran in this one it says nothing new."""
        for case, progress in cases:
            if case not in self._latest:
                self._latest[case] = progress
                self.finish(case, progress.status)

    def restore(self, cases: Iterable[tuple[CaseId, CaseProgress]]) -> None:
        """These cases are again as they were before a run that does not count."""
        for case, progress in cases:
            self._latest[case] = progress
            self._forget(case)
            self.finish(case, progress.status)

    def begin(self, cases: Iterable[tuple[CaseId, CaseProgress]]) -> None:
        """These cases run again: what was known of them is over."""
        for case, progress in cases:
            self._latest[case] = progress
            self._forget(case)
            self._pending.add(case)

    def finish(self, case: CaseId, status: CaseStatus) -> None:
        self._forget(case)
        if status is CaseStatus.PASSED:
            self._counted.add(case)
            self._passed_in[case.path] += 1
        elif status in NOT_PASSED or status is CaseStatus.CANCELLED:
            self._failed.add(case)

    def end(self) -> None:
        """The run is over: what it did not get to did not pass."""
        self._failed |= self._pending
        self._pending.clear()

    def keep_only(self, is_known: Callable[[CaseId], bool]) -> None:
        """Forget the cases that are in no file any more."""
        for case in [case for case in self._latest if not is_known(case)]:
            self._forget(case)
            del self._latest[case]

    def _forget(self, case: CaseId) -> None:
        self._pending.discard(case)
        self._failed.discard(case)
        if case in self._counted:
            self._counted.remove(case)
            self._passed_in[case.path] -= 1

    def status_of(self, case: CaseId) -> CaseStatus:
        progress = self._latest.get(case)
        return progress.status if progress is not None else CaseStatus.WAITING

    def passed_in(self, path: str) -> int:
        """How many cases of a file passed when they last ran."""
        return self._passed_in[path]

    @property
    def failed(self) -> frozenset[CaseId]:
        """The cases that did not pass when they last ran, those that were cancelled among them."""
        return frozenset(self._failed)

    @property
    def has_failed(self) -> bool:
        return bool(self._failed)
