"""Functions that answer piece by piece, and those that hand over all that was done."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any

import pytest

from tenxgraph_tui.evaluation.dataset import ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.execution import ExecutionResult, NodeResponseData, TokenUsage

Hold = Callable[..., Awaitable[ExecutionResult]]
Messages = list[dict[str, Any]]

WHO: contextvars.ContextVar[str] = contextvars.ContextVar("who", default="nobody")

REQUEST = {
    "role": "assistant",
    "content": "",
    "tool_calls": [
        {"id": "c", "type": "function", "function": {"name": "f", "arguments": {"x": 1}}}
    ],
}
RESULT = {"role": "tool", "tool_call_id": "c", "content": "2"}


def streams(*pieces: Any, returns: Any = None) -> dict[str, Callable[[Messages], Any]]:
    """The same pieces from a generator of each kind; an asynchronous one cannot return."""

    def generator(messages: Messages) -> Generator[Any, None, Any]:
        yield from pieces
        return returns

    async def asynchronous(messages: Messages) -> AsyncIterator[Any]:
        for piece in pieces:
            yield piece

    async def gives_a_generator(messages: Messages) -> Any:
        return generator(messages)

    found: dict[str, Callable[[Messages], Any]] = {
        "def": generator,
        "async def that gives one": gives_a_generator,
    }
    return found if returns is not None else {**found, "async": asynchronous}


def rows(what: str, answers: list[str], *pieces: Any, returns: Any = None) -> list[Any]:
    found = streams(*pieces, returns=returns)
    return [pytest.param(agent, answers, id=f"{what}, {kind}") for kind, agent in found.items()]


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        *rows("pieces of text are one answer", ["Hello you"], "Hel", "lo ", "you"),
        *rows("a message", ["ok"], {"role": "assistant", "content": "ok"}),
        *rows(
            "text before and after calls",
            ["wait", "", "2", "done"],
            "wa",
            "it",
            [REQUEST, RESULT],
            "done",
        ),
        *rows("calls, piece by piece", ["", "2", "done"], REQUEST, RESULT, "do", "ne"),
        *rows("nothing at all", []),
        *rows("what is returned is the answer", ["draft", "final"], "dra", "ft", returns="final"),
        *rows("the whole text is returned again", ["final"], "fin", "al", returns="final"),
        *rows("only returned", ["final"], returns=[{"role": "assistant", "content": "final"}]),
    ],
)
async def test_a_stream_is_an_answer(agent: Any, said: list[str], hold: Hold) -> None:
    execution = await hold(agent, "hi")
    assert [message["content"] for message in execution.messages] == ["hi", *said]
    assert execution.actual_response == (said[-1] if said else "")
    calls = [(call.name, call.args, call.result) for call in execution.tool_calls]
    assert calls == ([("f", {"x": 1}, "2")] if "2" in said else [])


async def test_what_is_streamed_is_recorded_before_the_stream_ends(
    attempt: Callable[..., Any],
) -> None:
    was_asked, may_end = asyncio.Event(), asyncio.Event()

    async def agent(messages: Messages) -> AsyncIterator[Any]:
        yield REQUEST
        was_asked.set()
        await may_end.wait()
        yield RESULT

    recorder, run = attempt(agent, "hi")
    task = asyncio.ensure_future(run)
    await asyncio.wait_for(was_asked.wait(), 30)
    assert [(call.name, call.result) for call in recorder.snapshot().tool_calls] == [("f", None)]
    may_end.set()
    assert [call.result for call in (await task).tool_calls] == ["2"]


async def test_a_generator_finds_again_what_it_set_in_its_context(hold: Hold) -> None:
    def agent(messages: Messages) -> Iterator[str]:
        WHO.set("somebody")
        yield "I am "
        yield WHO.get()

    assert (await hold(agent, "hi")).actual_response == "I am somebody"
    assert WHO.get() == "nobody"


async def test_a_stream_that_is_cancelled_is_closed(attempt: Callable[..., Any]) -> None:
    began, closed = asyncio.Event(), asyncio.Event()

    async def agent(messages: Messages) -> AsyncIterator[str]:
        try:
            yield "once"
            began.set()
            await asyncio.Event().wait()
        finally:
            closed.set()

    _, run = attempt(agent, "hi")
    task = asyncio.ensure_future(run)
    await asyncio.wait_for(began.wait(), 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert closed.is_set()


@pytest.mark.parametrize("agent", streams("so far", 3).values())
async def test_a_piece_that_is_no_answer_says_what_to_yield(agent: Any, hold: Hold) -> None:
    kept: list[ExecutionResult] = []
    with pytest.raises(TypeError, match="the agent returned an int"):
        await hold(agent, "hi", kept=kept)
    assert kept[0].actual_response == "so far"


async def test_a_stream_that_raises_keeps_what_was_said(hold: Hold) -> None:
    def agent(messages: Messages) -> Iterator[Any]:
        yield REQUEST
        raise LookupError("gone")

    kept: list[ExecutionResult] = []
    with pytest.raises(LookupError, match="gone"):
        await hold(agent, "hi", kept=kept)
    assert [call.name for call in kept[0].tool_calls] == ["f"]


def done(**more: Any) -> ExecutionResult:
    return ExecutionResult(
        tool_calls=[
            ToolCall(name="f", args={"x": 1}, result=2),
            ToolCall(name="f", args={"x": 2}, error="no"),
        ],
        node_visits=["MAIN", "TOOL"],
        node_responses=[
            NodeResponseData(
                node_name="MAIN", response_text="hm", token_usage=TokenUsage(5, 1), model="m"
            )
        ],
        actual_response="done",
        **more,
    )


@pytest.mark.parametrize(
    ("trajectory", "steps"),
    [
        pytest.param([], ["MAIN", "TOOL", "f", "f"], id="none"),
        pytest.param(
            [
                TrajectoryStep.node("MAIN"),
                TrajectoryStep.tool("f", {"x": 1}),
                TrajectoryStep.node("TOOL"),
            ],
            ["MAIN", "f", "TOOL", "f"],
            id="one that lacks a call",
        ),
    ],
)
async def test_a_function_may_return_all_that_was_done(
    trajectory: list[TrajectoryStep], steps: list[str], hold: Hold
) -> None:
    execution = await hold(lambda messages: done(trajectory=trajectory), "hi", "more")
    calls = [(call.name, call.args, call.result, call.error) for call in execution.tool_calls]
    assert calls == [("f", {"x": 1}, 2, None), ("f", {"x": 2}, None, "no")] * 2
    assert [step.name for step in execution.trajectory] == steps * 2
    assert execution.node_visits == ["MAIN", "TOOL"] * 2
    assert execution.responses() == ["done", "done"]
    assert execution.token_usage.total_tokens == 12
    assert [message["content"] for message in execution.messages] == ["hi", "done", "more", "done"]
