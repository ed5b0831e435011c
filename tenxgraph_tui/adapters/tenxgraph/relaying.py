"""Telling a collector of what happens in one graph, though all graphs share a callback manager.

10xGraph asks the first manager that a process made, whichever graph runs. So who listens to a graph
is noted in the context of its runs, and one callback a manager passes things on.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from tenxgraph.utils.callbacks import CallbackContext, InvocationType

from tenxgraph_tui.adapters.tenxgraph.messages import result_of
from tenxgraph_tui.adapters.tenxgraph.private import NODE_NAME, register_first_on_error

log = logging.getLogger("tenxgraph_tui.adapters")

TOOL_KINDS = (InvocationType.TOOL, InvocationType.MCP, InvocationType.SKILL)


class Listener(Protocol):
    """Told of calls that ended, as a callback is."""

    async def __call__(self, context: Any, input_data: Any, output_data: Any) -> Any:
        """A node or a tool gave `output_data`."""

    async def failed(self, context: Any, input_data: Any, error: Exception) -> None:
        """A node or a tool raised."""


_listener: ContextVar[Listener | None] = ContextVar("tenxgraph_tui_listener", default=None)


def tell_of_runs(app: Any, listener: Listener) -> None:
    """Have `listener` told of every run of a compiled graph, whoever starts it."""
    ainvoke, astream = app.ainvoke, app.astream

    async def invoked(*args: Any, **named: Any) -> Any:
        with _listening(listener):
            return await ainvoke(*args, **named)

    async def streamed(*args: Any, **named: Any) -> AsyncIterator[Any]:
        chunks = aiter(astream(*args, **named))
        while True:
            with _listening(listener):  # not over a yield: the caller's context is not ours
                try:
                    chunk = await anext(chunks)
                except StopAsyncIteration:
                    return
            yield chunk

    app.ainvoke, app.astream = invoked, streamed


@contextmanager
def _listening(listener: Listener) -> Any:
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def relay_calls(manager: Any) -> None:
    """Pass on what the callbacks of a manager are told; nodes that end well are `relay_node`'s."""
    for kind in TOOL_KINDS:
        manager.register_after_invoke(kind, _returned)
    for kind in (InvocationType.AI, *TOOL_KINDS):
        register_first_on_error(manager, kind, _raised)


async def relay_node(node: str, config: dict[str, Any], step: int, messages: list[Any]) -> None:
    """Pass on what a node added: its own return value may be read only once, by the graph."""
    context = CallbackContext(
        invocation_type=InvocationType.AI,
        node_name=node,
        metadata={"config": {**config, NODE_NAME: node}, "step": step},
    )
    await _returned(context, None, messages)


async def _returned(context: Any, data: Any, output: Any) -> Any:
    if (listener := _listener.get()) is not None:
        try:
            told = result_of(output)[0] if context.invocation_type in TOOL_KINDS else output
            await listener(context, data, told)
        except Exception:
            log.exception("a collector failed; the run goes on")
    return output


async def _raised(context: Any, data: Any, error: Exception) -> None:
    if (listener := _listener.get()) is not None:
        await listener.failed(context, data, error)  # what it raises, the manager logs
