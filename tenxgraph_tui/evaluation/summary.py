"""Counting case results one at a time, so that a run of any size needs no list of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.events import CaseFinished, CaseStatus, VerdictPreview
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.preview import status_of
from tenxgraph_tui.evaluation.results import (
    CriterionResult,
    EvalCaseResult,
    EvalReport,
    EvalSummary,
    Verdict,
)


@dataclass(slots=True)
class _Stats:
    passed: int = 0
    failed: int = 0
    errors: int = 0
    not_evaluated: int = 0
    scores: float = 0.0

    def add(self, result: CriterionResult | VerdictPreview) -> None:
        match result.verdict:
            case Verdict.PASSED:
                self.passed += 1
                self.scores += result.score
            case Verdict.FAILED:
                self.failed += 1
                self.scores += result.score
            case Verdict.ERROR:
                self.errors += 1
            case Verdict.NOT_EVALUATED:
                self.not_evaluated += 1

    def build(self) -> dict[str, Any]:
        total = self.passed + self.failed
        return {
            "total": total,
            "passed": self.passed,
            "failed": self.failed,
            "avg_score": self.scores / total if total else 0.0,
            "pass_rate": self.passed / total if total else 0.0,
            "errors": self.errors,
            "not_evaluated": self.not_evaluated,
        }


@dataclass(slots=True)
class SummaryBuilder:
    """Takes results in any order and gives the `EvalSummary` over them."""

    passed: int = 0
    failed: int = 0
    error: int = 0
    seconds: float = 0.0
    usage: TokenUsage = field(default_factory=TokenUsage)
    _stats: dict[str, _Stats] = field(default_factory=dict)
    _per_case: dict[str, TokenUsage] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return self.passed + self.failed + self.error

    def add(self, result: EvalCaseResult) -> None:
        self._count(status_of(result), result)
        for criterion in result.criterion_results:
            self._stats.setdefault(criterion.criterion, _Stats()).add(criterion)
        self._spend(result.eval_id, result.token_usage)

    def add_finished(self, event: CaseFinished) -> None:
        """The same from the event, which holds all that counts and is read faster."""
        self._count(event.status, event)
        for verdict in event.verdicts:
            self._stats.setdefault(verdict.criterion, _Stats()).add(verdict)
        self._spend(event.case.eval_id, event.usage)

    def _count(self, status: CaseStatus, ended: EvalCaseResult | CaseFinished) -> None:
        match status:
            case CaseStatus.ERROR:
                self.error += 1
            case CaseStatus.PASSED:
                self.passed += 1
            case CaseStatus.FAILED:
                self.failed += 1
            case _:
                return
        self.seconds += ended.duration_seconds

    def _spend(self, eval_id: str, usage: TokenUsage) -> None:
        self.usage += usage
        seen = self._per_case.get(eval_id)
        self._per_case[eval_id] = seen + usage if seen else usage

    def build(self) -> EvalSummary:
        total = self.total
        return EvalSummary(
            total_cases=total,
            passed_cases=self.passed,
            failed_cases=self.failed,
            error_cases=self.error,
            pass_rate=self.passed / total if total else 0.0,
            avg_duration_seconds=self.seconds / total if total else 0.0,
            total_duration_seconds=self.seconds,
            criterion_stats={name: stats.build() for name, stats in self._stats.items()},
            total_token_usage=self.usage,
            per_case_token_usage=dict(self._per_case),
            avg_tokens_per_case=self.usage.total_tokens / total if total else 0.0,
        )


def format_summary(report: EvalReport) -> str:
    """The counts, the criteria and what failed, as plain text lines."""
    summary = report.summary
    lines = [
        f"Evaluation Report: {report.eval_set_name or report.eval_set_id}",
        "=" * 60,
        f"Total Cases: {summary.total_cases}",
        f"Passed:      {summary.passed_cases} ({summary.pass_rate:.1%})",
        f"Failed:      {summary.failed_cases}",
        f"Errors:      {summary.error_cases}",
        f"Duration:    {summary.total_duration_seconds:.2f}s",
    ]
    if summary.criterion_stats:
        lines += ["", "Per-Criterion Results:", "-" * 40]
        lines += [
            f"  {name}: {stats['passed']}/{stats['total']} passed, "
            f"avg score: {stats['avg_score']:.2f}"
            for name, stats in summary.criterion_stats.items()
        ]
    if report.failed_cases:
        lines += ["", "Failed Cases:", "-" * 40]
        for result in report.failed_cases:
            lines.append(f"  - {result.eval_id}: {result.error or result.name}")
            lines += [
                f"      {bad.criterion}: {numbers.score(bad.score, passed=False)} < {bad.threshold}"
                for bad in result.failed_criteria
                if not bad.is_error
            ]
    return "\n".join(lines)
