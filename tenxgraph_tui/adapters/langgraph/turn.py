"""What happens in one turn of a LangGraph graph, told to the observer in an order that is its own.

What nodes return is told when the step is over, in the order in which the nodes of the step began,
so that it does not depend on which one was faster. Requests for tools are told before the tools
run, at the latest when the first of them starts. A model's answer that no node puts into the
messages is told as an aside: it took tokens, but nobody was answered.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import BaseMessage

from tenxgraph_tui.adapters.langgraph.known import Known, is_among, is_same
from tenxgraph_tui.adapters.langgraph.messages import content_of, requests_of, to_dict, usage_of
from tenxgraph_tui.adapters.port import MessageDict, Observer
from tenxgraph_tui.adapters.seen import Seen


@dataclass(slots=True)
class Task:
    """A node at work in a step of the graph. `key` is one that its subgraphs share."""

    key: str
    node: str
    step: int
    given: Sequence[BaseMessage]
    returned: Sequence[BaseMessage] = ()

    def new(self, told: Known) -> list[BaseMessage]:
        """What it returned, without what it was given, and what was told of before."""
        left = (message for message in self.returned if message not in told)
        return [message for message in left if not is_among(message, self.given)]


@dataclass(slots=True)
class ModelCall:
    """An answer of a model within the task `key`, and what the model was sent."""

    key: str
    message: BaseMessage
    seen: Sequence[BaseMessage]
    is_told: bool = False


@dataclass(frozen=True, slots=True)
class ToolRun:
    """A tool at work within the task `key`; `call_id` is None where nobody told it."""

    key: str
    name: str
    args: Mapping[str, Any]
    call_id: str | None


class Turn:
    """The bookkeeping of one turn; any thread may call it."""

    def __init__(self, observer: Observer, before: Iterable[BaseMessage]) -> None:
        self._observer = observer
        self._told = Known(before)
        self._lock = threading.RLock()
        self._step = -1
        self._tasks: list[Task] = []
        self._calls: list[ModelCall] = []
        self._at_work: dict[str, Task] = {}
        self._visited: set[tuple[str, int]] = set()
        self._asides: set[str] = set()
        self._seen: dict[str, Seen[BaseMessage]] = {}

    def node_started(self, task: Task) -> None:
        """A node of the graph itself begins; several tasks of one node in a step are one visit."""
        with self._lock:
            if self._step < 0:
                for message in task.given:
                    self._told.add(message)
            if task.step > self._step:
                self._tell_step()
                self._told.recognise(task.given)
                self._step = task.step
            self._tasks.append(task)
            self._at_work[task.key] = task
            if (task.node, task.step) not in self._visited:
                self._visited.add((task.node, task.step))
                self._observer.visit(task.node, task.step)
                self._observer.step_started(task.node)

    def inner_node_returned(self, key: str, messages: Sequence[BaseMessage]) -> None:
        """A node of a graph inside the task: what it asked for, and tools that could not run."""
        with self._lock:
            for message in messages:
                if message.type == "tool" or requests_of(message):
                    self._tell(message, key)

    def model_answered(self, call: ModelCall) -> None:
        with self._lock:
            self._calls.append(call)

    def tool_started(self, run: ToolRun) -> ToolRun:
        """A tool begins. One without an id of its call gets that of the request that it fits."""
        with self._lock:
            for call in self._calls:
                request = _request_for(run, call)
                if request is not None:
                    self._tell(call.message, call.key)
                    run = replace(run, call_id=request["id"])
                    break
            self._observer.step_started(
                self._node(run.key), tool=run.name, args=run.args, call_id=run.call_id
            )
            return run

    def tool_ended(self, run: ToolRun, *, result: Any = None, error: str | None = None) -> None:
        with self._lock:
            self._observer.outcome(
                run.call_id,
                run.name,
                run.args,
                result=result,
                error=error,
                node=self._node(run.key),
            )

    def finish(self, outcome: Sequence[BaseMessage] = ()) -> None:
        """The turn is over; `outcome` is what the state has of it, in its order.

        What nobody returned who was seen is told too: a graph may hand messages to another one.
        """
        with self._lock:
            made = self._made()
            self._told.recognise(outcome)
            left = [message for message in outcome if message not in self._told]
            self._tell_asides(made)
            for message, key in made:
                if not any(is_same(message, each) for each in left):
                    self._tell(message, key)
            last = self._tasks[-1].key if self._tasks else ""
            for message in left:
                keys = (key for each, key in made if is_same(each, message))
                self._tell(message, next(keys, last))
            self._tasks.clear()

    def _tell_step(self) -> None:
        """The step is over: tell what it brought."""
        made = self._made()
        self._tell_asides(made)
        for message, key in made:
            self._tell(message, key)
        self._tasks.clear()

    def _made(self) -> list[tuple[BaseMessage, str]]:
        """What the tasks of the step returned, each with the key of its task."""
        return [(message, task.key) for task in self._tasks for message in task.new(self._told)]

    def _tell_asides(self, made: Sequence[tuple[BaseMessage, str]]) -> None:
        """Tell of the models whose answer did not become a message."""
        for call in self._calls:
            if not any(is_same(call.message, message) for message, _ in made):
                self._tell_call(call, call.message, aside=True)
        self._calls = [call for call in self._calls if not call.is_told]

    def _tell(self, message: BaseMessage, key: str) -> None:
        if message in self._told:
            return
        self._told.add(message)
        for call in self._calls:
            if not call.is_told and is_same(call.message, message):
                self._tell_call(call, message)
                return
        usage = None if message.id in self._asides else usage_of(message)
        task = self._at_work.get(key)
        given = task.given if task is not None and message.type == "ai" else ()
        node = self._node(key)
        self._observer.message(node, to_dict(message), usage=usage, seen=self._seen_by(node, given))

    def _tell_call(self, call: ModelCall, message: BaseMessage, *, aside: bool = False) -> None:
        if call.is_told:
            return
        call.is_told = True
        if aside and message.id:
            self._asides.add(message.id)
        node = self._node(call.key)
        self._observer.message(
            node,
            to_dict(message),
            usage=usage_of(call.message),
            seen=self._seen_by(node, call.seen),
            aside=aside,
        )

    def _seen_by(self, node: str, messages: Sequence[BaseMessage]) -> list[MessageDict]:
        seen = self._seen.setdefault(node, Seen(_one_dict, content_of))
        return seen.of(messages) if messages else []

    def _node(self, key: str) -> str:
        task = self._at_work.get(key)
        return task.node if task is not None else ""


def _one_dict(message: BaseMessage) -> tuple[MessageDict]:
    return (to_dict(message),)


def _request_for(run: ToolRun, call: ModelCall) -> dict[str, Any] | None:
    """What in the answer of a model asks for the tool that runs, if nobody was told of it yet."""
    if call.is_told or call.key != run.key:
        return None
    for request in requests_of(call.message):
        asked = request["function"]
        if asked["name"] == run.name and (
            request["id"] == run.call_id
            if run.call_id is not None
            else asked["arguments"] == run.args
        ):
            return request
    return None
