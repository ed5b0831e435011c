"""What comes of a trial, seen from one criterion: how many pass, which cases flip, its scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import CaseKey, Verdict
from tenxgraph_tui.tui.draft import DraftRow
from tenxgraph_tui.tui.whatif.scored import BINS, bin_of
from tenxgraph_tui.tui.whatif.trial import Trial

MOST_LISTED = 200
PASSED = CaseStatus.PASSED
BAD = frozenset({Verdict.FAILED, Verdict.ERROR})


@dataclass(frozen=True, slots=True)
class Listed:
    """A case that would flip, or would not although the criterion would pass.

    `score` is the one of the criterion, None where it gave none. `still` are the criteria that
    keep it from passing.
    """

    key: CaseKey
    score: float | None
    still: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bars:
    """How many scores there are of each size, and of how many cases that flip."""

    scores: Sequence[int]
    up: Sequence[int]
    down: Sequence[int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """`was` and `now` are thresholds; the cases of the lists stand in the order of their files.

    Of long lists only the beginning is kept, and `more` counts the rest.
    """

    criterion: str
    is_on: bool
    was: tuple[float, ...]
    now: float
    total: int
    passed: tuple[int, int]
    bars: Bars
    up: Sequence[Listed] = ()
    down: Sequence[Listed] = ()
    still: Sequence[Listed] = ()
    more: int = 0


def flips(trial: Trial, criterion: str) -> tuple[list[int], list[int]]:
    """The cases that a criterion kept from passing and that would pass, and the other way round.

    A case that flips because of another criterion alone is in neither.
    """
    flipped = [case for case in trial.changed(criterion) if case in trial.flipped]
    up, down = _parted(trial, flipped)
    kept_from = [case for case in up if trial.verdict(case, criterion) in BAD]
    return kept_from, [case for case in down if trial.verdict(case, criterion) not in BAD]


def kept_back(trial: Trial, criterion: str) -> list[int]:
    """The cases that a criterion would let pass, and others do not."""
    return sorted(
        case
        for group in trial.groups(criterion)
        for case in group.moved
        if group.passes(case) and trial.status(case) is not PASSED
    )


def listed(trial: Trial, criterion: str) -> tuple[list[list[Listed]], int]:
    """The cases that would pass, would not any more and still would not; how many are left out."""
    up, down = _parted(trial, sorted(trial.flipped))
    every = [up, down, kept_back(trial, criterion)]
    found = [[_one(trial, case, criterion) for case in islice(some, MOST_LISTED)] for some in every]
    return found, sum(len(some) for some in every) - sum(len(some) for some in found)


def binned(trial: Trial, criterion: str, cases: Iterable[int]) -> list[int]:
    """How many of the cases have a score of each size."""
    counts = [0] * BINS
    for case in cases:
        one = trial.cases[case].verdicts.get(criterion)
        if one is not None:
            counts[bin_of(one.score)] += 1
    return counts


def _parted(trial: Trial, flipped: Sequence[int]) -> tuple[list[int], list[int]]:
    up = [case for case in flipped if trial.status(case) is PASSED]
    return up, [case for case in flipped if trial.status(case) is not PASSED]


def _one(trial: Trial, case: int, criterion: str) -> Listed:
    progress = trial.cases[case]
    scored = progress.verdicts.get(criterion)
    still: tuple[str, ...] = ()
    if trial.status(case) is not PASSED:
        still = tuple(one.criterion for one in trial.verdicts(case) if one.verdict in BAD)
    return Listed(progress.key, scored.score if scored is not None else None, still)


class Outcomes:
    """What comes of a trial, seen from any criterion; found out once, until the trial goes on."""

    def __init__(self, trial: Trial) -> None:
        self._trial, self._passed = trial, trial.counts[PASSED]
        self._bars: dict[str, list[int]] = {}
        self._flips: dict[str, tuple[list[int], list[int]]] = {}

    def forget(self) -> None:
        """Something else is tried."""
        self._flips.clear()

    def flips(self, criterion: str) -> tuple[list[int], list[int]]:
        """The cases that would pass because of a criterion, and those that would not any more."""
        if criterion not in self._flips:
            self._flips[criterion] = flips(self._trial, criterion)
        return self._flips[criterion]

    def of(self, criterion: str, row: DraftRow, was: tuple[float, ...]) -> Outcome:
        """All of it; `was` are the thresholds of the run."""
        trial = self._trial
        up, down = self.flips(criterion)
        lists, more = listed(trial, criterion)
        return Outcome(
            criterion=row.name,
            is_on=row.is_on,
            was=was,
            now=row.now.threshold,
            total=len(trial.cases),
            passed=(self._passed, trial.counts[PASSED]),
            bars=Bars(
                self._scores(criterion),
                binned(trial, criterion, up),
                binned(trial, criterion, down),
            ),
            up=lists[0],
            down=lists[1],
            still=lists[2],
            more=more,
        )

    def _scores(self, criterion: str) -> list[int]:
        """All scores of a criterion: they stay the same."""
        if criterion not in self._bars:
            groups = self._trial.groups(criterion)
            cases = (case for group in groups for case in group.cases)
            self._bars[criterion] = binned(self._trial, criterion, cases)
        return self._bars[criterion]
