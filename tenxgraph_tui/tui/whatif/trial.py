"""What would have come of cases with other thresholds: from their scores, without a run."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from tenxgraph_tui.evaluation.events import CaseStatus, VerdictPreview
from tenxgraph_tui.evaluation.progress import NOT_PASSED, CaseProgress
from tenxgraph_tui.evaluation.results import (
    CriterionResult,
    EvalCaseResult,
    Verdict,
    error_of,
)
from tenxgraph_tui.tui.causes.failure import Failure
from tenxgraph_tui.tui.whatif.scored import SCORED, Scored

BY_SCORE = frozenset(SCORED.values())
Asked = Callable[[CaseProgress], Mapping[str, float]]
"""The thresholds that the config asks of a case; those that the case has of its own are missing."""


@cache
def concluded(verdicts: frozenset[Verdict]) -> CaseStatus:
    """What a case is whose criteria came to these verdicts, by the library's own rule."""
    results = [
        CriterionResult(criterion="", score=0.0, passed=one is Verdict.PASSED, verdict=one)
        for one in sorted(verdicts)
    ]
    result = EvalCaseResult.success("", results)
    if result.is_error:
        return CaseStatus.ERROR
    return CaseStatus.PASSED if result.passed else CaseStatus.FAILED


@dataclass(slots=True)
class _Standing:
    """How many verdicts of each kind a case has."""

    counts: Counter[Verdict]
    expects_failure: bool
    status: CaseStatus

    def concluded(self) -> CaseStatus:
        found = concluded(frozenset(one for one, count in self.counts.items() if count > 0))
        is_excused = self.expects_failure and found is not CaseStatus.ERROR
        return CaseStatus.PASSED if is_excused else found


