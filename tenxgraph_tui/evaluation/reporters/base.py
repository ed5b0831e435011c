"""What every reporter has in common, ours or a user's."""

from __future__ import annotations

from abc import ABC, abstractmethod

from tenxgraph_tui.evaluation.results import ReportSource


class BaseReporter(ABC):
    """Turns a report into something that people or machines read; a subclass has `generate`."""

    @property
    def name(self) -> str:
        """What `ReporterOutput.errors` calls the reporter: the name of its class."""
        return type(self).__name__

    @abstractmethod
    def generate(self, report: ReportSource, output_dir: str | None = None) -> str | None:
        """Write the report; the path of the file, or None for a reporter that writes none.

        An `EvalReport` is a `ReportSource`. A relative `output_dir` is relative to the working
        directory; None is the working directory itself.
        """
