"""Telling the observer of an attempt what happens in an embedded graph.

The hooks are registered once on a callback manager and find the attempt by the run id of each
event, so one graph can run many cases at the same time. Whatever goes wrong in them is logged and
changes nothing in the run.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from tenxgraph_tui.adapters.messages import content_of, to_dicts, usage_of
from tenxgraph_tui.adapters.port import Observer, observer_of
from tenxgraph_tui.adapters.seen import Seen
from tenxgraph_tui.errors import worded
from tenxgraph_tui.graph.blocks import ToolResultBlock
from tenxgraph_tui.graph.callbacks import CallbackContext, CallbackManager, InvocationType
from tenxgraph_tui.graph.lifecycle import GraphLifecycleContext, GraphLifecycleHook
from tenxgraph_tui.graph.messages import Message, added, tool_requests
from tenxgraph_tui.graph.state import AgentState
from tenxgraph_tui.graph.values import json_value

log = logging.getLogger("tenxgraph_tui.adapters")

WRITTEN_BY = "function_name"
"""The key under which a `ToolNode` writes whose result a message is."""

_observed: WeakSet[CallbackManager] = WeakSet()
_seen: WeakKeyDictionary[Observer, dict[str, Seen[Message]]] = WeakKeyDictionary()
"""What the nodes of each attempt have seen, by their names."""


def observe(callbacks: CallbackManager) -> None:
    """Register the hooks, unless they are registered already."""
    if callbacks in _observed:
        return
    _observed.add(callbacks)
    callbacks.register_lifecycle_hook(_Watch())
    callbacks.register_before_invoke(InvocationType.TOOL, _tool_starts)
    callbacks.register_after_invoke(InvocationType.TOOL, _tool_returned)
    callbacks.register_on_error(InvocationType.TOOL, _tool_raised)


class _Watch(GraphLifecycleHook[AgentState]):
    async def on_node_start(
        self, context: GraphLifecycleContext, node_name: str, state: AgentState, step: int
    ) -> None:
        del state, step
        if (observer := observer_of(context.run_id)) is not None:
            # without the step: a graph inside a node has nodes and steps of the same names
            observer.visit(node_name)
            observer.step_started(node_name)

    async def on_state_update(
        self,
        context: GraphLifecycleContext,
        node_name: str,
        old_state: AgentState,
        new_state: AgentState,
        step: int,
    ) -> None:
        del step
        observer = observer_of(context.run_id)
        if observer is None:
            return
        new = added(old_state.context, new_state.context)
        tell_update(observer, node_name, old_state.context, new)


def tell_update(
    observer: Observer, node: str, before: Sequence[Message], new: Sequence[Message]
) -> None:
    """What a node added to the messages that were there before it."""
    for at, message in enumerate(new):
        if message.role == "tool":
            _tell_results(observer, node, message, (before, new[:at]))
        _tell(observer, node, message, before)


def _tell(observer: Observer, node: str, message: Message, before: Sequence[Message]) -> None:
    usage = usage_of(message.usages)
    from_model = message.role == "assistant" or usage is not None
    seen = _seen_by(observer, node).of(before) if from_model else ()
    for told in to_dicts(message):
        observer.message(node, told, usage=usage, seen=seen)


def _seen_by(observer: Observer, node: str) -> Seen[Message]:
    return _seen.setdefault(observer, {}).setdefault(node, Seen(to_dicts, content_of))


def _tell_results(
    observer: Observer, node: str, message: Message, earlier: Sequence[Sequence[Message]]
) -> None:
    """The results in a tool message that a function wrote itself; a `ToolNode` reports its own.

    `earlier` are the messages before it, in parts: of those that asked under the id of the call,
    which models use again, the last one did.
    """
    if WRITTEN_BY in message.metadata:
        return
    for block in message.content:
        name = _requested_name(block.call_id, earlier) if isinstance(block, ToolResultBlock) else ""
        if isinstance(block, ToolResultBlock) and name:
            output = json_value(block.output)
            failure = {"error": str(output)} if block.is_error else {"result": output}
            observer.outcome(block.call_id, name, {}, node=node, **failure)


def _requested_name(call_id: str, earlier: Sequence[Sequence[Message]]) -> str:
    for message in chain.from_iterable(map(reversed, reversed(earlier))):
        for request in tool_requests(message):
            if request.get("id") == call_id:
                return str((request.get("function") or {}).get("name", ""))
    return ""


Tell = Callable[[Observer, dict[str, Any]], None]


def safely(context: CallbackContext, tell: Tell) -> None:
    """Have `tell` tell the observer of a call, if it has one, what the call's metadata say.

    A callback that raises would change the run, so nothing is raised.
    """
    try:
        about = context.metadata or {}
        observer = observer_of(about["config"].get("run_id"))
        if observer is not None:
            tell(observer, about)
    except Exception:
        log.exception("a call of a node or a tool could not be recorded; the run goes on")


def _tool_starts(context: CallbackContext, data: Any) -> Any:
    def tell(observer: Observer, about: dict[str, Any]) -> None:
        tool, call_id = context.function_name or "", about["tool_call_id"]
        observer.step_started(context.node_name, tool=tool, args=about["args"], call_id=call_id)

    safely(context, tell)
    return data


def _tool_returned(context: CallbackContext, data: Any, output: Any) -> Any:
    del data

    def tell(observer: Observer, about: dict[str, Any]) -> None:
        _ended(observer, context, about, result=_result(output))

    safely(context, tell)
    return output


def _tool_raised(context: CallbackContext, data: Any, error: Exception) -> None:
    del data

    def tell(observer: Observer, about: dict[str, Any]) -> None:
        _ended(observer, context, about, error=worded(error))

    safely(context, tell)


def _ended(observer: Observer, context: CallbackContext, about: dict[str, Any], **how: Any) -> None:
    tool, node = context.function_name or "", context.node_name
    observer.outcome(about["tool_call_id"], tool, about["args"], node=node, **how)


def _result(output: Any) -> Any:
    """The value of a tool; of a message that it returned, what is in it."""
    if not isinstance(output, Message):
        return json_value(output)
    values = [json_value(b.output) for b in output.content if isinstance(b, ToolResultBlock)]
    if not values:
        return output.text()
    return values[0] if len(values) == 1 else values
