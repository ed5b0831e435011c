"""One attempt's recorder: takes what the agent does from any thread, narrates it and keeps it."""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from tenxgraph_tui.adapters.port import CURRENT, RUN_PREFIX, MessageDict, dismiss, enrol
from tenxgraph_tui.evaluation.dataset import MessageContent
from tenxgraph_tui.evaluation.events import Log, StepRecorded, StepStarted, TurnStarted
from tenxgraph_tui.evaluation.evidence import Evidence, text_of
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.preview import args_preview, preview
from tenxgraph_tui.evaluation.records import Call
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.evaluation.stream import EventStream
from tenxgraph_tui.graph.values import json_value

log = logging.getLogger(__name__)

ARGS_PREVIEW = 200
PROCESS = uuid4().hex
"""Makes run ids of this process unlike those of any other; counting on is cheaper than a new id."""

_numbers = itertools.count()


class Recorder:
    """Implements `adapters.port.Observer` for one attempt of one case.

    Any thread may call it. Once sealed it takes nothing more: what comes late is logged, so that a
    tool that outlives its timeout cannot change a result that is already out.
    """

    def __init__(
        self,
        key: CaseKey,
        *,
        stream: EventStream | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.key = key
        self.run_id = f"{RUN_PREFIX}{PROCESS}-{next(_numbers)}"
        self.heard_by: set[int] = set()
        """The `id` of every collector that got an event of this attempt."""
        self._stream = stream if stream is not None and stream.is_watched else None
        self._lock = threading.RLock()
        self._sealed = False
        self._evidence = Evidence(clock)

    @property
    def turn(self) -> int:
        """The turn that runs, from 0; -1 before the first."""
        return self._evidence.turn

    def seal(self) -> None:
        """Take nothing more."""
        with self._lock:
            self.end_turn()
            self._sealed = True

    def snapshot(self) -> ExecutionResult:
        """Everything recorded so far, as a result of its own."""
        with self._lock:
            return self._evidence.result()

    def begin_turn(self, of: int, content: MessageContent) -> None:
        """The next of `of` turns starts, with what the user says."""
        with self._lock:
            if self._takes("a turn"):
                self.end_turn()
                text = self._evidence.open_turn(content)
                self._emit(TurnStarted, turn=self.turn, of=of, text=preview(text))

    def end_turn(self) -> None:
        """The running turn has its answer."""
        with self._lock:
            self._close_visit()
            self._evidence.close_turn()

    def visit(self, node: str, step: object = None) -> None:
        """See `Observer.visit`."""
        with self._lock:
            if self._takes("a visit") and not self._evidence.is_same_visit(node, step):
                self._close_visit()
                self._evidence.open_visit(node, step)

    def step_started(
        self,
        node: str,
        *,
        tool: str | None = None,
        args: Mapping[str, Any] | None = None,
        call_id: str | None = None,
    ) -> None:
        """See `Observer.step_started`."""
        with self._lock:
            if not self._takes("a step"):
                return
            call = self._evidence.unstarted(call_id, tool, args) if tool is not None else None
            if call is not None:
                self._evidence.start(call)
            if self._stream is not None:
                text = args_preview(args or {}, ARGS_PREVIEW)
                self._emit(StepStarted, node=node, tool=tool, args=text)

    def message(
        self,
        node: str,
        message: MessageDict,
        *,
        usage: Mapping[str, int] | None = None,
        seen: Sequence[MessageDict] = (),
        aside: bool = False,
    ) -> None:
        """See `Observer.message`."""
        with self._lock:
            if not self._takes("a message"):
                return
            message = json_value(message)
            if aside:
                self._evidence.reply(node, message, usage, seen, aside=True)
                return
            self._evidence.messages.append(message)
            if message.get("role") != "tool":
                self._evidence.reply(node, message, usage, seen)
                return
            call = self._evidence.unfinished(message.get("tool_call_id"))
            if call is not None:
                error = text_of(message) if message.get("is_error") else None
                self._finish(call, None if error else message.get("content"), error, node)

    def outcome(
        self,
        call_id: str | None,
        name: str,
        args: Mapping[str, Any],
        *,
        result: Any = None,
        error: str | None = None,
        node: str = "",
    ) -> None:
        """See `Observer.outcome`."""
        with self._lock:
            if self._takes("the result of a tool"):
                call = self._evidence.unfinished(call_id, name, args)
                if call is None:
                    self._evidence.requests += 1  # nobody asked for it: it stands by itself
                    call = self._evidence.open_call(node, name, json_value(dict(args)), call_id)
                self._finish(call, json_value(result), error, node)

    def warn(self, text: str) -> None:
        """See `Observer.warn`."""
        if self._stream is not None:
            self._emit(Log, source="tenxgraph", level="warning", text=text)
        else:
            log.warning("%s: %s", self.key.eval_id, text)

    def _takes(self, what: str) -> bool:
        """Whether it is open still; what comes late is logged."""
        if self._sealed:
            log.info("late: %s of %s, which has ended", what, self.key.eval_id)
        return not self._sealed

    def _finish(self, call: Call, result: Any, error: str | None, node: str) -> None:
        self._evidence.finish(call, result, error)
        if self._stream is not None:
            self._emit(
                StepRecorded,
                node=node or call.node,
                tool=call.name,
                args=args_preview(call.args, ARGS_PREVIEW),
                seconds=call.seconds,
                error=preview(call.error) if call.error else None,
            )

    def _close_visit(self) -> None:
        visit = self._evidence.close_visit()
        if visit is not None:
            self._emit(StepRecorded, node=visit.node, seconds=visit.seconds, tokens=visit.tokens)

    def _emit(self, kind: type[Any], **fields: Any) -> None:
        if self._stream is not None:
            self._stream.emit(kind, case=self.key, **fields)


class recording:  # noqa: N801 - used as a statement, `with recording(recorder):`
    """Within it, everything that happens in this context or under the recorder's run id is its."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def __enter__(self) -> Recorder:
        self._token = CURRENT.set(self._recorder)
        enrol(self._recorder)
        return self._recorder

    def __exit__(self, *error: object) -> None:
        self._recorder.seal()
        dismiss(self._recorder)
        CURRENT.reset(self._token)
