"""What happened in a case as plain lines, for report files that have room for text only."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tenxgraph_tui.evaluation import numbers, opinions
from tenxgraph_tui.evaluation.config import SLOTS
from tenxgraph_tui.evaluation.dataset import StepType, ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.preview import args_preview
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, Verdict


def transcript(result: EvalCaseResult) -> Iterator[str]:
    """The verdicts, the conversation, the calls, the steps and the nodes; only what is there."""
    yield from _section("criteria", map(verdict_line, result.criterion_results))
    yield from _section("judges", _judged(result))
    yield from _section("conversation", _conversation(result))
    yield from _section("tool calls", map(_call, result.actual_tool_calls))
    yield from _section("trajectory", map(_step, result.actual_trajectory))
    yield from _section("node responses", map(_reply, result.node_responses))
    traceback = result.metadata.get("traceback")
    if isinstance(traceback, str):
        yield from _section("traceback", iter(traceback.splitlines()))


def verdict_line(result: CriterionResult) -> str:
    """`trajectory: failed 0.33, needs 1.00: first divergence: call 2, city`."""
    slot = SLOTS.get(result.criterion, result.criterion)
    reason = result.reason or ""
    match result.verdict:
        case Verdict.PASSED | Verdict.FAILED as verdict:
            score = numbers.score(result.score, passed=verdict is Verdict.PASSED)
            head = f"{slot}: {verdict} {score}, needs {numbers.threshold(result.threshold)}"
        case Verdict.ERROR:
            head, reason = f"{slot}: error", result.error or reason
        case Verdict.NOT_EVALUATED:
            head = f"{slot}: not evaluated"
    return f"{head}: {reason}" if reason else head


def _judged(result: EvalCaseResult) -> Iterator[str]:
    """What judges said, of criteria that passed too."""
    for criterion in result.criterion_results:
        slot = SLOTS.get(criterion.criterion, criterion.criterion)
        yield from (f"{slot}: {one}" for one in opinions.all_said(criterion.details))


def as_json(value: Any) -> str:
    """Any value of a call in one line; a text as it is."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=repr)


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    first = next(lines, None)
    if first is not None:
        yield f"--- {title} ---"
        yield first
        yield from lines
        yield ""


def _conversation(result: EvalCaseResult) -> Iterator[str]:
    for turn in result.turn_results:
        for word, key in (
            ("user", "user_query"),
            ("expected", "expected_response"),
            ("answer", "actual_response"),
        ):
            if turn.get(key):
                yield f"{word}: {turn[key]}"
    if not result.turn_results and result.actual_response:
        yield f"answer: {result.actual_response}"


def _call(call: ToolCall) -> str:
    line = f"{call.name}({args_preview(call.args)})"
    if call.error:
        return f"{line} raised {call.error}"
    return line if call.result is None else f"{line} = {as_json(call.result)}"


def _step(step: TrajectoryStep) -> str:
    is_tool = step.step_type is StepType.TOOL
    name = f"{step.name}({args_preview(step.args)})" if is_tool else step.name
    seconds = step.metadata.get("seconds")
    took = f"  {numbers.seconds(seconds)}" if isinstance(seconds, int | float) else ""
    return f"{step.step_type}  {name}{took}"


def _reply(reply: Mapping[str, Any]) -> str:
    asked = ", ".join(map(str, reply.get("tool_call_names") or ()))
    text = reply.get("response_text") or (f"asked for {asked}" if asked else "")
    return f"{reply.get('node_name') or 'node'}: {text}"
