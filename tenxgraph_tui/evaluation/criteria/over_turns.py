"""A conversation turn by turn, for criteria that look at each answer; and what they say as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult, TokenUsage
from tenxgraph_tui.evaluation.results import CriterionResult, Score, Verdict

Results = Sequence[tuple[int, CriterionResult]]
"""The position of each turn in the conversation, and what was found there."""

OF_A_TURN = ("judge_samples", "rubric_verdicts", "category_scores")
"""The details that are kept of every turn, not of the deciding one alone."""


@dataclass(frozen=True, slots=True)
class View:
    """A case and what was done in it, both until the end of one turn."""

    turn: int
    actual: ExecutionResult
    expected: EvalCase


def views_of(actual: ExecutionResult, expected: EvalCase) -> list[View]:
    """One view for each turn of the conversation; one of all where turns were not recorded."""
    last = len(expected.conversation) - 1
    if last < 1 or not actual.turns:
        return [View(max(last, 0), actual, expected)]
    return [_until(position, actual, expected) for position in range(last + 1)]


def _until(position: int, actual: ExecutionResult, expected: EvalCase) -> View:
    done = actual.turns[: position + 1]
    was_reached = len(done) > position
    seen = actual.model_copy(
        update={
            "turns": done,
            "actual_response": done[-1].response if was_reached else "",
            "tool_calls": [call for turn in done for call in turn.tool_calls],
        }
    )
    case = expected.model_copy(update={"conversation": expected.conversation[: position + 1]})
    return View(position, seen, case)


def over_turns(name: str, threshold: float, results: Results) -> CriterionResult:
    """The worst turn's result; an error wins, and what was not evaluated does not count."""
    if len(results) == 1:
        return results[0][1]
    scored = [(at, each) for at, each in results if each.verdict in SCORED]
    broken = [(at, each) for at, each in results if each.is_error]
    if broken:
        at, found = broken[0]
        whole = CriterionResult.failure(name, f"turn {at + 1}: {found.error}", threshold)
        whole.details = _all_in_all(found, results)
    elif scored:
        at, found = min(scored, key=lambda each: each[1].score)
        reason, details = f"turn {at + 1}: {found.reason}", _all_in_all(found, results)
        whole = CriterionResult.judged(
            name, Score(found.score, "", {**details, "reason": reason, "worst_turn": at}), threshold
        )
    else:
        return results[-1][1]
    whole.token_usage = sum((each.token_usage for _, each in results), TokenUsage())
    return whole


SCORED = frozenset({Verdict.PASSED, Verdict.FAILED})


def _all_in_all(found: CriterionResult, results: Results) -> dict[str, Any]:
    """The details of the deciding turn, with each turn's own and what all of them cost."""
    details = {**found.details, "turns": list(_turns(results))}
    costs = [each.details["judge_cost"] for _, each in results if "judge_cost" in each.details]
    if costs:
        known = [cost for cost in costs if cost is not None]
        details["judge_cost"] = sum(known) if len(known) == len(costs) else None
    return details


def _turns(results: Results) -> Iterator[dict[str, Any]]:
    for at, each in results:
        told: dict[str, Any] = {"turn": at, "verdict": each.verdict.value}
        if each.verdict in SCORED:
            told["score"] = each.score
        told["reason"] = each.reason or ""
        yield told | {key: each.details[key] for key in OF_A_TURN if key in each.details}
