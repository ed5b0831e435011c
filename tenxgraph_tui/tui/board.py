"""The cases that the table shows: those of the run, and among them how all others did before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tenxgraph_tui.evaluation.events import CaseStatus, SetInfo
from tenxgraph_tui.evaluation.progress import NOT_PASSED, CaseProgress, RunState
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.catalog import CaseId, Catalog

UNTOLD = frozenset({CaseStatus.WAITING, CaseStatus.RUNNING})


@dataclass(frozen=True, slots=True)
class Source:
    """The run that a case is of, and its key and set there. `number` is the one people type."""

    run_id: str
    number: int | None
    key: CaseKey
    info: SetInfo


@dataclass(frozen=True, slots=True)
class Earlier:
    """How a case did when it last ran, and where that was; `case` has the key of a board."""

    case: CaseProgress
    source: Source


@dataclass(slots=True)
class Board:
    """`cases` by a key of their own; those in `earlier` are not part of the run of `state`."""

    state: RunState
    sets: tuple[SetInfo, ...]
    cases: dict[CaseKey, CaseProgress]
    earlier: dict[CaseKey, Source] = field(default_factory=dict)
    has_earlier_failed: bool = False

    def source(self, key: CaseKey) -> Source:
        """Where a case comes from, and what it is called there."""
        if key in self.earlier:
            return self.earlier[key]
        return Source(self.state.run_id, self.state.number, key, self.sets[key.set_index])


def alone(state: RunState) -> Board:
    """The cases of a run and no others."""
    return Board(state, state.sets, state.cases)


def at_rest(state: RunState, known: Mapping[CaseId, Earlier], catalog: Catalog) -> Board:
    """The cases before a run: each as it was when it last ran, where that is known."""
    paths = [catalog.path_of(info.file) for info in state.sets]
    cases = dict(state.cases)
    earlier: dict[CaseKey, Source] = {}
    for key, idle in state.cases.items():
        found = known.get(CaseId(paths[key.set_index], key.eval_id))
        if found is not None and idle.info.skip is None:
            case = found.case
            case.key, case.info = key, idle.info  # no copy: there may be ten thousand of them
            cases[key] = case
            earlier[key] = found.source
    has_failed = any(cases[key].status in NOT_PASSED for key in earlier)
    return Board(state, state.sets, cases, earlier, has_failed)


def over(state: RunState, before: Board, catalog: Catalog) -> Board:
    """The cases of a run, and those of `before` that it leaves alone, in the catalog's order.

    A case that was taken out of its file since is not among them: nothing runs it again.
    """
    sets, paths = list(state.sets), [catalog.path_of(info.file) for info in state.sets]
    taken = {CaseId(paths[key.set_index], key.eval_id) for key in state.cases}
    kept: dict[CaseKey, CaseProgress] = {}
    earlier: dict[CaseKey, Source] = {}
    for key, case in before.cases.items():
        info = before.sets[key.set_index]
        path = catalog.path_of(info.file)
        known = CaseId(path, key.eval_id)
        if case.status in UNTOLD or known in taken or not catalog.may_hold(known):
            continue
        if path not in paths:
            sets.append(info)
            paths.append(path)
        here = key._replace(set_index=paths.index(path))
        kept[here] = case if here == key else replace(case, key=here)
        earlier[here] = before.source(key)
    if not kept:
        return alone(state)
    places = {case: place for place, case in enumerate(catalog)}
    found = {**state.cases, **kept}
    ordered = sorted(
        found,
        key=lambda key: places.get(CaseId(paths[key.set_index], key.eval_id), len(places)),
    )
    has_failed = any(case.status in NOT_PASSED for case in kept.values())
    return Board(state, tuple(sets), {key: found[key] for key in ordered}, earlier, has_failed)
