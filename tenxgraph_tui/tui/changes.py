"""How a case changed against the baseline: a word that follows from two statuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.progress import DONE, NOT_PASSED
from tenxgraph_tui.session.history import Baseline
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.glyphs import ACCENT, BAD, FIXED, GOOD, MUTED, NEW, REGRESSED, SAME, Sign


class Change(StrEnum):
    """What became of a case since the baseline, the worst first."""

    REGRESSED = "regressed"
    FIXED = "fixed"
    NEW = "new"
    SAME = "same"


SIGNS = {
    Change.REGRESSED: Sign(REGRESSED, "regressed", BAD, BAD),
    Change.FIXED: Sign(FIXED, "fixed", GOOD, GOOD),
    Change.NEW: Sign(NEW, "new", ACCENT, ACCENT),
    Change.SAME: Sign(SAME, "same", MUTED, MUTED),
}


def change(before: CaseStatus | None, now: CaseStatus, *, is_first: bool = False) -> Change | None:
    """What `now` is against `before`; None where there is nothing to compare.

    An error after a failure is no change for the worse: neither passed. `is_first` marks a case
    that no earlier run has.
    """
    if now not in DONE:
        return None
    if before not in DONE:
        return Change.NEW if is_first else None
    if before is CaseStatus.PASSED:
        return Change.REGRESSED if now in NOT_PASSED else Change.SAME
    return Change.FIXED if now is CaseStatus.PASSED else Change.SAME


@dataclass(frozen=True, slots=True)
class Against:
    """A case beside the baseline with that number; `before` is None where it is new."""

    change: Change
    before: CaseStatus | None
    number: int


class Comparison:
    """A run beside its baseline, if it has one. Counts as it goes."""

    def __init__(self, baseline: Baseline | None = None) -> None:
        self.baseline = baseline
        self.counts: Counter[Change] = Counter()

    @property
    def number(self) -> int | None:
        """The baseline as people name it."""
        return self.baseline.number if self.baseline is not None else None

    def before(self, case: CaseId) -> CaseStatus | None:
        """How a case did in the baseline; None where it is not part of it."""
        return self.baseline.cases.get(case) if self.baseline is not None else None

    def of(self, case: CaseId, status: CaseStatus) -> Change | None:
        """What a case with that status now is against the baseline."""
        if self.baseline is None:
            return None
        is_first = case in self.baseline.first_time
        return change(self.baseline.cases.get(case), status, is_first=is_first)

    def against(self, case: CaseId, status: CaseStatus) -> Against | None:
        """The same, with what it follows from."""
        found = self.of(case, status)
        if found is None or self.baseline is None:
            return None
        return Against(found, self.before(case), self.baseline.number)

    def count(self, cases: Iterable[tuple[CaseId, CaseStatus]]) -> None:
        """Take in cases that finished, each once."""
        if self.baseline is not None:
            found = (self.of(case, status) for case, status in cases)
            self.counts.update(one for one in found if one is not None)
