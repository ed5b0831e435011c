"""Where two judgements of the same executions differ: case by case, criterion by criterion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.events import CaseFinished, RunStarted, VerdictPreview
from tenxgraph_tui.evaluation.results import Verdict
from tenxgraph_tui.session.store import RunStore

Place = tuple[str, str, str, int]
"""A case in either run: the name of its file, the id of its set, its own id, the attempt."""
UNSCORED = {Verdict.ERROR: "error", Verdict.NOT_EVALUATED: "not evaluated"}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two words about one case: what the earlier run said, and what this one does.

    They are about a criterion that both have; `criterion` is "" where all of these agree, but the
    case came out differently, by a criterion that only one run has. `attempt` counts from 0.
    """

    set_id: str
    eval_id: str
    attempt: int
    criterion: str
    before: str
    now: str


@dataclass(frozen=True, slots=True)
class Disagreements:
    """What two runs say of `cases`, those that both have a result of."""

    found: tuple[Disagreement, ...]
    cases: int

    @property
    def differing(self) -> int:
        """How many cases they disagree about."""
        return len({(one.set_id, one.eval_id, one.attempt) for one in self.found})


def disagreements(store: RunStore, run_id: str, other: str) -> Disagreements:
    """What `run_id` says otherwise than `other`. Scores that differ with one verdict are none.

    Raises:
        UsageError: there is no such run.
        StoreError: the store cannot be read.
    """
    before = dict(_cases(store, other))
    both = [(place, before[place], now) for place, now in _cases(store, run_id) if place in before]
    found = [one for place, then, now in both for one in _differing(place, then, now)]
    return Disagreements(tuple(found), len(both))


def _cases(store: RunStore, run_id: str) -> Iterator[tuple[Place, CaseFinished]]:
    """What has verdicts: of an agent that broke off there is nothing to disagree about."""
    sets: list[tuple[str, str]] = []
    for event in store.events(run_id):
        if isinstance(event, RunStarted):
            sets = [(PurePath(info.file).name, info.eval_set_id) for info in event.sets]
        elif isinstance(event, CaseFinished) and event.verdicts:
            key = event.case
            yield (*sets[key.set_index], key.eval_id, key.attempt), event


def _differing(place: Place, before: CaseFinished, now: CaseFinished) -> Iterator[Disagreement]:
    _, set_id, eval_id, attempt = place
    then, verdicts = _by_name(before), _by_name(now)
    names = [
        name for name in verdicts if name in then and verdicts[name].verdict != then[name].verdict
    ]
    for name in names:
        yield Disagreement(set_id, eval_id, attempt, name, *_words(then[name], verdicts[name]))
    if not names and before.status is not now.status:
        yield Disagreement(set_id, eval_id, attempt, "", before.status.value, now.status.value)


def _by_name(event: CaseFinished) -> Mapping[str, VerdictPreview]:
    return {one.criterion: one for one in event.verdicts}


def _words(then: VerdictPreview, now: VerdictPreview) -> tuple[str, str]:
    """`passed 0.82`; no number where it is no score. One score reads alike on both sides."""
    is_cut = then.score == now.score
    return in_words(then, is_cut=is_cut), in_words(now, is_cut=is_cut)


def in_words(verdict: VerdictPreview, *, is_cut: bool = False) -> str:
    """A verdict and its score, which is cut instead of rounded where it failed, or `is_cut`."""
    if verdict.verdict in UNSCORED:
        return UNSCORED[verdict.verdict]
    passed = verdict.verdict is Verdict.PASSED and not is_cut
    return f"{verdict.verdict.value} {numbers.score(verdict.score, passed=passed)}"
