"""The one writer of a run: what is saved here survives the death of every process of ours."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.encoding import as_json
from tenxgraph_tui.evaluation.events import CaseFinished, Log, RunFinished, RunStarted
from tenxgraph_tui.evaluation.preview import finished_fields
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.checkpoints import Checkpoints
from tenxgraph_tui.session.committer import Committer
from tenxgraph_tui.session.owner import Owner
from tenxgraph_tui.session.said import Said
from tenxgraph_tui.session.schema import explained, open_for_writing, transaction
from tenxgraph_tui.session.stored_result import as_stored

INSERT_RUN = "INSERT INTO runs (run_id, owner, configs) VALUES (?, ?, ?)"
START_RUN = """
UPDATE runs SET started_at = ?, planned = ?, skipped = ?, sets = ?, started = ? WHERE number = ?
"""
FINISH_RUN = "UPDATE runs SET finished = ?, log = ? WHERE number = ?"
FORGET_RUN = "DELETE FROM runs WHERE number = ? AND started IS NULL"
INSERT_CASES = """
INSERT INTO cases (number, set_index, eval_id, attempt, place, status, event, result, log) VALUES
"""
CASE_VALUES = "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
AT_ONCE = 100
"""Cases in one statement: each statement waits anew for an agent that keeps Python busy."""

CaseRow = tuple[int, int, str, int, int, str, str, str, str | None]


class RunWriter:
    """A `ResultSink` over the run store; `number` is the run's, from the moment this is made.

    A context manager: leaving it before `finished` keeps what was saved, as an interrupted run, and
    leaves no trace of a run that never began.

    Raises:
        StoreError: the store cannot be written. So do all methods.
    """

    def __init__(
        self,
        path: Path,
        run_id: str,
        *,
        configs: Sequence[Mapping[str, Any]] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.run_id = run_id
        self._path, self._clock = path, clock
        self._places: dict[tuple[int, str], int] = {}
        self._committer: Committer[CaseRow] | None = None
        self._writing = threading.Lock()
        self._said = Said()
        self._is_open = True
        self._database = open_for_writing(path)
        self._checkpoints = Checkpoints(path)
        self._database.execute("PRAGMA wal_autocheckpoint = 0")  # see Checkpoints
        self._file = path.stat()
        with explained(path, "write"), transaction(self._database):
            row = (run_id, Owner.this_process().model_dump_json(), json.dumps(list(configs)))
            self.number = int(self._database.execute(INSERT_RUN, row).lastrowid or 0)

    def started(self, event: RunStarted) -> None:
        """Note what is planned; nothing else can be saved."""
        self._places = {
            (index, case.eval_id): place
            for index, info in enumerate(event.sets)
            for place, case in enumerate(info.cases)
        }
        sets = [info.model_dump(mode="json", exclude={"cases"}) for info in event.sets]
        planned = len(self._places) * event.attempts
        skipped = event.attempts * sum(
            case.skip is not None for i in event.sets for case in i.cases
        )
        row = (event.at, planned, skipped, json.dumps(sets), as_json(event), self.number)
        self._execute(START_RUN, *row)
        self._committer = Committer(self._insert)

    def note(self, line: Log) -> None:
        """Keep the last lines that a case says with its result, and those of none with the run."""
        self._said.note(line)

    def save(self, key: CaseKey, result: EvalCaseResult) -> None:
        """Keep one result; it is durable at most 100 ms later. Any thread may call this."""
        place = self._places.get((key.set_index, key.eval_id))
        if place is None or self._committer is None:
            raise StoreError(f"case {key.eval_id!r} is not part of run #{self.number}")
        event = CaseFinished(
            seq=0, at=self._clock(), run_id=self.run_id, case=key, **finished_fields(result)
        )
        told, kept, said = as_json(event, without="seq"), as_stored(result), self._said.take(key)
        row = (self.number, *key, place, event.status.value, told, kept, said)
        self._committer.put(row, len(told) + len(kept) + len(said or ""))

    def finished(self, event: RunFinished) -> None:
        """Write what is waiting and that the run is over; all of it is durable afterwards."""
        if self._committer is not None:
            self._committer.close()
        self._execute(FINISH_RUN, as_json(event), self._said.take_rest(), self.number)
        self.close()
        self._check_still_there()

    def close(self) -> None:
        """Write what is waiting and let go of the file. Again does nothing."""
        try:
            if self._committer is not None:
                self._committer.close()
            elif self._is_open:
                self._execute(FORGET_RUN, self.number)
        finally:
            self._is_open = False
            self._checkpoints.close()
            self._database.close()

    def _check_still_there(self) -> None:
        """What is written to a file that somebody has removed is written to nowhere."""
        with explained(self._path, "write"):
            now = self._path.stat() if self._path.exists() else None
        if now is None or not os.path.samestat(now, self._file):
            raise StoreError(
                f"{self._path} was removed or replaced while run #{self.number} was written to it: "
                "its results are lost"
            )

    def _execute(self, statement: str, *values: object) -> None:
        with self._writing, explained(self._path, "write"), transaction(self._database):
            self._database.execute(statement, values)

    def _insert(self, rows: list[CaseRow]) -> None:
        with self._writing, explained(self._path, "write"), transaction(self._database):
            for begin in range(0, len(rows), AT_ONCE):
                part = rows[begin : begin + AT_ONCE]
                values = [value for row in part for value in row]
                statement = INSERT_CASES + ", ".join([CASE_VALUES] * len(part))
                self._database.execute(statement, values)
        self._checkpoints.written(sum(len(row[6]) + len(row[7]) for row in rows))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(*(() if error is None else (StoreError,))):  # the first error tells more
            self.close()