class Trial:
    """Every finished case, and what it would be. Costs what changes, not how many there are.

    `excused` are the positions of cases whose file expects them to fail.
    """

    def __init__(
        self, cases: Sequence[CaseProgress], asked: Asked, excused: Collection[int] = ()
    ) -> None:
        self.cases = cases
        self._groups: dict[str, list[Scored]] = defaultdict(list)
        self._fixed: dict[str, list[tuple[int, Verdict]]] = defaultdict(list)
        self._off: set[str] = set()
        self._standing = [
            _Standing(
                Counter(one.verdict for one in case.verdicts.values()),
                case.known or case.unexpected or place in excused,
                case.status,
            )
            for place, case in enumerate(cases)
        ]
        self._settled = {
            place
            for place, one in enumerate(self._standing)
            if one.concluded() is not cases[place].status
        }
        """The cases of which more than their verdicts decided; they stay what they are."""
        self._sort_out(asked)
        self.counts = Counter(case.status for case in cases)
        self.flipped: set[int] = set()

    def _sort_out(self, asked: Asked) -> None:
        scores: dict[tuple[str, float], list[tuple[float, int]]] = defaultdict(list)
        for place, case in enumerate(self.cases):
            wanted = asked(case)
            for name, one in case.verdicts.items():
                if one.verdict in BY_SCORE and wanted.get(name) == one.threshold:
                    scores[name, one.threshold].append((one.score, place))
                else:
                    self._fixed[name].append((place, one.verdict))
        for (name, threshold), found in scores.items():
            group = Scored(name, threshold, found)
            # of these it came to another verdict than its score and its threshold do
            odd = {one for one in group.cases if self.verdict(one, name) is not group.verdict(one)}
            if odd:
                self._fixed[name] += [(case, self.verdict(case, name)) for case in odd]
                group = Scored(name, threshold, [one for one in found if one[1] not in odd])
            self._groups[name].append(group)

    def verdict(self, case: int, criterion: str) -> Verdict:
        """What a criterion concluded in the run."""
        return self.cases[case].verdicts[criterion].verdict

    @property
    def criteria(self) -> list[str]:
        """The criteria that gave scores, by their reported names."""
        return [*self._groups]

    def groups(self, criterion: str) -> Sequence[Scored]:
        """The scores of a criterion, apart for every threshold that it had."""
        return self._groups.get(criterion, ())

    def attempt(self, criterion: str, threshold: float | None, *, is_on: bool) -> None:
        """Have a criterion judge by another threshold, None for its own, or not at all."""
        was_on = criterion not in self._off
        touched: list[int] = []
        if was_on and not is_on:
            touched += self._count(criterion, -1)
            self._off.add(criterion)
        for group in self.groups(criterion):
            moved = group.move(group.threshold if threshold is None else threshold)
            if was_on and is_on:
                self._turn(group, moved)
                touched += moved
        if is_on and not was_on:
            self._off.discard(criterion)
            touched += self._count(criterion, 1)
        self._conclude(touched)

    def _turn(self, group: Scored, moved: Sequence[int]) -> None:
        """Count these cases under the other verdict of a criterion."""
        for case in moved:
            counts, passes = self._standing[case].counts, bool(group.passes(case))
            counts[SCORED[passes]] += 1
            counts[SCORED[not passes]] -= 1

    def _count(self, criterion: str, by: int) -> Iterator[int]:
        """Count the verdicts of a criterion in, or out."""
        for group in self.groups(criterion):
            for case in group.cases:
                self._standing[case].counts[SCORED[bool(group.passes(case))]] += by
                yield case
        for case, verdict in self._fixed.get(criterion, ()):
            self._standing[case].counts[verdict] += by
            yield case

    def _conclude(self, touched: Sequence[int]) -> None:
        for case in touched:
            standing, before = self._standing[case], self.cases[case].status
            now = before if case in self._settled else standing.concluded()
            self.counts[standing.status] -= 1
            self.counts[now] += 1
            standing.status = now
            if now is before:
                self.flipped.discard(case)
            else:
                self.flipped.add(case)

    def status(self, case: int) -> CaseStatus:
        """What a case would be."""
        return self._standing[case].status

    def changed(self, criterion: str) -> Iterator[int]:
        """The cases for which a criterion has another verdict than in the run, or none any more."""
        if criterion in self._off:
            yield from (case for group in self.groups(criterion) for case in group.cases)
            yield from (case for case, _ in self._fixed.get(criterion, ()))
        else:
            yield from (case for group in self.groups(criterion) for case in group.moved)

    def verdicts(self, case: int) -> list[VerdictPreview]:
        """The verdicts that a case would have; criteria that are off have none."""
        return self._tried(case, self._moved())

    def _moved(self) -> dict[str, list[Scored]]:
        """The scores that are measured by another threshold than in the run."""
        found = {
            name: [group for group in groups if group.now != group.threshold]
            for name, groups in self._groups.items()
        }
        return {name: groups for name, groups in found.items() if groups}

    def _tried(self, case: int, moved: Mapping[str, list[Scored]]) -> list[VerdictPreview]:
        found = dict(self.cases[case].verdicts)
        for name in self._off:
            found.pop(name, None)
        for name in moved.keys() & found.keys():
            for group in moved[name]:
                passes = group.passes(case)
                if passes is not None:
                    verdict = SCORED[passes]
                    found[name] = replace(found[name], verdict=verdict, threshold=group.now)
        return [*found.values()]

    def failures(self) -> Iterator[Failure]:
        """The cases that would not pass, in the order of their files."""
        moved = self._moved()
        for place, case in enumerate(self.cases):
            status = self.status(place)
            if status in NOT_PASSED:
                verdicts = self._tried(place, moved)
                yield Failure(case.key, verdicts, _error(case, status, verdicts))


def _error(case: CaseProgress, status: CaseStatus, verdicts: Sequence[VerdictPreview]) -> str:
    if status is not CaseStatus.ERROR:
        return ""
    if case.status is CaseStatus.ERROR and case.error:
        return case.error
    results = [
        CriterionResult(criterion=one.criterion, score=0.0, passed=False, verdict=one.verdict)
        for one in verdicts
    ]
    return error_of(results) or "error"
