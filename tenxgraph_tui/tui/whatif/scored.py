"""The scores that one criterion gave, in order: a threshold cuts them in two."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from tenxgraph_tui.evaluation.results import CriterionResult, Score, Verdict

SCORED = {True: Verdict.PASSED, False: Verdict.FAILED}
BINS = 20
"""Bars of a histogram, one for every step of a threshold."""
JUST_ABOVE = 1e-9
"""A score at the border of two bars belongs to the upper one, whatever its last bits say."""


class Scored:
    """The cases that one threshold decided over, by their position among all cases.

    Whether a score passes is asked of the one place that knows. It is asked of a few of them:
    above a score that passes all others do.
    """

    def __init__(
        self, criterion: str, threshold: float, scores: Iterable[tuple[float, int]]
    ) -> None:
        ordered = sorted(scores)
        self.criterion, self.threshold, self.now = criterion, threshold, threshold
        self._scores = [score for score, _ in ordered]
        self._cases = [case for _, case in ordered]
        self._places = {case: place for place, case in enumerate(self._cases)}
        self.before = self.cut = self.cut_at(threshold)
        """How many scores failed in the run, and how many would."""

    def cut_at(self, threshold: float) -> int:
        """How many scores a threshold lets fail."""

        def passes(score: float) -> bool:
            return CriterionResult.judged(self.criterion, Score(score), threshold).passed

        return bisect_left(self._scores, True, key=passes)

    def move(self, threshold: float) -> Sequence[int]:
        """Take another threshold; gives back the cases for which that changes the verdict."""
        cut, self.now = self.cut_at(threshold), threshold
        between = self._cases[min(cut, self.cut) : max(cut, self.cut)]
        self.cut = cut
        return between

    @property
    def cases(self) -> Sequence[int]:
        return self._cases

    @property
    def moved(self) -> Sequence[int]:
        """The cases whose verdict is another one than in the run."""
        return self._cases[min(self.before, self.cut) : max(self.before, self.cut)]

    def passes(self, case: int) -> bool | None:
        """Whether a case would pass; None where this threshold does not decide over it."""
        place = self._places.get(case)
        return None if place is None else place >= self.cut

    def verdict(self, case: int) -> Verdict:
        """What a case has that this threshold decides over."""
        return SCORED[self._places[case] >= self.cut]

    def score(self, case: int) -> float:
        return self._scores[self._places[case]]


def bin_of(score: float) -> int:
    """The bar that a score is counted in; 1.0 belongs to the last."""
    return min(BINS - 1, int(score * BINS + JUST_ABOVE))
