from __future__ import annotations

import asyncio
import contextvars
import functools
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tenxgraph_tui.graph.threads import (
    AgentThread,
    AgentThreads,
    as_error,
    call,
    in_thread,
    is_async,
)

WHO: contextvars.ContextVar[str] = contextvars.ContextVar("who", default="nobody")


async def later(x: int = 0) -> int:
    return x


class Later:
    async def __call__(self, x: int = 0) -> int:
        return x

    async def method(self, x: int = 0) -> int:
        return x


def gives_coroutine(x: int = 0) -> Coroutine[Any, Any, int]:
    return later(x)


class Now:
    def __call__(self, x: int = 0) -> int:
        return x


@pytest.mark.parametrize(
    ("function", "answer"),
    [
        pytest.param(later, True, id="async def"),
        pytest.param(functools.partial(functools.partial(later, 1)), True, id="in partials"),
        pytest.param(Later(), True, id="an object with an async __call__"),
        pytest.param(Later().method, True, id="a method"),
        pytest.param(Now(), False, id="an object with a plain __call__"),
        pytest.param(
            gives_coroutine, False, id="a function that gives a coroutine: only the call tells"
        ),
        pytest.param(print, False, id="a builtin"),
    ],
)
def test_is_async(function: Callable[..., Any], answer: bool) -> None:
    assert is_async(function) is answer


@pytest.mark.parametrize(
    "function",
    [later, Later(), Now(), gives_coroutine, functools.partial(later)],
    ids=["async", "async object", "object", "gives a coroutine", "partial"],
)
async def test_call_gives_the_value_whatever_the_function_is(function: Any) -> None:
    assert await call(function, x=3) == 3


async def test_a_thread_sees_the_context_and_does_not_change_it() -> None:
    def look() -> tuple[str, bool]:
        found = WHO.get()
        WHO.set("thread")
        return found, isinstance(threading.current_thread(), AgentThread)

    WHO.set("case 1")
    assert await in_thread(look) == ("case 1", True)
    assert WHO.get() == "case 1"


def leave() -> None:
    raise SystemExit(2)


def stop() -> None:
    raise StopIteration


def fail() -> None:
    raise LookupError("x")


class Unspeakable(BaseException):
    def __str__(self) -> str:
        raise LookupError("no text")

    __repr__ = __str__


def say_nothing() -> None:
    raise Unspeakable


@pytest.mark.parametrize(
    ("function", "kind", "text"),
    [
        pytest.param(fail, LookupError, "x", id="an error is raised as it is"),
        pytest.param(leave, RuntimeError, "the agent raised SystemExit(2)", id="an exit is not"),
        pytest.param(stop, RuntimeError, "the agent raised StopIteration()", id="stop iteration"),
        pytest.param(
            say_nothing,
            RuntimeError,
            "the agent raised Unspeakable (its text cannot be had: __str__ raised LookupError)",
            id="what cannot even be printed is handed over too",
        ),
    ],
)
async def test_what_a_thread_raises(
    function: Callable[[], None], kind: type[Exception], text: str
) -> None:
    with pytest.raises(kind) as caught:
        await in_thread(function)
    assert str(caught.value) == text


def test_an_error_keeps_what_it_stands_for() -> None:
    interrupt = KeyboardInterrupt()
    assert as_error(interrupt).__cause__ is interrupt


def test_a_late_result_of_a_closed_loop_is_dropped() -> None:
    release = threading.Event()

    def late() -> None:
        release.wait(60)

    async def give_up() -> None:
        in_thread(late)

    asyncio.run(give_up())
    [thread] = [t for t in threading.enumerate() if isinstance(t, AgentThread) and "late" in t.name]
    release.set()
    thread.join(60)  # an exception in it would fail the test: warnings are errors
    assert not thread.is_alive()


async def test_an_executor_of_agent_threads_keeps_no_call_waiting() -> None:
    loop = asyncio.get_running_loop()
    all_there = threading.Barrier(40)
    with AgentThreads() as executor:
        waiting = [loop.run_in_executor(executor, all_there.wait, 60) for _ in range(40)]
        assert sorted(await asyncio.gather(*waiting)) == list(range(40))


@pytest.mark.parametrize("error", [ValueError("x"), SystemExit(3)], ids=["an error", "an exit"])
def test_an_executor_of_agent_threads_hands_over_what_was_raised(error: BaseException) -> None:
    def fails() -> None:
        raise error

    assert AgentThreads().submit(fails).exception(30) is error


def test_an_executor_of_agent_threads_does_not_wait_for_those_that_hang() -> None:
    may_end = threading.Event()
    with AgentThreads() as executor:
        hanging = executor.submit(may_end.wait, 60)
    assert not hanging.done()
    may_end.set()
    assert hanging.result(30)
