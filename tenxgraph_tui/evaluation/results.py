"""What came of it: verdicts, case results, summaries and reports."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, Self

from pydantic import Field

from tenxgraph_tui.evaluation.case_results import CaseKey, EvalCaseResult, NodeDetail, error_of
from tenxgraph_tui.evaluation.execution import TokenUsage, Usage
from tenxgraph_tui.evaluation.models import PublicModel
from tenxgraph_tui.evaluation.verdicts import (
    TOLERANCE,
    CriterionResult,
    NotEvaluated,
    Score,
    Verdict,
)

if TYPE_CHECKING:
    from tenxgraph_tui.evaluation.events import RunFinished, RunStarted

__all__ = [
    "TOLERANCE",
    "CaseKey",
    "CriterionResult",
    "EvalCaseResult",
    "EvalReport",
    "EvalSummary",
    "NodeDetail",
    "NotEvaluated",
    "ReportSource",
    "ResultSink",
    "Score",
    "Verdict",
    "error_of",
]


class EvalSummary(PublicModel):
    """Counts over the case results: `total_cases == passed + failed + error` always.

    Rates are from 0.0 to 1.0, durations in seconds; without cases they are 0.0. `criterion_stats`
    has, under a reported name, `total`, `passed`, `failed`, `avg_score` and `pass_rate` over the
    scored results, and the counts `errors` and `not_evaluated` of the others.
    """

    total_cases: int = 0
    passed_cases: int = 0
    failed_cases: int = 0
    error_cases: int = 0
    pass_rate: float = 0.0
    avg_duration_seconds: float = 0.0
    total_duration_seconds: float = 0.0
    criterion_stats: dict[str, dict[str, Any]] = Field(default_factory=dict)
    total_token_usage: Usage = Field(default_factory=TokenUsage)
    per_case_token_usage: dict[str, Usage] = Field(default_factory=dict)
    avg_tokens_per_case: float = 0.0

    @classmethod
    def from_results(cls, results: Iterable[EvalCaseResult]) -> EvalSummary:
        """Count; where a case has both, its `error` wins over `passed`."""
        from tenxgraph_tui.evaluation.summary import SummaryBuilder

        builder = SummaryBuilder()
        for result in results:
            builder.add(result)
        return builder.build()


class ReportSource(Protocol):
    """What a reporter reads: a report in memory, or a run in the store of any size."""

    @property
    def eval_set_id(self) -> str: ...
    @property
    def eval_set_name(self) -> str: ...
    @property
    def summary(self) -> EvalSummary: ...
    @property
    def config_used(self) -> dict[str, Any]: ...
    @property
    def timestamp(self) -> float: ...
    @property
    def metadata(self) -> dict[str, Any]: ...
    def iter_results(self, *, noteworthy: bool = False) -> Iterator[EvalCaseResult]:
        """The case results in file order, one at a time.

        With `noteworthy` only those that did not pass, or passed other than was expected.
        """


class ResultSink(Protocol):
    """Where results go *before* anyone is told of them. A sink that raises stops the run."""

    def started(self, event: RunStarted) -> None:
        """The run is about to begin."""

    def save(self, key: CaseKey, result: EvalCaseResult) -> None:
        """Keep one result; called once an attempt, from any thread."""

    def finished(self, event: RunFinished) -> None:
        """The run is over; everything saved must be durable when this returns."""


class EvalReport(PublicModel):
    """The results of one eval set, in file order, and their summary.

    `timestamp` is in Unix seconds. `metadata` lists cases by id: `skipped` and `xfailed` with their
    reasons, and `cancelled`; the first and the last are in no `results`.
    """

    eval_set_id: str
    eval_set_name: str = ""
    results: list[EvalCaseResult] = Field(default_factory=list)
    summary: EvalSummary = Field(default_factory=EvalSummary)
    config_used: dict[str, Any] = Field(default_factory=dict)
    timestamp: float = Field(default_factory=time.time)
    metadata: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def create(
        cls,
        eval_set_id: str,
        results: list[EvalCaseResult],
        eval_set_name: str = "",
        config_used: dict[str, Any] | None = None,
    ) -> Self:
        """A report with its summary counted."""
        return cls(
            eval_set_id=eval_set_id,
            eval_set_name=eval_set_name,
            results=results,
            summary=EvalSummary.from_results(results),
            config_used=config_used or {},
        )

    @classmethod
    def from_file(cls, path: str) -> EvalReport:
        """Read a JSON report, ours or 10xGraph's.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: it is no report.
        """
        from pathlib import Path

        return cls.model_validate_json(Path(path).read_bytes())

    def to_file(self, path: str) -> None:
        """Write the report as JSON; the folder must exist."""
        from tenxgraph_tui.evaluation.formats import write_json

        write_json(path, self.model_dump(mode="json"))

    @property
    def passed(self) -> bool:
        """Whether there were cases and all of them passed."""
        return bool(self.results) and self.summary.passed_cases == self.summary.total_cases

    @property
    def failed_cases(self) -> list[EvalCaseResult]:
        """The cases that did not pass, those in error included."""
        return [result for result in self.results if not result.passed]

    @property
    def passed_cases(self) -> list[EvalCaseResult]:
        """The cases that passed, known failures (`xfail`) included."""
        return [result for result in self.results if result.passed]

    def get_case_result(self, eval_id: str) -> EvalCaseResult | None:
        """The result of the case with that id, or None."""
        return next((r for r in self.results if r.eval_id == eval_id), None)

    def iter_results(self, *, noteworthy: bool = False) -> Iterator[EvalCaseResult]:
        """The results in file order (a `ReportSource`)."""
        return (r for r in self.results if not noteworthy or r.is_noteworthy)

    def format_summary(self) -> str:
        """A short text: counts, criteria and what failed."""
        from tenxgraph_tui.evaluation.summary import format_summary

        return format_summary(self)
