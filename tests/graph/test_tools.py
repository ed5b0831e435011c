# Nodes, tools and callbacks get their arguments by name, used or not.
from __future__ import annotations

import asyncio
import contextvars
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tenxgraph_tui.graph import (
    AgentState,
    CallbackContext,
    CallbackManager,
    CompiledGraph,
    InvocationType,
    Message,
    StateGraph,
    ToolNode,
    ToolResultBlock,
)

Requests = Callable[..., Message]
Loop = Callable[..., StateGraph[AgentState]]
WHO: contextvars.ContextVar[str] = contextvars.ContextVar("who", default="nobody")


@dataclass
class Place:
    name: str


async def run(app: CompiledGraph[AgentState]) -> list[Message]:
    answer = await app.ainvoke({"messages": [Message.text_message("hi")]})
    return [message for message in answer["messages"] if message.role == "tool"]


def result(message: Message) -> ToolResultBlock:
    block = message.content[0]
    assert isinstance(block, ToolResultBlock)
    return block


def number() -> float:
    return 3.5


async def mapping() -> dict[str, list[int]]:
    return {"k": [1, 2]}


def nothing() -> None: ...


def place() -> Place:
    return Place("Oslo")


def odd() -> object:
    return {1, 2, 3}


def not_a_number() -> float:
    return float("nan")


@pytest.mark.parametrize(
    ("tool", "output"),
    [
        pytest.param(number, 3.5, id="a float of a sync tool"),
        pytest.param(mapping, {"k": [1, 2]}, id="a dict of an async tool"),
        pytest.param(nothing, None, id="nothing"),
        pytest.param(place, {"name": "Oslo"}, id="a dataclass"),
        pytest.param(odd, [1, 2, 3], id="a set"),
        pytest.param(not_a_number, "NaN", id="no number"),
    ],
)
async def test_results_stay_json_values(
    tool: Callable[..., Any], output: Any, asks: Requests, loop_of: Loop
) -> None:
    [message] = await run(loop_of([tool], asks((tool.__name__, {})), "done").compile())
    block = result(message)
    assert (block.call_id, block.output, block.is_error) == ("c1", output, False)
    json.dumps(block.output, allow_nan=False)


async def test_calls_of_one_message_run_together_and_answer_in_the_order_of_asking(
    asks: Requests, loop_of: Loop
) -> None:
    finished: list[str] = []
    second_is_done = asyncio.Event()

    async def first() -> str:
        await second_is_done.wait()  # hangs for ever if the calls run one after the other
        finished.append("first")
        return "1"

    async def second() -> str:
        finished.append("second")
        second_is_done.set()
        return "2"

    app = loop_of([first, second], asks(("first", {}), ("second", {})), "done").compile()
    messages = await asyncio.wait_for(run(app), 30)
    assert finished == ["second", "first"]
    assert [result(m).output for m in messages] == ["1", "2"]


async def test_sync_tools_run_in_threads_with_the_context(asks: Requests, loop_of: Loop) -> None:
    where: list[tuple[str, bool, bool]] = []
    both = threading.Barrier(2)

    def look() -> None:
        both.wait(30)  # two at a time, or never
        thread = threading.current_thread()
        where.append((WHO.get(), thread.daemon, thread is threading.main_thread()))

    WHO.set("case 1")
    await run(loop_of([look], asks(("look", {}), ("look", {})), "done").compile())
    assert where == [("case 1", True, False)] * 2


def broken() -> str:
    raise ZeroDivisionError("by zero")


def leaves() -> str:
    raise SystemExit(3)


async def leaves_later() -> str:
    raise SystemExit(3)


async def gives_up() -> str:
    raise asyncio.CancelledError


def stops() -> str:
    raise StopIteration


@pytest.mark.parametrize(
    ("tools", "call", "text"),
    [
        pytest.param([broken], ("broken", {}), "ZeroDivisionError: by zero", id="it raises"),
        pytest.param([leaves], ("leaves", {}), "the agent raised SystemExit(3)", id="sync exit"),
        pytest.param(
            [leaves_later], ("leaves_later", {}), "the agent raised SystemExit(3)", id="async exit"
        ),
        pytest.param([gives_up], ("gives_up", {}), "raised CancelledError()", id="cancels itself"),
        pytest.param([stops], ("stops", {}), "raised StopIteration()", id="stop iteration"),
        pytest.param(
            [broken], ("delete", {}), "there is no tool 'delete'; the tools are: broken", id="name"
        ),
        pytest.param([number], ("number", "{"), "not valid JSON", id="broken arguments"),
        pytest.param(
            [number], ("number", "[1]"), "must be a JSON object", id="a list of arguments"
        ),
        pytest.param([number], ("number", {"x": 1}), "has no parameter 'x'", id="unknown argument"),
    ],
)
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside another call"])
async def test_a_call_that_fails_is_told_to_the_model_and_the_run_goes_on(
    tools: list[Callable[..., Any]],
    call: tuple[str, Any],
    text: str,
    beside: bool,
    asks: Requests,
    loop_of: Loop,
) -> None:
    calls = [call, ("mapping", {})] if beside else [call]
    messages = await run(loop_of([*tools, mapping], asks(*calls), "done").compile())
    failed = result(messages[0])
    assert failed.is_error
    assert failed.status == "failed"
    assert text in str(failed.output)
    if beside:
        assert result(messages[1]).output == {"k": [1, 2]}


