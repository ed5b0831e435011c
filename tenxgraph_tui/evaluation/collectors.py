"""Publishers that keep what a graph reports, for the caller of the library.

Scoring does not depend on them: every attempt has a recorder of its own. They receive every event
of every case, in the order in which it happens.
"""

from __future__ import annotations

import threading
from typing import Any

from tenxgraph_tui.adapters.port import MessageDict, observer_of
from tenxgraph_tui.adapters.shared import SharedManager
from tenxgraph_tui.evaluation.dataset import StepType, ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.evidence import Evidence
from tenxgraph_tui.evaluation.execution import NodeResponseData
from tenxgraph_tui.evaluation.publishing import TOOL_KINDS, PublisherCallback
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.graph.callbacks import (
    CallbackManager,
    InvocationType,
)
from tenxgraph_tui.graph.events import BasePublisher, Event, EventModel, EventType

__all__ = [
    "EventCollector",
    "PublisherCallback",
    "TrajectoryCollector",
    "make_trajectory_callback",
]


TOOLS_OF_ONE_STEP = object()
"""The step of tools whose runtime names none: those of one node that follow each other."""


class EventCollector:
    """Keeps every raw event, in the order of arrival, for debugging; scoring does not read it."""

    def __init__(self) -> None:
        self.events: list[EventModel] = []

    async def on_event(self, event: EventModel) -> None:
        """Append an event."""
        self.on_event_sync(event)

    def on_event_sync(self, event: EventModel) -> None:
        """Append an event; any thread may call it."""
        _note_heard(self, event)
        self.events.append(event)

    def reset(self) -> None:
        """Forget everything."""
        self.events.clear()

    def filter_by_event(self, event_type: Event) -> list[EventModel]:
        """The events about one thing, such as `Event.TOOL_EXECUTION`."""
        return [event for event in self.events if event.event == event_type]

    def filter_by_event_type(self, event_type: EventType) -> list[EventModel]:
        """The events of one phase, such as `EventType.ERROR`."""
        return [event for event in self.events if event.event_type == event_type]

    def filter_by_node(self, node_name: str) -> list[EventModel]:
        """The events of the node with that name."""
        return [event for event in self.events if event.node_name == node_name]

    def __len__(self) -> int:
        return len(self.events)


class TrajectoryCollector(BasePublisher):
    """Builds the trajectory of what a graph reports: nodes, tool calls, messages, replies.

    With several cases at once it holds all of them, mixed; read the results of the evaluator
    instead. `capture_all_events` keeps the raw events in `events` too.
    """

    def __init__(self, capture_all_events: bool = False) -> None:
        super().__init__({})
        self.capture_all_events = capture_all_events
        self.events: list[EventModel] = []
        self._lock = threading.Lock()
        self._evidence = Evidence()
        self._first: float | None = None
        self._last: float | None = None

    async def publish(self, event: EventModel) -> Any:
        """The same as `on_event`."""
        self.on_event_sync(event)

    async def on_event(self, event: EventModel) -> None:
        """Take an event in."""
        self.on_event_sync(event)

    def on_event_sync(self, event: EventModel) -> None:
        """Take an event in; any thread may call it."""
        _note_heard(self, event)
        with self._lock:
            if self.capture_all_events:
                self.events.append(event)
            self._first = event.timestamp if self._first is None else self._first
            self._last = event.timestamp
            if event.event == Event.NODE_EXECUTION:
                self._take_node(event)
            elif event.event == Event.TOOL_EXECUTION:
                self._take_tool(event)

    async def close(self) -> None:
        """Nothing is held open."""

    def sync_close(self) -> None:
        """Nothing is held open."""

    def reset(self) -> None:
        """Forget everything."""
        with self._lock:
            self.events = []
            self._evidence = Evidence()
            self._first = self._last = None

    @property
    def trajectory(self) -> list[TrajectoryStep]:
        """Node and tool steps, in order."""
        return self._evidence.result().trajectory

    @property
    def tool_calls(self) -> list[ToolCall]:
        """Tool calls, in the order of their request."""
        return self._evidence.result().tool_calls

    @property
    def node_visits(self) -> list[str]:
        """Node names, in the order of their visit."""
        return [visit.node for visit in self._evidence.visits]

    @property
    def messages(self) -> list[MessageDict]:
        """What the nodes said, in order, as objects with `role` and `content`."""
        return list(self._evidence.messages)

    @property
    def node_responses(self) -> list[NodeResponseData]:
        """One entry a model call, in the order of the answers."""
        return list(self._evidence.replies)

    @property
    def final_response(self) -> str:
        """The last text that asked for no tool; empty if there is none."""
        texts = (reply.response_text for reply in reversed(self._evidence.replies))
        return next((text for text in texts if text), "")

    @property
    def duration(self) -> float:
        """Seconds between the first and the last event."""
        return 0.0 if self._first is None or self._last is None else self._last - self._first

    def get_tool_names(self) -> list[str]:
        """Tool names, in the order of their request."""
        return [call.name for call in self.tool_calls]

    def get_trajectory_steps(self, step_type: StepType | None = None) -> list[TrajectoryStep]:
        """The steps of one type, or all."""
        return [step for step in self.trajectory if step_type in {None, step.step_type}]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            "trajectory": [step.model_dump(mode="json") for step in self.trajectory],
            "tool_calls": [call.model_dump(mode="json") for call in self.tool_calls],
            "node_visits": self.node_visits,
            "messages": self.messages,
            "node_responses": [reply.model_dump(mode="json") for reply in self.node_responses],
            "final_response": self.final_response,
            "duration": self.duration,
        }

    def _take_node(self, event: EventModel) -> None:
        step = event.data.get("step")
        if not self._evidence.is_same_visit(event.node_name, step):
            self._evidence.close_visit()
            self._evidence.open_visit(event.node_name, step)
        for message in event.data.get("messages", ()):
            self._evidence.messages.append(message)
            if message.get("role") != "tool":
                self._evidence.reply(event.node_name, message, message.get("usage"), ())

    def _take_tool(self, event: EventModel) -> None:
        data = event.data
        step = data.get("step") or TOOLS_OF_ONE_STEP
        if not self._evidence.is_same_visit(event.node_name, step):
            self._evidence.close_visit()
            self._evidence.open_visit(event.node_name, step)
        name, call_id = str(data.get("function_name", "")), data.get("tool_call_id")
        call = self._evidence.unfinished(call_id, name) or self._evidence.open_call(
            event.node_name, name, dict(data.get("args") or {}), call_id
        )
        self._evidence.finish(call, data.get("result"), data.get("error"))


def make_trajectory_callback(
    collector: TrajectoryCollector, config: dict[str, Any] | None = None
) -> tuple[TrajectoryCollector, CallbackManager]:
    """The collector, and a manager that reports nodes and tools to it: give it to `compile()`."""
    manager = SharedManager()
    callback = PublisherCallback(collector, config)
    for kind in (InvocationType.AI, *TOOL_KINDS):
        manager.register_after_invoke(kind, callback)
        manager.register_on_error(kind, callback.failed)
    return collector, manager


def _note_heard(collector: object, event: EventModel) -> None:
    recorder = observer_of(event.run_id)
    if isinstance(recorder, Recorder):
        recorder.heard_by.add(id(collector))
