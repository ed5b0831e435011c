"""Keeping the results of a run in memory, as the library does."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.events import RunFinished, RunStarted
from tenxgraph_tui.evaluation.prepared import skip_reason
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult, EvalReport


@dataclass(slots=True)
class MemorySink:
    """A `ResultSink` that is a dict."""

    results: dict[CaseKey, EvalCaseResult] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def started(self, event: RunStarted) -> None:
        """See `ResultSink`."""

    def save(self, key: CaseKey, result: EvalCaseResult) -> None:
        """See `ResultSink`."""
        with self._lock:
            self.results[key] = result

    def finished(self, event: RunFinished) -> None:
        """See `ResultSink`."""

    def report(self, set_index: int, eval_set: EvalSet, config: EvalConfig) -> EvalReport:
        """The report of one set, in file order whatever the order of finishing.

        `metadata` names the cases without a result: `skipped` with their reasons, `cancelled`, and
        the known failures in `xfailed`.
        """
        results: list[EvalCaseResult] = []
        skipped: dict[str, str] = {}
        cancelled: list[str] = []
        for case in eval_set.eval_cases:
            result = self.results.get(CaseKey(set_index, case.eval_id))
            reason = skip_reason(case)
            if result is not None:
                results.append(result)
            elif reason is not None:
                skipped[case.eval_id] = reason
            else:
                cancelled.append(case.eval_id)
        report = EvalReport.create(
            eval_set.eval_set_id, results, eval_set.name, config.model_dump(mode="json")
        )
        xfailed = {r.eval_id: r.metadata["xfailed"] for r in results if "xfailed" in r.metadata}
        found: dict[str, Any] = {
            "skipped": skipped,
            "cancelled": cancelled,
            "xfailed": xfailed,
        }
        report.metadata = {name: value for name, value in found.items() if value}
        return report
