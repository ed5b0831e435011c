"""How code that blocks is run beside an event loop, and what may come back from it."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from tenxgraph_tui.errors import worded

T = TypeVar("T")
P = ParamSpec("P")


class AgentThread(threading.Thread):
    """A daemon thread that runs one call of a user's function."""


def in_thread(function: Callable[..., T], *args: Any) -> asyncio.Future[T]:
    """Run `function(*args)` in a daemon thread of its own, with a copy of the current context.

    Never in the loop's executor: that has few workers, and the interpreter waits for them at exit.
    Cancelling the future leaves the thread running; its late result is dropped.
    """
    loop = asyncio.get_running_loop()
    context = contextvars.copy_context()
    done: asyncio.Future[T] = loop.create_future()

    def settle(how: Callable[[Any], None], value: object) -> None:
        def unless_given_up() -> None:
            if not done.done():
                how(value)

        try:
            loop.call_soon_threadsafe(unless_given_up)
        except RuntimeError:
            return  # the loop is closed: nobody waits any more

    def run() -> None:
        try:
            value = context.run(function, *args)
        except BaseException as error:  # noqa: BLE001 - a thread must hand over SystemExit too
            settle(done.set_exception, as_error(error))
        else:
            settle(done.set_result, value)

    name = getattr(function, "__name__", type(function).__name__)
    AgentThread(target=run, daemon=True, name=f"agent {name}").start()
    return done


class AgentThreads(ThreadPoolExecutor):
    """A loop's executor that keeps no call waiting: each gets a daemon thread of its own.

    Frameworks run blocking nodes and tools in the loop's executor. With the usual one, a few that
    hang would hold up all that come after them, and the end of the interpreter.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """See `Executor`. What would end the thread is handed over as it is."""
        done: Future[T] = Future()

        def run() -> None:
            if not done.set_running_or_notify_cancel():
                return
            try:
                value = fn(*args, **kwargs)
            except BaseException as error:  # noqa: BLE001 - a thread must hand over SystemExit too
                done.set_exception(error)
            else:
                done.set_result(value)

        AgentThread(target=run, daemon=True, name="agent").start()
        return done


def as_error(error: BaseException) -> Exception:
    """The error itself, or an ordinary one in the place of what would end a loop or a program."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    ordinary = RuntimeError(f"the agent raised {_shown(error)}")
    ordinary.__cause__ = error
    return ordinary


def _shown(error: BaseException) -> str:
    try:
        return repr(error)
    except Exception:  # noqa: BLE001 - of an agent's own class
        return worded(error)


def is_cancelled() -> bool:
    """Whether somebody asked the current task to stop, as opposed to code that raised by itself."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def is_async(function: object) -> bool:
    """Whether a call gives a coroutine, seen through `partial` and `__call__`."""
    while isinstance(function, functools.partial):
        function = function.func
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - asks what it is, not whether it is there
    )


async def call(function: Callable[..., Any], /, **arguments: Any) -> Any:
    """Call a user's function: on the loop when it is async, else in a thread of its own."""
    if is_async(function):
        return await function(**arguments)
    result = await in_thread(functools.partial(function, **arguments))
    return await result if inspect.isawaitable(result) else result
