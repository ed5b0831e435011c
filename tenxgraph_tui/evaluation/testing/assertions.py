"""Assertions about a report whose messages say which cases failed, and why."""

from __future__ import annotations

import math
from typing import Any

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.config import REPORTED_NAMES
from tenxgraph_tui.evaluation.given import share_of
from tenxgraph_tui.evaluation.results import TOLERANCE, CriterionResult, EvalCaseResult, EvalReport
from tenxgraph_tui.evaluation.testing.failures import (
    case_name,
    criterion_line,
    failure_lines,
    listed,
)


def assert_eval_passed(report: EvalReport, min_pass_rate: float = 1.0) -> None:
    """Assert that at least `min_pass_rate` (0.0 to 1.0) of the cases passed.

    Raises:
        AssertionError: too few did; it lists every case that did not, with its reasons.
    """
    __tracebackhide__ = True
    if reaches(report, share_of(min_pass_rate, "min_pass_rate")):
        return
    failed = report.failed_cases
    raise AssertionError(
        f"Evaluation pass rate {report.summary.pass_rate:.1%} below threshold {min_pass_rate:.1%}. "
        f"Failed cases: {', '.join(map(case_name, failed))}\n{failure_lines(failed)}".rstrip("\n")
    )


def assert_criterion_passed(report: EvalReport, criterion: str, min_score: float = 0.0) -> None:
    """Assert that the average score of `criterion`, a reported name, is at least `min_score`.

    `min_score` is from 0.0 to 1.0. With the default 0.0 any score will do, as long as there is one
    and no case errored on the criterion.

    Raises:
        AssertionError: the report has no such criterion, or its average is too low, or it could
            not be evaluated somewhere; it lists the cases with their scores and reasons.
    """
    __tracebackhide__ = True
    least = share_of(min_score, "min_score")
    stats = report.summary.criterion_stats.get(criterion)
    if stats is None:
        raise AssertionError(
            f"Criterion {criterion!r} not found in report: {_hint(report, criterion)}"
        )
    average = float(stats.get("avg_score", 0.0))
    if stats.get("errors"):
        problem = f"could not be evaluated in {numbers.plural(int(stats['errors']), 'case')}"
    elif not stats.get("total"):
        problem = "scored nothing: it was not evaluated in any case"
    elif not math.isfinite(average):
        problem = f"average score is no number: {average}"
    elif average < least - TOLERANCE:
        shown = numbers.score(average, passed=False)
        problem = f"average score {shown} below minimum {numbers.threshold(least)}"
    else:
        return
    raise AssertionError(f"Criterion {criterion!r} {problem}\n{_cases(report, criterion)}".rstrip())


def reaches(report: EvalReport, share: float) -> bool:
    """Whether the pass rate is at least `share`, but for float noise."""
    return report.summary.pass_rate >= share - TOLERANCE


def _hint(report: EvalReport, criterion: str) -> str:
    there: dict[str, Any] = report.summary.criterion_stats
    reported = REPORTED_NAMES.get(criterion)
    if reported in there:
        return f"that is the slot of a config; its criterion reports as {reported!r}"
    if not there:
        return "nothing was checked"
    return f"it has {', '.join(map(repr, there))}"


def _cases(report: EvalReport, criterion: str) -> str:
    found = [(r, c) for r in report.results if (c := r.get_criterion_result(criterion)) is not None]
    return listed(criterion_line(result, c) for result, c in sorted(found, key=_worst_first))


def _worst_first(found: tuple[EvalCaseResult, CriterionResult]) -> tuple[bool, float]:
    return not found[1].is_error, found[1].score
