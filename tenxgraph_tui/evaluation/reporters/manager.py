"""Which reporters run after an evaluation, in the documented order, each on its own."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tenxgraph_tui.evaluation.config import ReporterConfig
from tenxgraph_tui.evaluation.reporters.json import JSONReporter
from tenxgraph_tui.evaluation.reporters.names import Stems
from tenxgraph_tui.evaluation.results import ReportSource

log = logging.getLogger("tenxgraph.evaluation.reporters")


@dataclass
class ReporterOutput:
    """What the reporters wrote; a reporter that raised is in `errors` as (name, message)."""

    json_path: str | None = None
    html_path: str | None = None
    junit_path: str | None = None
    console_output: bool = False
    errors: list[tuple[str, str]] = field(default_factory=list)

    @property
    def has_errors(self) -> bool:
        """Whether a reporter raised."""
        return bool(self.errors)

    @property
    def generated_files(self) -> list[str]:
        """The paths of the files that were written."""
        paths = (self.json_path, self.html_path, self.junit_path)
        return [path for path in paths if path is not None]


class ReporterManager:
    """Runs the reporters that a `ReporterConfig` switches on; one that raises stops no other.

    Managers that share `stems` keep ids apart that would get the same file name.
    """

    def __init__(self, config: ReporterConfig, *, stems: Stems | None = None) -> None:
        self._config = config
        self._stems = stems or Stems()

    def run_all(self, report: ReportSource, output_dir: str | None = None) -> ReporterOutput:
        """Print and write the report; `output_dir` overrides that of the config."""
        output = ReporterOutput()
        config = self._config
        if not config.enabled:
            return output
        if config.console:
            self._attempt(output, "ConsoleReporter", lambda: self._print(report, output))
        if config.json_report:
            folder = Path(output_dir or config.output_dir)
            self._attempt(output, "JSONReporter", lambda: self._json(report, folder, output))
        return output

    def _print(self, report: ReportSource, output: ReporterOutput) -> None:
        from tenxgraph_tui.evaluation.reporters.console import ConsoleReporter

        config = self._config
        ConsoleReporter(
            verbose=config.verbose,
            include_trajectory=config.verbose and config.include_trajectory,
            include_actual_response=config.verbose and config.include_actual_response,
        ).report(report)
        output.console_output = True

    def _json(self, report: ReportSource, folder: Path, output: ReporterOutput) -> None:
        config = self._config
        reporter = JSONReporter(
            include_details=config.include_details,
            include_trajectory=config.include_trajectory,
            include_node_responses=config.include_node_responses,
            include_actual_response=config.include_actual_response,
            include_tool_call_details=config.include_tool_call_details,
            timestamp_files=config.timestamp_files,
        )
        folder.mkdir(parents=True, exist_ok=True)
        output.json_path = str(reporter.write(report, folder, self._stems.of(report.eval_set_id)))

    @staticmethod
    def _attempt(output: ReporterOutput, name: str, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:
            log.exception("%s failed", name)
            output.errors.append((name, str(error)))
