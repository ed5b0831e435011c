"""One attempt of one case: the conversation within its timeout, then the verdicts."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tenxgraph_tui.errors import worded
from tenxgraph_tui.evaluation.again import UNREACHED, is_unreached
from tenxgraph_tui.evaluation.criteria import BaseCriterion, SyncCriterion, assess
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.events import CriterionScored, JudgeStarted
from tenxgraph_tui.evaluation.execution import ExecutionResult, Target, TokenUsage
from tenxgraph_tui.evaluation.heldtime import HeldTime
from tenxgraph_tui.evaluation.judging.context import Bench, JudgedCase, judging
from tenxgraph_tui.evaluation.models import built
from tenxgraph_tui.evaluation.places import place_of
from tenxgraph_tui.evaluation.preview import verdict_preview
from tenxgraph_tui.evaluation.recorder import Recorder, recording
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, Verdict, error_of
from tenxgraph_tui.evaluation.stream import EventStream

OBEYS_WITHIN = 0.05
"""Seconds that a cancelled agent gets to clean up before it is left alone."""


@dataclass(slots=True)
class Performance:
    """What came of running a target: its evidence, and why it broke off, if it did."""

    execution: ExecutionResult
    error: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


class BrokeOffBefore(Exception):
    """Raised by a target that tells what another one did, where that one broke off."""

    def __init__(self, performance: Performance) -> None:
        super().__init__(performance.error)
        self.performance = performance


@dataclass(slots=True)
class _Ending:
    """How the target's coroutine ended, noted by itself so that no waiting is counted."""

    at: float = 0.0
    execution: ExecutionResult | None = None
    error: BaseException | None = None
    stopping: bool = False


async def perform(
    target: Target, case: EvalCase, recorder: Recorder, *, limit: float, held: HeldTime
) -> Performance:
    """Run `target` on `case` for at most `limit` seconds, net of what others held the loop.

    Whatever the target raises, even `SystemExit`, becomes the error; what was recorded is kept.

    Raises:
        asyncio.CancelledError: the caller was cancelled; the target was told and left alone.
    """
    ending = _Ending()
    key, began = recorder.key, time.monotonic()
    others = held.by_others(key)

    def spent(until: float) -> float:
        return until - began - (held.by_others(key) - others)

    with recording(recorder):
        task = asyncio.create_task(_guarded(target, case, recorder, ending))
        try:
            while not task.done() and (left := limit - spent(time.monotonic())) > 0:
                await asyncio.wait({task}, timeout=left)
        except asyncio.CancelledError:
            await _stop(task, recorder, ending)
            raise
        if not task.done():
            obeyed = await _stop(task, recorder, ending)
            return _timed_out(recorder, limit, held, obeyed=obeyed)
        recorder.seal()
        if spent(ending.at) > limit:
            return _timed_out(recorder, limit, held, obeyed=True)
    if ending.execution is not None:
        return Performance(ending.execution)
    assert ending.error is not None
    return _raised(ending.error, recorder.snapshot())


async def _guarded(target: Target, case: EvalCase, recorder: Recorder, ending: _Ending) -> None:
    try:
        ending.execution = await target.run(case, recorder)
    except asyncio.CancelledError as error:
        if ending.stopping:
            raise
        ending.error = error
    except BaseException as error:  # noqa: BLE001 - SystemExit in a task would stop the whole loop
        ending.error = error
    finally:
        ending.at = time.monotonic()


async def _stop(task: asyncio.Task[None], recorder: Recorder, ending: _Ending) -> bool:
    """Seal first, so that nothing late gets in; then cancel. Whether the task obeyed."""
    recorder.seal()
    ending.stopping = True
    task.cancel()
    done, _ = await asyncio.wait({task}, timeout=OBEYS_WITHIN)
    return bool(done)


def _timed_out(recorder: Recorder, timeout: float, held: HeldTime, *, obeyed: bool) -> Performance:
    where = held.where(recorder.key)
    error = f"timed out after {timeout:g} s"
    if held.by(recorder.key) > timeout / 2:
        error += f": it blocked the event loop at {where}"
    elif not obeyed:
        error += " and did not stop when it was cancelled"
    return Performance(recorder.snapshot(), error, {"timeout": timeout})


