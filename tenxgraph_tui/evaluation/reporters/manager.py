"""Which reporters run after an evaluation, in the documented order, each on its own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tenxgraph_tui.evaluation.config import ReporterConfig
from tenxgraph_tui.evaluation.reporters.file import FileReporter
from tenxgraph_tui.evaluation.reporters.html import HTMLReporter
from tenxgraph_tui.evaluation.reporters.included import Included
from tenxgraph_tui.evaluation.reporters.json import JSONReporter
from tenxgraph_tui.evaluation.reporters.junit import JUnitXMLReporter
from tenxgraph_tui.evaluation.reporters.markdown import MarkdownReporter
from tenxgraph_tui.evaluation.reporters.names import Stems
from tenxgraph_tui.evaluation.results import ReportSource

log = logging.getLogger("tenxgraph.evaluation.reporters")

SWITCHES = (
    "include_details",
    "include_trajectory",
    "include_node_responses",
    "include_actual_response",
    "include_tool_call_details",
)
"""The switches of a config that the documented constructors take under the same names."""


@dataclass
class ReporterOutput:
    """What the reporters wrote; a reporter that raised is in `errors` as (name, message).

    A path is None where that file was not written.
    """

    json_path: str | None = None
    html_path: str | None = None
    junit_path: str | None = None
    console_output: bool = False
    errors: list[tuple[str, str]] = field(default_factory=list)
    markdown_path: str | None = field(default=None, kw_only=True)

    @property
    def has_errors(self) -> bool:
        """Whether a reporter raised."""
        return bool(self.errors)

    @property
    def generated_files(self) -> list[str]:
        """The paths of the files that were written, in the order of writing."""
        paths = (self.json_path, self.html_path, self.junit_path, self.markdown_path)
        return [path for path in paths if path is not None]


class ReporterManager:
    """Runs the reporters that a `ReporterConfig` switches on; one that raises stops no other.

    Managers that share `stems` keep ids apart that would get the same file name.
    """

    def __init__(self, config: ReporterConfig, *, stems: Stems | None = None) -> None:
        self._config = config
        self._stems = stems or Stems()

    def run_all(self, report: ReportSource, output_dir: str | None = None) -> ReporterOutput:
        """Print, then write JSON, HTML, JUnit XML and Markdown, as far as they are switched on.

        `output_dir` overrides that of the config; both are relative to the working directory, and
        made if need be. If the config is not `enabled`, nothing is done. It never raises what a
        reporter raises.
        """
        output = ReporterOutput()
        config = self._config
        if not config.enabled:
            return output
        if config.console:
            self._attempt(output, "ConsoleReporter", lambda: self._print(report, output))
        folder = Path(output_dir or config.output_dir)
        for attribute, reporter in self._writers():
            work = partial(self._write, report, folder, output, attribute, reporter)
            self._attempt(output, reporter.name, work)
        return output

    def _print(self, report: ReportSource, output: ReporterOutput) -> None:
        from tenxgraph_tui.evaluation.reporters.console import ConsoleReporter

        config = self._config
        ConsoleReporter(
            verbose=config.verbose,
            include_trajectory=config.verbose and config.include_trajectory,
            include_actual_response=config.verbose and config.include_actual_response,
            included=Included.by(config),
        ).report(report)
        output.console_output = True

    def _writers(self) -> Iterator[tuple[str, FileReporter]]:
        """(where its path goes, reporter) of each file that is switched on, in order."""
        config = self._config
        switches: dict[str, bool] = {name: getattr(config, name) for name in SWITCHES}
        included, stamps = Included.by(config), config.timestamp_files
        if config.json_report:
            yield "json_path", JSONReporter(**switches, timestamp_files=stamps)
        if config.html:
            yield "html_path", HTMLReporter(**switches, timestamp_files=stamps)
        if config.junit_xml:
            yield "junit_path", JUnitXMLReporter(included=included, timestamp_files=stamps)
        if config.markdown:
            yield "markdown_path", MarkdownReporter(included=included, timestamp_files=stamps)

    def _write(
        self,
        report: ReportSource,
        folder: Path,
        output: ReporterOutput,
        attribute: str,
        reporter: FileReporter,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        path = reporter.write(report, folder, self._stems.of(report.eval_set_id))
        setattr(output, attribute, str(path))

    @staticmethod
    def _attempt(output: ReporterOutput, name: str, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:
            log.exception("%s failed", name)
            output.errors.append((name, str(error)))
