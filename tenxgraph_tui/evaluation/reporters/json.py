"""The report for machines: one JSON file a set, written as its results are read."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tenxgraph_tui.evaluation.reporters.base import BaseReporter
from tenxgraph_tui.evaluation.reporters.names import new_file, replacing, stamped, stem
from tenxgraph_tui.evaluation.results import EvalCaseResult, EvalReport, ReportSource


class JSONReporter(BaseReporter):
    """Writes what `EvalReport.from_file` and 10xGraph read; memory does not grow with the run.

    The file is strict JSON in UTF-8: no `NaN`, lone surrogates escaped. A switch that is off
    leaves its fields out of the file.
    """

    def __init__(
        self,
        indent: int | None = 2,
        include_details: bool = True,
        include_trajectory: bool = True,
        include_node_responses: bool = True,
        include_actual_response: bool = True,
        include_tool_call_details: bool = True,
        *,
        timestamp_files: bool = True,
    ) -> None:
        self._indent = indent
        self._timestamp_files = timestamp_files
        self._exclude: dict[str, Any] = {
            name: True
            for name, included in {
                "actual_trajectory": include_trajectory,
                "actual_tool_calls": include_tool_call_details,
                "node_responses": include_node_responses,
                "node_details": include_node_responses,
                "actual_response": include_actual_response,
            }.items()
            if not included
        }
        if not include_details:
            self._exclude["criterion_results"] = {"__all__": {"details"}}
        of_turns = {"response": include_actual_response, "tool_calls": include_tool_call_details}
        if left_out := {name for name, included in of_turns.items() if not included}:
            self._exclude["turn_results"] = {"__all__": left_out}

    def generate(self, report: ReportSource, output_dir: str | None = None) -> str:
        """Write `{eval_set_id}_{time}.json` into `output_dir`, which is made if need be."""
        folder = Path(output_dir or ".")
        folder.mkdir(parents=True, exist_ok=True)
        return str(self.write(report, folder, stem(report.eval_set_id)))

    def write(self, report: ReportSource, folder: Path, name: str) -> Path:
        """Write the report as `name`, with the time unless `timestamp_files` is off."""
        if not self._timestamp_files:
            path = folder / f"{name}.json"
            self.save(report, str(path))
            return path
        wanted = folder / f"{stamped(name, report.timestamp)}.json"
        with new_file(wanted) as (path, file):
            for chunk in self._chunks(report):
                file.write(chunk.encode("utf-8", "backslashreplace"))
        return path

    def save(self, report: ReportSource, path: str) -> None:
        """Write the report to exactly that path, in one step over a file that is there."""
        with replacing(Path(path)) as file:
            for chunk in self._chunks(report):
                file.write(chunk.encode("utf-8", "backslashreplace"))

    @classmethod
    def quick_save(cls, report: EvalReport, path: str, indent: int = 2) -> None:
        """Write a report with everything in it."""
        cls(indent=indent).save(report, path)

    def to_dict(self, report: ReportSource) -> dict[str, Any]:
        """The whole report as plain values."""
        whole: dict[str, Any] = json.loads(self.to_json(report))
        return whole

    def to_json(self, report: ReportSource) -> str:
        """The whole report as one text."""
        return "".join(self._chunks(report))

    def _chunks(self, report: ReportSource) -> Iterator[str]:
        newline = "" if self._indent is None else "\n"
        margin = " " * (self._indent or 0)
        before = "{"
        for key, value in _frame(report):
            yield f"{before}{newline}{margin}{json.dumps(key)}: "
            if key == "results":
                yield from self._array(report, newline, margin)
            else:
                yield self._dumped(value).replace("\n", f"\n{margin}")
            before = ","
        yield f"{newline}}}"

    def _array(self, report: ReportSource, newline: str, margin: str) -> Iterator[str]:
        before = "["
        for result in report.iter_results():
            text = self._result(result).replace("\n", f"\n{margin * 2}")
            yield f"{before}{newline}{margin * 2}{text}"
            before = ","
        yield "[]" if before == "[" else f"{newline}{margin}]"

    def _result(self, result: EvalCaseResult) -> str:
        exclude = self._exclude
        try:
            return result.model_dump_json(indent=self._indent, fallback=repr, exclude=exclude)
        except ValueError:  # half a surrogate pair, or bytes: pydantic's own writer refuses both
            return self._dumped(result.model_dump(fallback=repr, exclude=exclude))

    def _dumped(self, value: Any) -> str:
        return json.dumps(_plain(value), indent=self._indent, ensure_ascii=False)


def _frame(report: ReportSource) -> Iterator[tuple[str, Any]]:
    """Every field of the file in its order; the results are filled in by whoever writes."""
    yield "eval_set_id", report.eval_set_id
    yield "eval_set_name", report.eval_set_name
    yield "results", None
    yield "summary", report.summary.model_dump(mode="json")
    yield "config_used", report.config_used
    yield "timestamp", report.timestamp
    yield "metadata", report.metadata


def _plain(value: Any) -> Any:
    """`value` with only what JSON knows; a number that is none becomes null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    return repr(value)
