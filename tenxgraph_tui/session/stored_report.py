"""One eval set of a stored run as reporters read it, however large it is."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tenxgraph_tui.errors import StoreError, UsageError
from tenxgraph_tui.evaluation.events import CaseStatus, RunFinished, RunStarted
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult, EvalSummary
from tenxgraph_tui.evaluation.summary import SummaryBuilder
from tenxgraph_tui.session.retelling import read_case
from tenxgraph_tui.session.schema import opened_for_reading
from tenxgraph_tui.session.stored_result import from_stored

CASES = """
SELECT id, event FROM cases WHERE number = ? AND set_index = ? ORDER BY place, attempt
"""
RESULT = "SELECT result FROM cases WHERE id = ?"


@dataclass(frozen=True)
class StoredReport:
    """A `ReportSource`: one set of a run as it stood when it was asked for.

    `metadata` holds `run_id`, `run_number`, `file`, `target`, `config` and, where there are any,
    `judged_from` (the number of the run whose executions were judged again), `skipped` and
    `xfailed` (id → reason) and `cancelled` (ids), which is called `unfinished` as long as the run
    goes on.
    """

    path: Path
    eval_set_id: str
    eval_set_name: str
    config_used: dict[str, Any]
    timestamp: float
    metadata: dict[str, Any]
    summary: EvalSummary
    rows: tuple[int, ...] = field(repr=False)
    noteworthy: tuple[int, ...] = field(repr=False)

    @classmethod
    def read(
        cls,
        path: Path,
        database: sqlite3.Connection,
        run: sqlite3.Row,
        set_index: int,
        *,
        is_going_on: bool = False,
    ) -> StoredReport:
        """Set `set_index` of a row of `runs` that has begun."""
        started = RunStarted.model_validate_json(run["started"])
        finished = RunFinished.model_validate_json(run["finished"]) if run["finished"] else None
        if not 0 <= set_index < len(started.sets):
            number, many = run["number"], len(started.sets)
            raise UsageError(f"run #{number} has no set {set_index}: it has {many}, from 0")
        configs: list[dict[str, Any]] = json.loads(run["configs"])
        info = started.sets[set_index]
        cases = _Cases.read(database, run["number"], set_index)
        facts = {
            "run_id": run["run_id"],
            "run_number": run["number"],
            "file": info.file,
            "target": info.target,
            "config": info.config,
            "judged_from": started.judged_from.number if started.judged_from else None,
            **cases.lists(started, set_index, is_going_on=is_going_on),
        }
        return cls(
            path=path,
            eval_set_id=info.eval_set_id,
            eval_set_name=info.name,
            config_used=configs[set_index] if set_index < len(configs) else {},
            timestamp=finished.at if finished else started.at,
            metadata={name: value for name, value in facts.items() if value},
            summary=cases.counted.build(),
            rows=tuple(cases.rows),
            noteworthy=tuple(cases.noteworthy),
        )

    def iter_results(self, *, noteworthy: bool = False) -> Iterator[EvalCaseResult]:
        """The results in file order, one at a time.

        Raises:
            StoreError: the store cannot be read any more.
        """
        with opened_for_reading(self.path) as database:
            for row in self.noteworthy if noteworthy else self.rows:
                found = database.execute(RESULT, (row,)).fetchone() if database else None
                if found is None:
                    raise StoreError(f"a result has vanished from the run store {self.path}")
                yield from_stored(found["result"])


@dataclass(slots=True)
class _Cases:
    """What the store has of one set: its rows in file order, and what a report lists apart."""

    rows: list[int] = field(default_factory=list)
    noteworthy: list[int] = field(default_factory=list)
    counted: SummaryBuilder = field(default_factory=SummaryBuilder)
    stored: set[CaseKey] = field(default_factory=set)
    xfailed: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, database: sqlite3.Connection, number: int, set_index: int) -> _Cases:
        cases = cls()
        for row, text in database.execute(CASES, (number, set_index)):
            event = read_case(text)
            cases.rows.append(row)
            cases.counted.add_finished(event)
            if event.status is not CaseStatus.PASSED or event.known or event.unexpected:
                cases.noteworthy.append(row)
            cases.stored.add(event.case)
            if event.known:
                result = database.execute(RESULT, (row,)).fetchone()["result"]
                reason = EvalCaseResult.model_validate_json(result).metadata.get("xfailed")
                cases.xfailed[event.case.eval_id] = str(reason or "")
        return cases

    def lists(self, started: RunStarted, set_index: int, *, is_going_on: bool) -> dict[str, Any]:
        skipped = {key: why for key, why in started.skipped() if key.set_index == set_index}
        without_result = [
            key.eval_id
            for key in started.planned()
            if key.set_index == set_index and key not in self.stored and key not in skipped
        ]
        return {
            "skipped": {key.eval_id: why for key, why in skipped.items()},
            "unfinished" if is_going_on else "cancelled": list(dict.fromkeys(without_result)),
            "xfailed": self.xfailed,
        }
