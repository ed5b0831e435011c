"""The report for machines: one JSON file a set, written as its results are read."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from tenxgraph_tui.evaluation.reporters.file import FileReporter
from tenxgraph_tui.evaluation.reporters.included import Included
from tenxgraph_tui.evaluation.results import EvalCaseResult, EvalReport, ReportSource


class JSONReporter(FileReporter):
    """Writes what `EvalReport.from_file` and 10xGraph read; memory does not grow with the run.

    The file is strict JSON in UTF-8: no `NaN`, lone surrogates escaped. A switch that is off
    leaves its fields out of the file, and takes the same texts out of messages and turns.
    """

    ending = ".json"

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
        super().__init__(timestamp_files=timestamp_files)
        self._indent = indent
        self._included = Included(
            details=include_details,
            trajectory=include_trajectory,
            node_responses=include_node_responses,
            actual_response=include_actual_response,
            tool_call_details=include_tool_call_details,
        )
        self._exclude: dict[str, Any] = dict.fromkeys(self._included.hidden_fields, True)
        if not include_details:
            self._exclude["criterion_results"] = {"__all__": {"details"}}

    @classmethod
    def quick_save(cls, report: EvalReport, path: str, indent: int = 2) -> None:
        """Write a report with everything in it to exactly that path; the folder must exist."""
        cls(indent=indent).save(report, path)

    def to_dict(self, report: ReportSource) -> dict[str, Any]:
        """The whole report as plain values."""
        whole: dict[str, Any] = json.loads(self.to_json(report))
        return whole

    def to_json(self, report: ReportSource) -> str:
        """The whole report as one text."""
        return "".join(self.chunks(report))

    def chunks(self, report: ReportSource) -> Iterator[str]:
        """The text of the file, a result at a time."""
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
            text = self._result(self._included.of(result)).replace("\n", f"\n{margin * 2}")
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
