"""A stored run in a few words: what a list of runs shows, and what `open` says of a dead one."""

from __future__ import annotations

import sqlite3
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from pydantic import ConfigDict, TypeAdapter

from tenxgraph_tui.evaluation.events import CaseStatus, RunFinished, SetInfo
from tenxgraph_tui.session.owner import Owner

SETS = TypeAdapter(tuple[SetInfo, ...], config=ConfigDict(defer_build=True))
RUN = "SELECT * FROM runs WHERE run_id = ? AND started IS NOT NULL"
COUNT = "SELECT status, count(*) FROM cases WHERE number = ? GROUP BY status"


class RunStatus(StrEnum):
    """How a stored run ended, if it did. `INTERRUPTED`: its process is gone."""

    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One stored run. `planned` counts attempts, skipped ones too; `sets` are without cases.

    `finished_at` is None while the run goes on and when it was interrupted. Times are in Unix
    seconds.
    """

    number: int
    run_id: str
    status: RunStatus
    started_at: float
    finished_at: float | None
    planned: int
    passed: int
    failed: int
    errors: int
    skipped: int
    sets: tuple[SetInfo, ...]
    error: str | None = None


def read_record(database: sqlite3.Connection, row: sqlite3.Row, now: float) -> RunRecord:
    """A row of `runs` as a record; what has finished so far is counted if nobody else did."""
    row, is_going_on = as_it_stands(database, row, now)
    finished = RunFinished.model_validate_json(row["finished"]) if row["finished"] else None
    if finished is not None:
        passed, failed, errors = finished.passed, finished.failed, finished.errors
    else:
        counts: Counter[str] = Counter(dict(database.execute(COUNT, (row["number"],)).fetchall()))
        passed, failed = counts[CaseStatus.PASSED], counts[CaseStatus.FAILED]
        errors = counts[CaseStatus.ERROR]
    return RunRecord(
        number=row["number"],
        run_id=row["run_id"],
        status=_status(finished, is_going_on=is_going_on),
        started_at=row["started_at"],
        finished_at=finished.at if finished else None,
        planned=row["planned"],
        passed=passed,
        failed=failed,
        errors=errors,
        skipped=row["skipped"],
        sets=SETS.validate_json(row["sets"]),
        error=finished.error if finished else None,
    )


def as_it_stands(
    database: sqlite3.Connection, row: sqlite3.Row, now: float
) -> tuple[sqlite3.Row, bool]:
    """The row of a run, and whether its process may still be at it.

    The row is read again after the process was found gone: its last words may have been written
    between the two looks, and then it was not interrupted.
    """
    if row["finished"] is not None:
        return row, False
    if Owner.model_validate_json(row["owner"]).may_be_writing(now - row["started_at"]):
        return row, True
    return database.execute(RUN, (row["run_id"],)).fetchone(), False


def _status(finished: RunFinished | None, *, is_going_on: bool) -> RunStatus:
    if finished is not None:
        return RunStatus.CANCELLED if finished.was_cancelled else RunStatus.FINISHED
    return RunStatus.RUNNING if is_going_on else RunStatus.INTERRUPTED
