"""How an agent that is no graph says what it does: `record_tool_call` and `record_node`.

Outside an evaluation they do nothing, so they can stay in the code of an agent. They find the case
by the context: a thread that the agent starts by itself needs `contextvars.copy_context().run`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tenxgraph_tui.adapters.port import observer_of
from tenxgraph_tui.adapters.replies import usage_in
from tenxgraph_tui.errors import worded


def record_tool_call(
    name: str,
    args: Mapping[str, Any] | None = None,
    *,
    result: Any = None,
    error: BaseException | str | None = None,
    call_id: str | None = None,
) -> None:
    """Record a call of a tool that was just made, with its `result` or its `error`.

    Calls are compared in the order in which they are recorded. Record a call here or return it
    in messages with `tool_calls`, not both.

    Raises:
        TypeError: `name` is no text, or `args` is no mapping of argument names to values.
    """
    if not isinstance(name, str):
        raise TypeError(f"record_tool_call needs the name of a tool, not {name!r}")
    if args is not None and not isinstance(args, Mapping):
        raise TypeError(f'record_tool_call needs args such as {{"city": "Rome"}}, not {args!r}')
    observer = observer_of()
    if observer is not None:
        told = worded(error) if isinstance(error, BaseException) else error
        observer.outcome(call_id, name, dict(args or {}), result=result, error=told)


def record_node(
    name: str,
    *,
    response: str | None = None,
    usage: Any = None,
    model: str = "",
) -> None:
    """Record a visit of a node, a step of the agent's own; calls recorded next are made in it.

    `response` is what a model answered there and `usage` the tokens it took, in the names of its
    API or of `TokenUsage`. The answer of the turn stays what the agent returns: tokens that are
    told here should not be in the returned message too.

    Raises:
        TypeError: `name` is no text, or `usage` holds no numbers of tokens.
    """
    if not isinstance(name, str):
        raise TypeError(f"record_node needs the name of a node, not {name!r}")
    observer = observer_of()
    tokens = usage_in(usage)
    if observer is None:
        return
    observer.visit(name)
    observer.step_started(name)
    if response is not None or tokens is not None:
        said = {"role": "assistant", "content": response or "", "model": model}
        observer.message(name, said, usage=tokens, aside=True)
