"""What the reporters that write files have in common: names, folders, and nothing half written."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from tenxgraph_tui.evaluation.reporters.base import BaseReporter
from tenxgraph_tui.evaluation.reporters.names import new_file, replacing, stamped, stem
from tenxgraph_tui.evaluation.results import ReportSource


class FileReporter(BaseReporter):
    """Writes one UTF-8 file a set, piece by piece, so that memory does not grow with the run.

    The file appears complete or not at all. With `timestamp_files` its name holds the time of the
    report and no file is ever replaced; without, a file of the same name is.
    """

    ending: ClassVar[str]
    """What a file's name ends with, the dot included."""

    def __init__(self, *, timestamp_files: bool = True) -> None:
        self._timestamp_files = timestamp_files

    def generate(self, report: ReportSource, output_dir: str | None = None) -> str:
        """Write the file into `output_dir`, which is made if need be; its path.

        Raises:
            OSError: the folder or the file cannot be written.
        """
        folder = Path(output_dir or ".")
        folder.mkdir(parents=True, exist_ok=True)
        return str(self.write(report, folder, stem(report.eval_set_id)))

    def write(self, report: ReportSource, folder: Path, name: str) -> Path:
        """Write the report as `name`, with the time unless `timestamp_files` is off."""
        if not self._timestamp_files:
            path = folder / f"{name}{self.ending}"
            self.save(report, str(path))
            return path
        wanted = folder / f"{stamped(name, report.timestamp)}{self.ending}"
        with new_file(wanted) as (path, file):
            file.writelines(self._bytes(report))
        return path

    def save(self, report: ReportSource, path: str) -> None:
        """Write the report to exactly that path, in one step over a file that is there."""
        with replacing(Path(path)) as file:
            file.writelines(self._bytes(report))

    @abstractmethod
    def chunks(self, report: ReportSource) -> Iterator[str]:
        """The text of the file, in pieces of any size."""

    def _bytes(self, report: ReportSource) -> Iterator[bytes]:
        for chunk in self.chunks(report):
            yield chunk.encode("utf-8", "backslashreplace")
