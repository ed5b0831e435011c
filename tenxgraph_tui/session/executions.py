"""What agents did in a run that is kept, as a target: it is judged again, and no agent is run."""

from __future__ import annotations

from typing import Any

from tenxgraph_tui.evaluation.attempt import BrokeOffBefore, Performance
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import (
    ExecutionResult,
    NodeResponseData,
    Target,
    TurnExecution,
)
from tenxgraph_tui.evaluation.infos import RunRef
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.store import RunStore

AGAIN = "the case has changed: run it again"
OF_THE_AGENT = ("traceback", "location", "timeout")
"""What `EvalCaseResult.metadata` holds of an execution that broke off, beside the case's own."""


class StoredExecutions:
    """A `TargetSource` and the `Target` too: set `set_index` of `run`, as the store has it."""

    reloads = True

    def __init__(self, store: RunStore, run: RunRef, set_index: int) -> None:
        self._store, self._ref, self._set_index = store, run, set_index

    def load(self, *, afresh: bool = False) -> None:
        """See `TargetSource`: there is nothing to import."""

    async def open(self) -> Target:
        """See `TargetSource`."""
        return self

    async def run(self, case: EvalCase, recorder: Recorder) -> ExecutionResult:
        """See `Target`.

        Raises:
            BrokeOffBefore: the agent broke off then, the run has no execution of this attempt, or
                the file asks something else by now; with the evidence that there is.
        """
        key = CaseKey(self._set_index, case.eval_id, recorder.key.attempt)
        result = self._store.result(self._ref.run_id, key)
        if result is None:
            told = f"run #{self._ref.number} has no execution of this attempt"
            raise BrokeOffBefore(Performance(ExecutionResult(), told))
        execution = execution_of(result)
        if told := self._changed(case, result):
            raise BrokeOffBefore(Performance(execution, f"{told}; {AGAIN}"))
        if result.error is not None and not result.criterion_results:
            metadata = {n: result.metadata[n] for n in OF_THE_AGENT if n in result.metadata}
            raise BrokeOffBefore(Performance(execution, result.error, metadata))
        return execution

    def _changed(self, case: EvalCase, result: EvalCaseResult) -> str:
        """What the file asks now that the agent was not asked then; "" if it is the same."""
        number, done = self._ref.number, result.turn_results
        for at, (turn, then) in enumerate(zip(case.conversation, done, strict=False), start=1):
            if turn.user_content.get_text() != then.get("user_query"):
                return f"turn {at} asks something else than in run #{number}"
        is_whole = result.error is None or bool(result.criterion_results)
        if is_whole and len(done) != len(case.conversation):
            turns = plural(len(case.conversation), "turn")
            return f"{turns} in the file, {len(done)} in run #{number}"
        return ""


def execution_of(result: EvalCaseResult) -> ExecutionResult:
    """The evidence that the verdicts of a result came from."""
    return ExecutionResult(
        tool_calls=result.actual_tool_calls,
        trajectory=result.actual_trajectory,
        messages=result.messages,
        actual_response=result.actual_response,
        node_responses=[NodeResponseData.model_validate(one) for one in result.node_responses],
        node_visits=result.node_visits,
        duration_seconds=result.duration_seconds,
        turns=[_turn(one) for one in result.turn_results],
    )


def _turn(kept: dict[str, Any]) -> TurnExecution:
    """A turn of `EvalCaseResult.turn_results`, without what was expected of it."""
    return TurnExecution(
        user_text=kept["user_query"],
        response=kept["actual_response"],
        tool_calls=kept["tool_calls"],
        node_visits=kept["node_visits"],
        duration_seconds=kept["duration_seconds"],
    )
