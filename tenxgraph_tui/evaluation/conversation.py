"""Holding the conversation of a case with any agent that can answer one turn."""

from __future__ import annotations

from typing import Any

from tenxgraph_tui.adapters.port import MessageDict, Runnable
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.recorder import Recorder

SHARE_THREAD = "share_thread"


class Conversation:
    """A `Target` over a `Runnable`: turn after turn, each attempt on a thread of its own."""

    def __init__(self, runnable: Runnable) -> None:
        self._runnable = runnable

    async def run(self, case: EvalCase, recorder: Recorder) -> ExecutionResult:
        """Ask every turn. With memory only the new message is sent, without it the history."""
        config = run_config(case, recorder.run_id)
        history: list[MessageDict] = []
        state: dict[str, Any] = case.session_input.state
        for turn in case.conversation:
            recorder.begin_turn(len(case.conversation), turn.user_content)
            message = {
                "id": f"{recorder.run_id}-{recorder.turn}",
                "role": turn.user_content.role,
                "content": turn.user_content.content,
            }
            history.append(message)
            sent = [message] if self._runnable.has_memory else list(history)
            answer = await self._runnable.invoke(sent, config, recorder, state)
            recorder.end_turn()
            history.extend(answer.messages)
            state = {}
        return recorder.snapshot()


def run_config(case: EvalCase, run_id: str) -> dict[str, Any]:
    """What the file asks for, with ids of this attempt.

    A thread id of the file is used only with `share_thread: true`; `run_id` is always ours.
    """
    session = case.session_input
    config = dict(session.config)
    shared = config.pop(SHARE_THREAD, False) is True
    if not shared or "thread_id" not in config:
        config["thread_id"] = f"{case.eval_id}-{run_id}"
    if session.app_name:
        config.setdefault("app_name", session.app_name)
    config.setdefault("user_id", session.user_id)
    return {**config, "run_id": run_id}