def _raised(error: BaseException, execution: ExecutionResult) -> Performance:
    """The error as a person reads it: what the agent raised, not what a framework wrapped it in."""
    if isinstance(error, BrokeOffBefore):
        return error.performance
    while error.__cause__ is not None and _is_wrapper(error):
        error = error.__cause__
    told = worded(error)
    if len(execution.turns) > 1:
        told = f"turn {len(execution.turns)}: {told}"
    metadata: dict[str, Any] = {"traceback": "".join(traceback.format_exception(error))}
    place = place_of(error)
    if place:
        metadata["location"] = place
    if is_unreached(error):
        metadata[UNREACHED] = True
    return Performance(execution, told, metadata)


def _is_wrapper(error: BaseException) -> bool:
    return str(type(error).__module__).split(".")[0] in {"tenxgraph_tui", "tenxgraph"}


async def verdicts(
    criteria: Iterable[BaseCriterion],
    execution: ExecutionResult,
    case: EvalCase,
    recorder: Recorder,
    stream: EventStream,
    bench: Bench | None = None,
) -> list[CriterionResult]:
    """The result of every criterion; one that raises is an error, not the end of the run.

    Those that wait for something, for a judge mostly, wait at the same time. `bench` is the judge
    of the run; with None the context's is asked.
    """

    async def one(criterion: BaseCriterion) -> CriterionResult:
        result = await assess(criterion, execution, case)
        if stream.is_watched:
            stream.emit(CriterionScored, case=recorder.key, verdict=verdict_preview(result))
        return result

    def announce(criterion: str, sample: int, of: int) -> None:
        stream.emit(JudgeStarted, case=recorder.key, criterion=criterion, sample=sample, of=of)

    wanted = list(criteria)
    judged = JudgedCase(case.eval_id, announce if stream.is_watched else None, recorder.key.attempt)
    with judging(judged, bench):
        if sum(not isinstance(criterion, SyncCriterion) for criterion in wanted) <= 1:
            return [await one(criterion) for criterion in wanted]
        return await asyncio.gather(*map(one, wanted))


def _replies(execution: ExecutionResult) -> list[dict[str, Any]]:
    replies = execution.node_responses
    return [{**vars(one), "token_usage": one.token_usage.to_dict()} for one in replies]


def to_result(
    case: EvalCase, performance: Performance, checked: list[CriterionResult]
) -> EvalCaseResult:
    """Everything about the attempt; `metadata.xfail` turns a failure into a known one."""
    execution = performance.execution
    error = performance.error if performance.error is not None else error_of(checked)
    passed = error is None and all(r.verdict is not Verdict.FAILED for r in checked)
    metadata = {**case.metadata, **performance.metadata}
    known = case.metadata.get("xfail")
    if known and error is None:
        metadata["unexpected_pass" if passed else "xfailed"] = str(known)
        passed = True
    agent = execution.token_usage
    judges = sum((result.token_usage for result in checked), TokenUsage())
    return built(
        EvalCaseResult,
        eval_id=case.eval_id,
        name=case.name,
        passed=passed,
        criterion_results=checked,
        actual_trajectory=execution.trajectory,
        actual_tool_calls=execution.tool_calls,
        actual_response=execution.actual_response,
        messages=execution.messages,
        node_responses=_replies(execution),
        node_visits=execution.node_visits,
        duration_seconds=execution.duration_seconds,
        error=error,
        metadata=metadata,
        turn_results=_turns(case, execution),
        token_usage=agent + judges,
        agent_token_usage=agent,
        node_details=[],
    )


def _turns(case: EvalCase, execution: ExecutionResult) -> list[dict[str, Any]]:
    return [
        {
            "turn": index,
            "user_query": done.user_text,
            "expected_response": turn.expected_text(),
            "expected_tool_calls": [call.model_dump() for call in turn.expected_tool_trajectory],
            "expected_node_order": turn.expected_nodes(),
            "actual_response": done.response,
            "tool_calls": [call.model_dump() for call in done.tool_calls],
            "node_visits": done.node_visits,
            "duration_seconds": done.duration_seconds,
        }
        for index, (turn, done) in enumerate(zip(case.conversation, execution.turns, strict=False))
    ]
