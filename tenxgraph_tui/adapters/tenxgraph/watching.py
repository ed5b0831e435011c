"""Telling the observer of an attempt what happens in a graph of 10xGraph.

The hooks are registered once on each callback manager that is in use, next to those of the user,
and find the attempt by the run id of each event: one graph can run many cases at the same time, and
any number of graphs may share a manager.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any
from weakref import WeakSet

from tenxgraph.utils.callbacks import GraphLifecycleHook, InvocationType

from tenxgraph_tui.adapters.observing import WRITTEN_BY, safely, tell_update
from tenxgraph_tui.adapters.port import RUN_PREFIX, Observer, observer_of
from tenxgraph_tui.adapters.tenxgraph.messages import ours, result_of
from tenxgraph_tui.adapters.tenxgraph.private import (
    NODE_NAME,
    container_of,
    is_shared_against_its_will,
    managers_of,
    register_first_on_error,
)
from tenxgraph_tui.adapters.tenxgraph.relaying import TOOL_KINDS, relay_calls, relay_node
from tenxgraph_tui.errors import worded
from tenxgraph_tui.graph.blocks import ToolResultBlock
from tenxgraph_tui.graph.constants import END, START
from tenxgraph_tui.graph.messages import Message, added
from tenxgraph_tui.graph.values import json_value

log = logging.getLogger("tenxgraph_tui.adapters")

_observed: WeakSet[Any] = WeakSet()
_told_of: WeakSet[Any] = WeakSet()
"""The containers whose graphs share a manager, when that was said."""


@dataclass(slots=True)
class _Run:
    """What is known of a run while it runs."""

    entered: set[str] = field(default_factory=set)
    """The nodes that run: a node is entered once, by whatever tells of it first."""
    reported: set[str] = field(default_factory=set)
    """The calls whose end a callback told of; their messages tell nothing new."""
    told: set[object] = field(default_factory=set)
    """The ids of the messages that nodes added."""
    last: str = ""
    """The node that was entered last."""


_runs: dict[str, _Run] = {}


def observe(app: Any) -> None:
    """Register the hooks with every manager of a compiled graph that has them not.

    Says so, once, where 10xGraph will not ask the callbacks that a graph was compiled with.
    """
    if is_shared_against_its_will(app) and (container := container_of(app)) not in _told_of:
        _told_of.add(container)
        log.warning(
            "10xGraph asks one callback manager in a process, the first that a graph was compiled "
            "with, whichever graph runs: callbacks given to the others are not called. Run eval "
            "sets of such graphs one by one"
        )
    for manager in managers_of(app):
        if manager not in _observed:
            _observed.add(manager)
            manager.register_lifecycle_hook(_Watch())
            manager.register_before_invoke(InvocationType.AI, _node_starts)
            for kind in TOOL_KINDS:
                manager.register_before_invoke(kind, _tool_starts)
                manager.register_after_invoke(kind, _tool_returned)
                register_first_on_error(manager, kind, _tool_raised)
            relay_calls(manager)


def forget(run_id: str) -> None:
    """A run of this id is over."""
    _runs.pop(run_id, None)


def tell_rest(observer: Observer, messages: Sequence[Message]) -> None:
    """Of what a run returned, the end that no node added: with what a callback recovered from."""
    run = _run(observer.run_id)
    rest = list(takewhile(lambda message: message.message_id not in run.told, reversed(messages)))
    if rest and run.last:
        tell_update(observer, run.last, messages[: -len(rest)], rest[::-1])


def _run(run_id: object) -> _Run:
    return _runs.setdefault(str(run_id), _Run())


def _enter(observer: Observer, run_id: object, node: str) -> None:
    entered = _run(run_id).entered
    if node not in entered and node not in {START, END}:
        entered.add(node)
        _run(run_id).last = node
        observer.visit(node)
        observer.step_started(node)


class _Watch(GraphLifecycleHook[Any]):  # type: ignore[misc]  # untyped: it may not be installed
    async def on_state_update(
        self, context: Any, node_name: str, old_state: Any, new_state: Any, step: int
    ) -> None:
        if node_name in {START, END}:
            return
        new = [ours(message) for message in added(old_state.context, new_state.context)]
        observer = observer_of(context.run_id)
        if observer is not None:
            _enter(observer, context.run_id, node_name)
            run = _run(context.run_id)
            run.entered.discard(node_name)
            run.told |= {message.message_id for message in new}
            for message in new:
                if _result_ids(message) & run.reported:
                    message.metadata.setdefault(WRITTEN_BY, node_name)
            if new:
                tell_update(observer, node_name, [*map(ours, old_state.context)], new)
        if any(message.role != "tool" for message in new):
            await relay_node(node_name, context.config, step, new)

    async def on_graph_end(self, context: Any, *told: Any, **named: Any) -> None:
        del told, named
        _forget_inner(context)

    async def on_graph_error(self, context: Any, *told: Any, **named: Any) -> None:
        del told, named
        _forget_inner(context)


def _forget_inner(context: Any) -> None:
    """A graph that a node ran under a run id of its own is over."""
    if not str(context.run_id).startswith(RUN_PREFIX):
        forget(context.run_id)


def _result_ids(message: Message) -> set[str]:
    return {block.call_id for block in message.content if isinstance(block, ToolResultBlock)}


def _node_starts(context: Any, data: Any) -> Any:
    def tell(observer: Observer, about: dict[str, Any]) -> None:
        _enter(observer, _run_id(about), _node(context, about))

    safely(context, tell)
    return data


def _tool_starts(context: Any, data: Any) -> Any:
    def tell(observer: Observer, about: dict[str, Any]) -> None:
        node, args = _node(context, about), about["args"]
        _enter(observer, _run_id(about), node)
        observer.step_started(
            node, tool=context.function_name, args=args, call_id=about["tool_call_id"]
        )

    safely(context, tell)
    return data


def _tool_returned(context: Any, data: Any, output: Any) -> Any:
    del data

    def tell(observer: Observer, about: dict[str, Any]) -> None:
        value, error = result_of(output)
        _ended(observer, context, about, result=json_value(value), error=error)

    safely(context, tell)
    return output


def _tool_raised(context: Any, data: Any, error: Exception) -> None:
    del data

    def tell(observer: Observer, about: dict[str, Any]) -> None:
        _enter(observer, _run_id(about), _node(context, about))
        _ended(observer, context, about, error=worded(error))

    safely(context, tell)


def _ended(observer: Observer, context: Any, about: dict[str, Any], **how: Any) -> None:
    name, node = context.function_name or "", _node(context, about)
    _run(_run_id(about)).reported.add(about["tool_call_id"])
    observer.outcome(about["tool_call_id"], name, about["args"], node=node, **how)


def _node(context: Any, about: dict[str, Any]) -> str:
    return str(about["config"].get(NODE_NAME) or context.node_name)


def _run_id(about: dict[str, Any]) -> object:
    return about["config"].get("run_id")
