"""Report files of a run that is kept: what a worker is asked for by `export`."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.config import ReporterConfig
from tenxgraph_tui.evaluation.reporters.manager import ReporterManager
from tenxgraph_tui.evaluation.reporters.names import Stems
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.protocol import ExportOptions
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.session.stored_report import StoredReport

BETWEEN = 0.1
"""Seconds from one word about the progress to the next."""
GIVEN_UP = "the export was given up"


class _GivenUp(BaseException):
    """No `Exception`: a reporter that raises one stops no other."""


@dataclass(frozen=True)
class _Counted(StoredReport):
    """A report that tells whenever a case is taken out of it."""

    taken: Callable[[], None] = field(repr=False)

    def iter_results(self, *, noteworthy: bool = False) -> Iterator[EvalCaseResult]:
        """See `StoredReport`."""
        for result in super().iter_results(noteworthy=noteworthy):
            self.taken()
            yield result


class Export:
    """Writes what `options` ask for, a case at a time; `tell` gets a line about the progress."""

    def __init__(
        self,
        store: RunStore,
        run_id: str,
        options: ExportOptions,
        tell: Callable[[str], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store, self._run_id, self._options = store, run_id, options
        self._tell, self._clock = tell, clock
        self._is_given_up = False
        self._taken = self._of = 0
        self._told_at = clock()

    def cancel(self, key: CaseKey | None = None) -> None:
        """Stop it; what is half written will not be there. A single case is nothing to it."""
        self._is_given_up = self._is_given_up or key is None

    def write(self) -> dict[str, Any]:
        """The paths of the `files`, how many `cases` are in them, and how many are `unfinished`.

        `problems` are sentences about files that could not be written.

        Raises:
            UsageError: there is no such run, nothing in it is over, the folder is no place to
                write, or no file could be written; or it was given up.
        """
        folder = Path(self._options.folder)
        reports = self._reports()
        _try_out(folder)
        try:
            files, problems = self._files(reports, folder)
        except _GivenUp:
            raise UsageError(GIVEN_UP) from None
        if not files:
            raise UsageError("; ".join(dict.fromkeys(problems)))
        return {
            "files": files,
            "problems": problems,
            "cases": sum(report.summary.total_cases for report in reports),
            "unfinished": sum(len(report.metadata.get("unfinished", ())) for report in reports),
        }

    def _reports(self) -> list[StoredReport]:
        """The sets that there is anything to say of."""
        places = range(len(self._store.configs(self._run_id)))
        reports = [self._store.report(self._run_id, place) for place in places]
        if any("unfinished" in report.metadata for report in reports):
            reports = [report for report in reports if report.rows]
        if not reports:
            raise UsageError("no case of the run is over yet: there is nothing to export")
        self._of = len(self._options.formats) * sum(len(report.rows) for report in reports)
        return reports

    def _files(self, reports: list[StoredReport], folder: Path) -> tuple[list[str], list[str]]:
        files: list[str] = []
        problems: list[str] = []
        stems = Stems()
        for report in reports:
            manager = ReporterManager(self._asked(report), stems=stems)
            output = manager.run_all(_Counted(**vars(report), taken=self._take), str(folder))
            files += output.generated_files
            problems += [f"{name}: {message}" for name, message in output.errors]
        return files, problems

    def _asked(self, report: StoredReport) -> ReporterConfig:
        options = self._options
        stamps = options.timestamp_files
        if stamps is None:
            own = report.config_used.get("reporter") or {}
            stamps = bool(own.get("timestamp_files", True))
        asked = ReporterConfig(
            console=False,
            json_report="json" in options.formats,
            html="html" in options.formats,
            junit_xml="junit" in options.formats,
            markdown="markdown" in options.formats,
            timestamp_files=stamps,
        )
        return asked.model_copy(update={f"include_{name}": False for name in options.without})

    def _take(self) -> None:
        if self._is_given_up:
            raise _GivenUp
        self._taken += 1
        now = self._clock()
        if now - self._told_at >= BETWEEN:
            self._told_at = now
            share = min(1.0, self._taken / self._of)
            self._tell(f"{share:.0%} written")


def _try_out(folder: Path) -> None:
    """Find out before anything is read that nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror or error}") from None
