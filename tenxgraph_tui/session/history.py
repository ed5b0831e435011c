"""What the store knows of cases from earlier runs: how each did last, and what to compare with."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseInfo,
    CaseStatus,
    RunFinished,
    SetInfo,
)
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.records import SETS, RunRecord, RunStatus, read_record
from tenxgraph_tui.session.retelling import read_case
from tenxgraph_tui.session.schema import opened_for_reading
from tenxgraph_tui.session.store import RunStore

Name = tuple[str, str]
"""A case wherever it ran: the path of its file, and its id there."""
PathOf = Callable[[str], str]
"""The path of the file that a run calls by some name: runs may be started in any folder."""

BEGUN = """
SELECT number, run_id, owner, started_at, planned, skipped, sets, finished
FROM runs WHERE started IS NOT NULL AND number < ? ORDER BY number DESC
"""
PLACES = "SELECT id, set_index, eval_id FROM cases WHERE number = ? AND attempt = 0"
EVENTS = "SELECT id, set_index, event FROM cases WHERE id IN ({})"
STATUSES = "SELECT set_index, eval_id, status FROM cases WHERE number = ? AND attempt = 0"
AT_ONCE = 500
NO_LIMIT = 2**63 - 1
NEARLY_ALL = 0.9
"""The share of what the closest run has of ours, from which a newer run is as good as that."""
FEW = 200
"""So many ids are looked for in the database; more of them are faster read and sorted out here."""


@dataclass(frozen=True, slots=True)
class Known:
    """How a case did when it last ran. `case` and `info` (without cases) are of that run.

    The event that tells it would take three times the memory.
    """

    run_id: str
    number: int
    info: SetInfo
    case: CaseProgress


@dataclass(frozen=True, slots=True)
class History:
    """`last` is the newest run that began, `good` the newest that came to its end by itself."""

    last: RunRecord | None = None
    good: RunRecord | None = None
    cases: Mapping[Name, Known] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Baseline:
    """The one run that another is compared with.

    `cases` has the status of every case that the other run has too; `first_time` are those of the
    other run that no earlier run has. `config` is how the run was checked, where all sets agree.
    `files` has the file of each of its sets.
    """

    run_id: str
    number: int
    cases: Mapping[Name, CaseStatus]
    first_time: frozenset[Name] = frozenset()
    config: str = ""
    files: tuple[str, ...] = ()

    def key(self, name: Name) -> CaseKey | None:
        """What a case is called in that run; None where it is not part of it."""
        path, eval_id = name
        if name not in self.cases or path not in self.files:
            return None
        return CaseKey(self.files.index(path), eval_id)


def latest(store: RunStore, wanted: Collection[Name], path_of: PathOf = str) -> History:
    """The last verdict of each wanted case, from whatever run it is.

    Cancelled and interrupted runs count too: what had finished in them has a verdict. Of a case
    that a run tried several times the first attempt is taken.

    Raises:
        StoreError: the store cannot be read.
    """
    missing = set(wanted)
    found: dict[Name, Known] = {}
    last = good = None
    with opened_for_reading(store.path) as database:
        if database is None:
            return History()
        for row in database.execute(BEGUN, (NO_LIMIT,)):
            if last is None or good is None:
                record = read_record(database, row, store.now())
                last = last or record
                good = good or (record if record.status is RunStatus.FINISHED else None)
            if missing:
                new = _unseen(database, row, missing, path_of)
                found |= new
                missing -= new.keys()
            elif good is not None:
                break
    return History(last, good, found)


def _unseen(
    database: sqlite3.Connection, row: sqlite3.Row, missing: Collection[Name], path_of: PathOf
) -> dict[Name, Known]:
    """What a run tells of the cases that no newer run has."""
    named = {
        place: name for place, name in _places(database, row, path_of, missing) if name in missing
    }
    if not named:
        return {}
    sets = SETS.validate_json(row["sets"])
    return {
        named[place]: Known(row["run_id"], row["number"], sets[index], _as_it_ended(event))
        for place, index, event in _events(database, list(named))
    }


def _as_it_ended(event: CaseFinished) -> CaseProgress:
    case = CaseProgress(event.case, CaseInfo(eval_id=event.case.eval_id))
    case.finish(event)
    return case


def _events(
    database: sqlite3.Connection, ids: list[int]
) -> Iterator[tuple[int, int, CaseFinished]]:
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        for place, index, text in database.execute(EVENTS.format(",".join("?" * len(some))), some):
            yield place, index, read_case(text)


def baseline(
    store: RunStore,
    wanted: Collection[Name],
    *,
    before: int,
    configs: Iterable[str] = (),
    path_of: PathOf = str,
    chosen: str | None = None,
) -> Baseline | None:
    """The run that one with the number `before` and the cases `wanted` is compared with.

    Of the earlier runs that came to their end: the newest that has about as many of the cases as
    any of them, so that a run of everything is not compared with a rerun of the three that failed.
    Runs that were checked by the same configs go first; what passed a laxer one says little.
    None where no earlier run has any of the cases. A `chosen` run is the one, if it is kept.

    Raises:
        StoreError: the store cannot be read.
    """
    wanted = set(wanted)
    with opened_for_reading(store.path) as database:
        if database is None:
            return None
        rows = database.execute(BEGUN, (before,)).fetchall()
        if by_name := [row for row in rows if row["run_id"] == chosen]:
            return _read(database, by_name[0], rows, wanted, path_of)
        ended = [row for row in rows if _ended_by_itself(row)]
        alike = [row for row in ended if _configs(row) == set(configs)]
        for candidates in (alike, ended):
            row = _closest(database, candidates, wanted, path_of)
            if row is not None:
                return _read(database, row, rows, wanted, path_of)
    return None


def _closest(
    database: sqlite3.Connection, rows: list[sqlite3.Row], wanted: set[Name], path_of: PathOf
) -> sqlite3.Row | None:
    """The newest of the runs that share nearly as many cases as the one that shares most."""
    shared: list[tuple[int, sqlite3.Row]] = []
    most = 0
    for row in rows:
        if row["planned"] - row["skipped"] <= most:
            continue  # it cannot share more than it has, and a newer one has as many
        count = len({name for _, name in _places(database, row, path_of, wanted)} & wanted)
        shared.append((count, row))
        most = max(most, count)
        if most == len(wanted):
            break
    return next((row for count, row in shared if count and count >= NEARLY_ALL * most), None)


def _read(
    database: sqlite3.Connection,
    row: sqlite3.Row,
    earlier: list[sqlite3.Row],
    wanted: set[Name],
    path_of: PathOf,
) -> Baseline:
    files = _files(row, path_of)
    found = {
        (files[index], eval_id): CaseStatus(status)
        for index, eval_id, status in database.execute(STATUSES, (row["number"],))
    }
    cases = {name: status for name, status in found.items() if name in wanted}
    new = wanted - cases.keys()
    for other in earlier:
        if not new:
            break
        if other["number"] != row["number"]:
            new -= {name for _, name in _places(database, other, path_of, new)}
    configs = _configs(row)
    config = next(iter(configs)) if len(configs) == 1 else ""
    return Baseline(row["run_id"], row["number"], cases, frozenset(new), config, tuple(files))


def _places(
    database: sqlite3.Connection, row: sqlite3.Row, path_of: PathOf, wanted: Collection[Name]
) -> list[tuple[int, Name]]:
    """Row ids and names of the cases of a run, the wanted ones among them."""
    files = _files(row, path_of)
    ids = list({eval_id for _, eval_id in wanted}) if len(wanted) <= FEW else []
    only = f" AND eval_id IN ({','.join('?' * len(ids))})" if ids else ""
    found = database.execute(PLACES + only, (row["number"], *ids))
    return [(place, (files[index], eval_id)) for place, index, eval_id in found]


def _files(row: sqlite3.Row, path_of: PathOf) -> list[str]:
    return [path_of(str(info.get("file", ""))) for info in json.loads(row["sets"])]


def _configs(row: sqlite3.Row) -> set[str]:
    return {str(info.get("config", "")) for info in json.loads(row["sets"])}


def _ended_by_itself(row: sqlite3.Row) -> bool:
    if row["finished"] is None:
        return False
    end = RunFinished.model_validate_json(row["finished"])
    return not end.was_cancelled and end.error is None
