"""What 10xGraph has no public name for and we need, each with what is done where it is missing.

Measured on 10xgraph 0.10.3 with injectq 0.5.0; a test fails when one of these names disappears.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from injectq import InjectQ
from tenxgraph.utils.callbacks import CallbackManager

from tenxgraph_tui.adapters.threads import as_error

NODE_NAME = "_node_name"
"""The key of a run's config under which the running node stands; else a tool is in "ToolNode"."""


def container_of(app: Any) -> Any:
    """The container whose services a compiled graph uses; else that of the running context."""
    graph = getattr(app, "_state_graph", None)
    return getattr(graph, "_container", None) or InjectQ.get_instance()


def managers_of(app: Any) -> list[Any]:
    """Every callback manager that is asked while a graph runs, each once.

    The container gives out the first manager that it ever made, whatever `compile()` was given.
    Lifecycle hooks are read off the handlers, which are made when the graph is compiled; where they
    do not show, the container's manager is the only one.
    """
    handlers = (getattr(app, name, None) for name in ("_invoke_handler", "_stream_handler"))
    found = [container_of(app).get(CallbackManager)]
    for handler in handlers:
        manager = getattr(handler, "callback_mgr", None)
        if manager is not None and all(manager is not known for known in found):
            found.append(manager)
    return found


def is_shared_against_its_will(app: Any) -> bool:
    """Whether graphs were compiled with managers of their own of which only the first is asked.

    The container knows the last one it was given, but gives out the first. Where what it was given
    does not show, nothing is known of it.
    """
    container = container_of(app)
    binding = getattr(getattr(container, "_registry", None), "get_binding", None)
    given = getattr(binding(CallbackManager), "implementation", None) if binding else None
    return isinstance(given, CallbackManager) and given is not container.get(CallbackManager)


def register_first_on_error(manager: Any, kind: Any, callback: Any) -> None:
    """Have `callback` asked before those of the user.

    The last one's answer is what counts, so a callback of ours behind theirs would undo their
    recovery. Where the list does not show nothing is registered: a failed call is then recorded off
    its message, without the type of the exception.
    """
    callbacks = getattr(manager, "_error_callbacks", None)
    if isinstance(callbacks, dict) and kind in callbacks:
        callbacks[kind].insert(0, callback)


def guard(app: Any) -> None:
    """Have `SystemExit` and the like, raised in a node or a tool, be an ordinary error.

    Both run in tasks of 10xGraph's own, where they would stop the whole loop. Tools are registered
    under a name that does not show; without it only nodes are guarded.
    """
    for node in getattr(getattr(app, "_state_graph", None), "nodes", {}).values():
        if not hasattr(node.execute, _GUARDED):
            node.execute = _guarded(node.execute)
        functions = getattr(node.func, "_funcs", {})
        for name, function in functions.items():
            if not hasattr(function, _GUARDED):
                functions[name] = _guarded(function)


_GUARDED = "__tenxgraph_tui_guarded__"


def _guarded(function: Any) -> Any:
    """The function with the same name, signature and attributes; a sync one stays sync."""

    @functools.wraps(function)
    async def awaited(*args: Any, **named: Any) -> Any:
        try:
            return await function(*args, **named)
        except (SystemExit, KeyboardInterrupt) as error:
            raise as_error(error) from error

    @functools.wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except (SystemExit, KeyboardInterrupt) as error:
            raise as_error(error) from error

    guarded = awaited if inspect.iscoroutinefunction(function) else called
    setattr(guarded, _GUARDED, True)
    return guarded


@contextmanager
def within(container: Any) -> Iterator[None]:
    """What runs in this context gets its services from `container`.

    Only the context variable is set: `InjectQ.context()` sets a thread-local as well, which tasks
    that run at the same time leave behind for each other. Where the variable does not show, the
    process-wide container is used, as 10xGraph itself does.
    """
    variable = _current()
    if variable is None:
        yield
        return
    token = variable.set(container)
    try:
        yield
    finally:
        variable.reset(token)


def _current() -> Any:
    try:
        from injectq.core.context import ContainerContext
    except ImportError:
        return None
    return getattr(ContainerContext, "_context_var", None)
