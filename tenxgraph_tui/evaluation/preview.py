"""Short texts for events, and what `CaseFinished` says of a full result."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tenxgraph_tui.evaluation.config import SLOTS
from tenxgraph_tui.evaluation.events import PREVIEW, CaseStatus, VerdictPreview
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, Verdict

_DECODER = json.JSONDecoder()


def preview(text: str, limit: int = PREVIEW) -> str:
    """At most `limit` characters; a longer text ends with "…"."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def args_preview(args: Mapping[str, Any], limit: int = PREVIEW) -> str:
    """Arguments as they would stand in a call: `city="Paris", days=2`."""
    parts: list[str] = []
    room = limit
    for name, value in args.items():
        part = f"{name}={preview(json.dumps(value, ensure_ascii=False, default=repr), room)}"
        parts.append(part)
        room -= len(part) + 2
        if room <= 0:
            break
    return preview(", ".join(parts), limit)


def read_args(text: str) -> dict[str, Any]:
    """The arguments of an `args_preview`; of one that was cut the last value is a beginning."""
    args: dict[str, Any] = {}
    while text:
        name, equals, rest = text.partition("=")
        if not equals:
            break
        try:
            args[name], end = _DECODER.raw_decode(rest)
        except ValueError:
            args[name] = rest.lstrip('"')
            break
        text = rest[end:].removeprefix(", ")
    return args


def verdict_preview(result: CriterionResult) -> VerdictPreview:
    """One criterion's verdict with a short reason."""
    return VerdictPreview(
        criterion=result.criterion,
        verdict=result.verdict,
        score=result.score,
        threshold=result.threshold,
        reason=preview(result.reason or ""),
    )


def status_of(result: EvalCaseResult) -> CaseStatus:
    """Error wins over passed, passed over failed."""
    if result.is_error:
        return CaseStatus.ERROR
    return CaseStatus.PASSED if result.passed else CaseStatus.FAILED


def reason_of(result: EvalCaseResult) -> str:
    """Why a case did not pass, in one line; "" for one that did."""
    if result.error is not None:
        return result.error
    failed = next((r for r in result.criterion_results if r.verdict is Verdict.FAILED), None)
    if failed is None:
        return ""
    slot = SLOTS.get(failed.criterion, failed.criterion)
    return f"{slot}: {failed.reason}" if failed.reason else slot


def judge_cost(result: EvalCaseResult) -> float | None:
    """What the judges of a case took, in US dollars; None where no price of theirs is known."""
    costs = (criterion.details.get("judge_cost") for criterion in result.criterion_results)
    known = [cost for cost in costs if isinstance(cost, int | float)]
    return sum(known) if known else None


def finished_fields(result: EvalCaseResult) -> dict[str, Any]:
    """The fields of `CaseFinished` that a result determines."""
    return {
        "status": status_of(result),
        "verdicts": tuple(map(verdict_preview, result.criterion_results)),
        "usage": result.token_usage,
        "cost": judge_cost(result),
        "duration_seconds": result.duration_seconds,
        "error": preview(result.error) if result.error is not None else None,
        "response": preview(result.actual_response),
        "reason": preview(reason_of(result)),
        "known": "xfailed" in result.metadata,
        "unexpected": "unexpected_pass" in result.metadata,
    }
