"""From the callbacks of a graph to the events that a publisher gets."""

from __future__ import annotations

from typing import Any

from tenxgraph_tui.adapters.port import RUN_PREFIX, MessageDict
from tenxgraph_tui.adapters.replies import messages_of
from tenxgraph_tui.errors import worded
from tenxgraph_tui.graph.callbacks import (
    AfterInvokeCallback,
    CallbackContext,
    InvocationType,
)
from tenxgraph_tui.graph.constants import END, START
from tenxgraph_tui.graph.events import BasePublisher, Event, EventModel, EventType
from tenxgraph_tui.graph.values import json_value

TOOL_KINDS = (InvocationType.TOOL, InvocationType.MCP)


class PublisherCallback(AfterInvokeCallback[Any, Any]):
    """Turns what a callback is told into an event, and awaits the publisher.

    `thread_id` and `run_id` of `config` are stamped onto every event; the run id of an evaluation
    wins over it, so that an event finds its case. AI gives `NODE_EXECUTION`, TOOL and MCP give
    `TOOL_EXECUTION`, anything else no event.
    """

    def __init__(self, publisher: BasePublisher, config: dict[str, Any] | None = None) -> None:
        self.publisher = publisher
        self.config = config or {}

    async def __call__(
        self,
        context: CallbackContext,
        input_data: Any,  # noqa: ARG002 - what every callback gets
        output_data: Any,
    ) -> Any:
        """Publish and hand the output on unchanged."""
        event = self._event(context, output_data)
        if event is not None:
            await self.publisher.publish(event)
        return output_data

    async def failed(
        self,
        context: CallbackContext,
        input_data: Any,  # noqa: ARG002 - what every callback gets
        error: Exception,
    ) -> None:
        """The same for a call that raised; registered by `make_trajectory_callback`."""
        event = self._event(context, None, error=worded(error))
        if event is not None:
            await self.publisher.publish(event)

    def _event(
        self, context: CallbackContext, output: Any, error: str | None = None
    ) -> EventModel | None:
        metadata = context.metadata or {}
        config = metadata.get("config") or {}
        node = str(config.get("_node_name") or context.node_name)
        if node in {START, END}:  # 10xGraph runs them as nodes
            return None
        data: dict[str, Any] = {"step": metadata.get("step")}
        if context.invocation_type == InvocationType.AI:  # 10xGraph has a type of its own
            kind = Event.NODE_EXECUTION
            data["messages"] = _said(output)
        elif context.invocation_type in TOOL_KINDS:
            kind = Event.TOOL_EXECUTION
            data |= {
                "function_name": context.function_name or "",
                "tool_call_id": metadata.get("tool_call_id"),
                "args": json_value(metadata.get("args") or {}),
                "result": json_value(output),
            }
        else:
            return None
        if error is not None:
            data["error"] = error
        return EventModel(
            event=kind,
            event_type=EventType.ERROR if error is not None else EventType.END,
            node_name=node,
            data=data,
            is_error=error is not None,
            **self._ids(config),
        )

    def _ids(self, config: dict[str, Any]) -> dict[str, Any]:
        ids = {**config, **self.config}
        if str(config.get("run_id", "")).startswith(RUN_PREFIX):
            ids["run_id"] = config["run_id"]
        return {name: ids[name] for name in ("run_id", "thread_id", "user_id") if ids.get(name)}


def _said(output: Any) -> list[MessageDict]:
    """The messages in what a node returned; a state returned whole tells nothing new."""
    if isinstance(output, dict) and isinstance(output.get("messages"), list):
        output = output["messages"]  # an `Agent` of 10xGraph gives its state beside them
    try:
        said = messages_of(output, ())
    except (TypeError, ValueError):
        return []
    return [json_value(message) for message in said]
