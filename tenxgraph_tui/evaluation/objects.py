"""Targets that are given as objects: a graph, an `(app, collector)` pair, or a callable."""

from __future__ import annotations

from typing import Any

from tenxgraph_tui.adapters import runnable_of
from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.conversation import Conversation
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult, Target
from tenxgraph_tui.evaluation.recorder import Recorder

PAIR = 2


class WiredConversation:
    """A conversation with a graph whose collector must hear of it."""

    def __init__(self, conversation: Conversation, collector: Any) -> None:
        self._conversation, self._collector = conversation, collector

    async def run(self, case: EvalCase, recorder: Recorder) -> ExecutionResult:
        """See `Target`.

        Raises:
            TargetError: the graph ran, but nothing reached this collector.
        """
        execution = await self._conversation.run(case, recorder)
        if id(self._collector) not in recorder.heard_by:
            raise TargetError(
                "no events reached the collector: build the pair with create_eval_app, or pass "
                "make_trajectory_callback(collector)[1] to compile()"
            )
        return execution


def target_of(found: Any) -> Target | None:
    """The target that an object is, or None if it is nothing that can be evaluated."""
    if isinstance(found, tuple) and len(found) == PAIR:
        graph, collector = found
        if hasattr(collector, "on_event"):
            runnable = runnable_of(graph)
            if runnable is not None:
                return WiredConversation(Conversation(runnable), collector)
        return None
    runnable = runnable_of(found)
    return Conversation(runnable) if runnable is not None else None


class ObjectSource:
    """A `TargetSource` for an object that exists already: the same on every loop."""

    reloads = False

    def __init__(self, found: Any) -> None:
        self._found = found

    def load(self, *, afresh: bool = False) -> None:
        """Nothing to import."""

    async def open(self) -> Target:
        """See `TargetSource`."""
        target = target_of(self._found)
        if target is None:
            raise TargetError(
                f"{type(self._found).__qualname__} cannot be evaluated: give a compiled graph and "
                "its collector, as create_eval_app returns them"
            )
        return target
