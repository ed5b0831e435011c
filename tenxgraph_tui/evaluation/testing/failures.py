"""Why cases did not pass, as the lines of a failed assertion."""

from __future__ import annotations

from collections.abc import Iterable

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult
from tenxgraph_tui.evaluation.visible import visible

LISTED = 50
"""How many cases a message lists before it only counts them."""

LONGEST = 400


def case_name(result: EvalCaseResult) -> str:
    """The name of the case, or its id."""
    return _line(result.name or result.eval_id)


def failure_lines(results: Iterable[EvalCaseResult]) -> str:
    """A line a case, with its error or its failed criteria and their reasons."""
    return listed(f"  - {case_name(result)}: {_why(result)}" for result in results)


def criterion_line(result: EvalCaseResult, criterion: CriterionResult) -> str:
    """What one criterion concluded about one case."""
    return f"  - {case_name(result)}: {_concluded(criterion)}"


def listed(lines: Iterable[str]) -> str:
    """The lines as one text; after some only their number."""
    lines = list(lines)
    more = [f"  … and {len(lines) - LISTED} more"] if len(lines) > LISTED else []
    return "\n".join([*lines[:LISTED], *more])


def _why(result: EvalCaseResult) -> str:
    if result.error is not None:
        return _line(result.error)
    return "; ".join(f"{bad.criterion} {_concluded(bad)}" for bad in result.failed_criteria)


def _concluded(criterion: CriterionResult) -> str:
    if criterion.error is not None:
        return _line(criterion.error)
    score = numbers.score(criterion.score, passed=criterion.passed)
    needs = "" if criterion.passed else f", needs {numbers.threshold(criterion.threshold)}"
    reason = f" ({_line(criterion.reason)})" if criterion.reason else ""
    return f"{score}{needs}{reason}"


def _line(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"
