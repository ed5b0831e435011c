"""What flipped between the last results that counted and new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.progress import DONE, CaseProgress, RunState
from tenxgraph_tui.session.history import Name


class Kind(StrEnum):
    """What became of a case; `NEW` is one without earlier results."""

    BROKE = "broke"
    ERRORED = "errored"
    FIXED = "fixed"
    NEW = "new"
    STILL_FAILING = "still failing"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Flip:
    """One case that ran again; `before` is None where it never had."""

    name: Name
    kind: Kind
    before: CaseStatus | None
    now: CaseProgress


@dataclass(frozen=True, slots=True)
class Flips:
    """Every case that a run has results of, in its order."""

    cases: tuple[Flip, ...] = ()

    def of(self, *kinds: Kind) -> tuple[Flip, ...]:
        """Those that became one of these."""
        return tuple(flip for flip in self.cases if flip.kind in kinds)

    @property
    def has_any(self) -> bool:
        """Whether anything is worth an announcement."""
        return bool(self.of(Kind.BROKE, Kind.ERRORED, Kind.FIXED))


def kind_of(before: CaseStatus | None, now: CaseStatus) -> Kind:
    """What a case became; both are verdicts, or `before` None.

    A failure that is an error now errored: something new is wrong with it.
    """
    if before not in DONE:
        return Kind.NEW
    if now is CaseStatus.PASSED:
        return Kind.UNCHANGED if before is CaseStatus.PASSED else Kind.FIXED
    if now is CaseStatus.ERROR and before is not CaseStatus.ERROR:
        return Kind.ERRORED
    return Kind.BROKE if before is CaseStatus.PASSED else Kind.STILL_FAILING


def flips(before: Mapping[Name, CaseStatus], now: Iterable[tuple[Name, CaseProgress]]) -> Flips:
    """What became of the cases that have results now; the others are left out."""
    return Flips(
        tuple(
            Flip(name, kind_of(before.get(name), case.status), before.get(name), case)
            for name, case in now
            if case.status in DONE
        )
    )


def results(
    state: RunState, path_of: Callable[[str], str] = str
) -> list[tuple[Name, CaseProgress]]:
    """The cases of a run that have results, in its order.

    `path_of` gives the path of the file that the run calls by some name. Of several attempts the
    first is taken, as `session.history` does.
    """
    paths = [path_of(info.file) for info in state.sets]
    return [
        ((paths[key.set_index], key.eval_id), case)
        for key, case in state.cases.items()
        if key.attempt == 0 and case.status in DONE
    ]