async def test_failures_reach_the_error_callbacks(asks: Requests, loop_of: Loop) -> None:
    failures: list[tuple[str | None, str]] = []

    def note(context: CallbackContext, data: Any, error: Exception) -> None:
        failures.append((context.function_name, type(error).__name__))

    callbacks = CallbackManager()
    callbacks.register_on_error(InvocationType.TOOL, note)
    calls = asks(("broken", {}), ("unknown", {}), ("number", "{"))
    await run(loop_of([broken, number], calls, "done").compile(callback_manager=callbacks))
    assert sorted(failures, key=str) == [
        ("broken", "ZeroDivisionError"),
        ("number", "ValueError"),
        ("unknown", "LookupError"),
    ]


async def test_a_callback_can_recover_a_failed_tool(asks: Requests, loop_of: Loop) -> None:
    def recover(context: CallbackContext, data: Any, error: Exception) -> Message:
        return Message.text_message("use the old value")

    callbacks = CallbackManager()
    callbacks.register_on_error(InvocationType.TOOL, recover)
    callbacks.register_on_error(InvocationType.TOOL, lambda *_: None)
    app = loop_of([broken], asks(("broken", {})), "done").compile(callback_manager=callbacks)
    [message] = await run(app)
    assert (result(message).output, result(message).is_error) == ("use the old value", False)
    assert result(message).call_id == "c1"


async def test_callbacks_may_change_arguments_and_output(asks: Requests, loop_of: Loop) -> None:
    async def double(n: int) -> int:
        return n * 2

    callbacks = CallbackManager()
    callbacks.register_before_invoke(InvocationType.TOOL, lambda _, data: {"n": data["n"] + 1})
    callbacks.register_after_invoke(InvocationType.TOOL, lambda _, __, output: f"<{output}>")
    app = loop_of([double], asks(("double", {"n": 1})), "done").compile(callback_manager=callbacks)
    [message] = await run(app)
    assert result(message).output == "<4>"


async def test_what_a_callback_is_told(asks: Requests, loop_of: Loop) -> None:
    told: list[CallbackContext] = []

    def note(context: CallbackContext, data: Any) -> Any:
        told.append(context)
        return data

    def look(q: str, state: AgentState, config: dict[str, Any]) -> str:
        return q

    callbacks = CallbackManager()
    callbacks.register_before_invoke(InvocationType.TOOL, note)
    app = loop_of([look], asks(("look", {"q": "x"})), "done").compile(callback_manager=callbacks)
    hi = {"messages": [Message.text_message("hi")]}
    await app.ainvoke(hi, {"run_id": "r", "thread_id": "t"})
    [context] = told
    assert (context.node_name, context.function_name) == ("TOOL", "look")
    about = context.metadata or {}
    config = about.pop("config")
    assert about == {"args": {"q": "x"}, "tool_call_id": "c1", "step": 2}
    assert (config["run_id"], config["thread_id"], config["_node_name"]) == ("r", "t", "TOOL")


async def test_cancelling_the_run_cancels_its_tools(asks: Requests, loop_of: Loop) -> None:
    cancelled: list[str] = []
    started = asyncio.Event()

    async def waits(name: str) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(name)
            raise

    calls = asks(("waits", {"name": "a"}), ("waits", {"name": "b"}))
    task = asyncio.create_task(run(loop_of([waits], calls, "done").compile()))
    await started.wait()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sorted(cancelled) == ["a", "b"]


async def test_a_cancelled_run_does_not_wait_for_a_thread(asks: Requests, loop_of: Loop) -> None:
    started, release = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def stuck() -> None:
        loop.call_soon_threadsafe(started.set)
        release.wait(60)

    task = asyncio.create_task(run(loop_of([stuck], asks(("stuck", {})), "done").compile()))
    await started.wait()
    began = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - began < 30
    release.set()


async def test_tools_are_described_the_same_on_a_loop() -> None:
    tools = ToolNode([number, broken])
    assert await tools.all_tools() == tools.all_tools_sync() == tools.get_local_tool()


def test_a_tool_is_described_by_its_signature_without_what_is_injected() -> None:
    def book(city: str, nights: int = 1, *, state: AgentState, tool_call_id: str) -> str:
        """Book a room."""
        return city

    [schema] = ToolNode([book]).all_tools_sync()
    function = schema["function"]
    assert (function["name"], function["description"]) == ("book", "Book a room.")
    assert set(function["parameters"]["properties"]) == {"city", "nights"}
    assert function["parameters"]["required"] == ["city"]


async def test_a_tool_may_return_its_message(asks: Requests, loop_of: Loop) -> None:
    def raw(tool_call_id: str) -> Message:
        return Message.tool_message([ToolResultBlock(call_id=tool_call_id, output=[1, 2])])

    [message] = await run(loop_of([raw], asks(("raw", {})), "done").compile())
    assert (result(message).call_id, result(message).output) == ("c1", [1, 2])
