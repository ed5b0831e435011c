"""The reports of a headless run: a table on standard output, and the files that were asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from tenxgraph_tui.cli.compose import shown
from tenxgraph_tui.cli.descriptors import StandardStreams
from tenxgraph_tui.cli.verdict import BROKEN, MET
from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.config import ReporterConfig
from tenxgraph_tui.evaluation.plan import SetPlan
from tenxgraph_tui.evaluation.reporters.console import ConsoleReporter
from tenxgraph_tui.evaluation.reporters.html import page_templates
from tenxgraph_tui.evaluation.reporters.included import Included
from tenxgraph_tui.evaluation.reporters.look import look_of
from tenxgraph_tui.evaluation.reporters.manager import ReporterManager
from tenxgraph_tui.evaluation.reporters.names import Stems
from tenxgraph_tui.evaluation.reporters.rows import Totals
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.settings import Loaded


@dataclass(slots=True)
class Reports:
    """Everything that is known before the run about what is written after it."""

    sets: Sequence[SetPlan]
    kinds: Sequence[str]
    folder: str | None
    table: TextIO
    consoles: Sequence[ConsoleReporter]
    tell: Callable[[str], None]
    timestamps: bool | None = None
    """Whether names have the time; None leaves it to the configs."""

    @classmethod
    def prepare(
        cls,
        settings: Loaded,
        sets: Sequence[SetPlan],
        streams: StandardStreams,
        *,
        events: str | None = None,
    ) -> Reports:
        """Find out before anything is run that a folder cannot be made.

        Raises:
            UsageError: it cannot.
        """
        kinds, folder = settings.values.report, _folder(settings)
        if settings.is_flag("output_dir") and not kinds:
            raise UsageError("--output-dir needs --report: without it no file is written")
        for plan in sets if kinds else ():
            said = settings.named("output_dir") if folder else "reporter.output_dir"
            _make(Path(folder or plan.config.reporter.output_dir), said)
        if "html" in kinds:
            page_templates()  # now: a project's jinja2.py may come first on the path later
        # With events on standard output, nothing else may go there.
        table = streams.err if events == "-" else streams.out
        consoles = [
            ConsoleReporter(output=table, included=Included.by(plan.config.reporter))
            for plan in sets
        ]
        stamps = settings.values.timestamp_files
        return cls(sets, kinds, folder, table, consoles, streams.tell, stamps)

    def write(self, store: RunStore, run_id: str) -> int:
        """Write the files, then print the tables; the exit code that this alone gives."""
        code = self._files(store, run_id)
        try:
            self._tables(store, run_id)
            self.table.flush()
        except BrokenPipeError:
            pass  # `... | head` has read enough
        except OSError as error:
            self.tell(f"the report could not be printed: {error.strerror or error}")
            code = BROKEN
        return code

    def _files(self, store: RunStore, run_id: str) -> int:
        code, stems = MET, Stems()
        for index, plan in enumerate(self.sets if self.kinds else ()):
            config = self._as_asked(plan.config.reporter)
            manager = ReporterManager(config, stems=stems)
            output = manager.run_all(store.report(run_id, index), self.folder)
            for path in output.generated_files:
                self.tell(f"wrote {path}")
            for name, message in output.errors:
                self.tell(f"{name}: {message}")
                code = BROKEN
        return code

    def _as_asked(self, config: ReporterConfig) -> ReporterConfig:
        asked = {
            "enabled": True,
            "console": False,
            "json_report": "json" in self.kinds,
            "html": "html" in self.kinds,
            "junit_xml": "junit" in self.kinds,
            "markdown": "markdown" in self.kinds,
        }
        if self.timestamps is not None:
            asked["timestamp_files"] = self.timestamps
        return config.model_copy(update=asked)

    def _tables(self, store: RunStore, run_id: str) -> None:
        totals = Totals()
        for index, console in enumerate(self.consoles):
            report = store.report(run_id, index)
            console.report(report)
            totals += Totals.of(report.summary, report.metadata)
        if len(self.sets) > 1:
            self.table.write(f"{len(self.sets)} sets: {totals.sentence(look_of(self.table))}\n")


def _folder(settings: Loaded) -> str | None:
    """Where files go, as it was typed or relative to here; None leaves it to the configs."""
    path = settings.path("output_dir")
    if path is None or settings.is_flag("output_dir"):
        return settings.values.output_dir
    return shown(path)


def _make(folder: Path, said: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{said} {folder}: {error.strerror or error}") from None
