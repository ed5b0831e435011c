"""The runs of a project, kept: written by one process, read by any other while it writes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.events import Log, RunEvent, RunStarted
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.naming import pick
from tenxgraph_tui.session.records import RUN, RunRecord, as_it_stands, read_record
from tenxgraph_tui.session.retelling import Retelling
from tenxgraph_tui.session.said import read_said
from tenxgraph_tui.session.schema import has_logs, opened_for_reading
from tenxgraph_tui.session.stored_report import StoredReport
from tenxgraph_tui.session.stored_result import from_stored
from tenxgraph_tui.session.writer import RunWriter

BEGUN = "SELECT number, run_id FROM runs WHERE started IS NOT NULL ORDER BY number"
RUNS = """
SELECT number, run_id, owner, started_at, planned, skipped, sets, finished
FROM runs WHERE started IS NOT NULL ORDER BY number DESC
"""
EVENTS = "SELECT event FROM cases WHERE number = ? ORDER BY id"
OF_CASE = """
SELECT {column} FROM cases JOIN runs USING (number)
WHERE run_id = ? AND set_index = ? AND eval_id = ? AND attempt = ?
"""
RESULT, LOG = OF_CASE.format(column="result"), OF_CASE.format(column="cases.log")
CONFIGS = "SELECT configs FROM runs WHERE run_id = ? AND started IS NOT NULL"
REST = "SELECT log FROM runs WHERE run_id = ?"
LOGS = """
SELECT set_index, eval_id, attempt, cases.log AS log FROM cases JOIN runs USING (number)
WHERE run_id = ? AND cases.log IS NOT NULL ORDER BY id DESC
"""


class RunStore:
    """The store at `path`, which need not exist before the first run.

    Raises:
        StoreError: the file cannot be read or written, or is no store. So do all methods.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        self.path, self._clock = path, clock

    def writer(self, run_id: str, *, configs: Sequence[Mapping[str, Any]] = ()) -> RunWriter:
        """The sink of a new run, with its number; `configs` are the sets', for their reports."""
        return RunWriter(self.path, run_id, configs=configs, clock=self._clock)

    def now(self) -> float:
        """Unix seconds, by the store's clock."""
        return self._clock()

    def runs(self) -> list[RunRecord]:
        """Every run that began, the newest first."""
        with opened_for_reading(self.path) as database:
            if database is None:
                return []
            now = self._clock()
            return [read_record(database, row, now) for row in database.execute(RUNS)]

    def resolve(self, name: str) -> str:
        """The id of the run that people call `name`: `18`, `#18`, `last`, `-1`, an id's beginning.

        Raises:
            UsageError: there is no such run, or more than one.
        """
        with opened_for_reading(self.path) as database:
            rows = database.execute(BEGUN).fetchall() if database is not None else []
        return pick(name, [(number, run_id) for number, run_id in rows])

    def number(self, run_id: str) -> int:
        """What people call the run with that id.

        Raises:
            UsageError: there is no such run.
        """
        with opened_for_reading(self.path) as database:
            rows = database.execute(BEGUN).fetchall() if database is not None else []
        for number, known in rows:
            if known == run_id:
                return int(number)
        raise _no_such_run(run_id)

    def events(self, run_id: str) -> Iterator[RunEvent]:
        """The run told again, case by case in the order in which they finished.

        A run that goes on has no `RunFinished` yet; one that died has one that says so.

        Raises:
            UsageError: there is no such run.
        """
        with opened_for_reading(self.path) as database:
            row = database.execute(RUN, (run_id,)).fetchone() if database is not None else None
            if database is None or row is None:
                raise _no_such_run(run_id)
            row, is_going_on = as_it_stands(database, row, self._clock())
            started = RunStarted.model_validate_json(row["started"])
            told = Retelling(started, end=row["finished"])
            yield from told.beginning()
            for (event,) in database.execute(EVENTS, (row["number"],)):
                yield told.case(event)
            yield from told.end(is_going_on=is_going_on)

    def result(self, run_id: str, key: CaseKey) -> EvalCaseResult | None:
        """Everything about one attempt; None if it has no result (yet)."""
        with opened_for_reading(self.path) as database:
            if database is None:
                return None
            row = database.execute(RESULT, (run_id, *key)).fetchone()
            return from_stored(row["result"]) if row else None

    def said_by(self, run_id: str, key: CaseKey) -> tuple[Log, ...]:
        """The last of what was said while one attempt ran, oldest first."""
        with opened_for_reading(self.path) as database:
            if database is None or not has_logs(database):
                return ()
            row = database.execute(LOG, (run_id, *key)).fetchone()
            return read_said(row["log"], run_id, key) if row else ()

    def said(self, run_id: str, at_most: int) -> tuple[Log, ...]:
        """The last lines that were said in a run by whatever case or none, oldest first."""
        with opened_for_reading(self.path) as database:
            if database is None or not has_logs(database):
                return ()
            lines: list[Log] = []
            for row in database.execute(LOGS, (run_id,)):  # those who finished last, first
                lines += read_said(row["log"], run_id, CaseKey(*row[:3]))
                if len(lines) >= at_most:
                    break
            for row in database.execute(REST, (run_id,)):
                lines += read_said(row["log"], run_id, None)
        return tuple(sorted(lines, key=lambda line: line.seq)[-at_most:])

    def report(self, run_id: str, set_index: int) -> StoredReport:
        """One eval set of a run as reporters read it; results are read one at a time.

        Raises:
            UsageError: there is no such run, or no such set in it.
        """
        with opened_for_reading(self.path) as database:
            row = database.execute(RUN, (run_id,)).fetchone() if database is not None else None
            if database is None or row is None:
                raise _no_such_run(run_id)
            row, is_going_on = as_it_stands(database, row, self._clock())
            return StoredReport.read(self.path, database, row, set_index, is_going_on=is_going_on)

    def configs(self, run_id: str) -> list[dict[str, Any]]:
        """What each set of a run was checked with, in the order of the sets.

        Raises:
            UsageError: there is no such run.
        """
        with opened_for_reading(self.path) as database:
            row = database.execute(CONFIGS, (run_id,)).fetchone() if database is not None else None
            if row is None:
                raise _no_such_run(run_id)
            configs: list[dict[str, Any]] = json.loads(row["configs"])
            return configs


def _no_such_run(run_id: str) -> UsageError:
    return UsageError(f"there is no run {run_id!r}")
