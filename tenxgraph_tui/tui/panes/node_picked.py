"""Everything that was recorded of a call, as it is opened and copied."""

from __future__ import annotations

from functools import partial
from typing import Any

from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.node_call import NodeCall
from tenxgraph_tui.tui.panes.picked import Picked


def picked_of(call: NodeCall) -> Picked:
    """What a model was sent and answered, a tool call with its result, or why a node broke off."""
    if call.reply is not None:
        find = partial(_reply, index=call.reply.index, place=call.reply.place)
        return Picked(call.name, find)
    step = call.step
    if step is not None and isinstance(step.row.actual, ToolCall):
        return Picked(f"{call.name}, {step.name}", partial(_tool, at=step.row.actual_index))
    return Picked(call.name, partial(_node, name=call.label, seconds=call.took, broke=call.broke))


def _reply(model: DetailModel, index: int, place: int | None) -> Any:
    if model.result is None or index >= len(model.result.node_responses):
        return None
    found = dict(model.result.node_responses[index])
    if place is not None and place < len(model.result.messages):
        found["message"] = model.result.messages[place]
    return found


def _tool(model: DetailModel, at: int | None) -> Any:
    calls = model.result.actual_tool_calls if model.result is not None else []
    return calls[at].model_dump(mode="json") if at is not None and at < len(calls) else None


def _node(model: DetailModel, name: str, seconds: float | None, *, broke: bool) -> Any:
    found: dict[str, Any] = {"node": name, "seconds": seconds}
    if broke and model.result is not None:
        found |= {"error": model.result.error}
        found |= {
            key: model.result.metadata[key]
            for key in ("location", "traceback", "timeout")
            if key in model.result.metadata
        }
    return found
