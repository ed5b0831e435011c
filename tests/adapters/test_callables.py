from __future__ import annotations

import asyncio
import contextvars
import functools
import json
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tenxgraph_tui.adapters import runnable_of
from tenxgraph_tui.adapters.callables import CallableAgent
from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.execution import ExecutionResult, TokenUsage
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.graph import Message, TokenUsages

Hold = Callable[..., Awaitable[ExecutionResult]]
Attempt = Callable[..., tuple[Recorder, Awaitable[ExecutionResult]]]
Messages = list[dict[str, Any]]

WHO: contextvars.ContextVar[str] = contextvars.ContextVar("who", default="nobody")


def shout(text: str) -> str:
    return text.upper()


async def shout_later(text: str) -> str:
    return text.upper()


def count(messages: Messages) -> str:
    return str(len(messages))


def gives_coroutine(text: str) -> Any:
    return shout_later(text)


class Agent:
    async def __call__(self, text: str) -> str:
        return text.upper()


class Plain:
    def __call__(self, text: str) -> str:
        return text.upper()

    def method(self, text: str) -> str:
        return text.upper()


@pytest.mark.parametrize(
    "agent",
    [
        pytest.param(shout, id="def"),
        pytest.param(shout_later, id="async def"),
        pytest.param(gives_coroutine, id="def that gives a coroutine"),
        pytest.param(functools.partial(shout_later), id="partial"),
        pytest.param(Agent(), id="an object with an async __call__"),
        pytest.param(Plain(), id="an object with a plain __call__"),
        pytest.param(Plain().method, id="a method"),
    ],
)
async def test_any_kind_of_function_answers(agent: Any, hold: Hold) -> None:
    execution = await hold(agent, "hi")
    assert execution.actual_response == "HI"
    assert [m["role"] for m in execution.messages] == ["user", "assistant"]


async def test_on_the_third_turn_a_function_sees_five_messages(hold: Hold) -> None:
    assert (await hold(count, "yes", "yes", "yes")).responses() == ["1", "3", "5"]


async def test_a_function_of_a_text_gets_what_the_user_said_last(hold: Hold) -> None:
    assert (await hold(shout, "one", "two")).responses() == ["ONE", "TWO"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param([{"type": "text", "text": "one"}, {"text": "two"}], "ONE TWO", id="blocks"),
        pytest.param([], "", id="nothing"),
    ],
)
async def test_a_function_of_a_text_gets_the_texts_of_blocks(
    content: list[dict[str, Any]], text: str, attempt: Attempt
) -> None:
    recorder, run = attempt(shout, "replaced below")
    runnable = runnable_of(shout)
    assert runnable is not None
    answer = await runnable.invoke([{"role": "user", "content": content}], {}, recorder, {})
    assert answer.messages == ({"role": "assistant", "content": text},)
    await run


def test_a_builtin_without_a_signature_gets_messages() -> None:
    assert isinstance(runnable_of(dict.fromkeys), CallableAgent)


async def test_messages_are_as_a_models_api_takes_them(hold: Hold) -> None:
    seen: list[Messages] = []

    def agent(messages: Messages) -> list[dict[str, Any]]:
        seen.append(json.loads(json.dumps(messages)))
        call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": {"x": 1}}}
        return [
            {"role": "assistant", "content": None, "tool_calls": [call], "usage": {}},
            {"role": "tool", "tool_call_id": "c1", "content": "2"},
            {"role": "assistant", "content": "two"},
        ]

    await hold(agent, "one", "more")
    assert seen[0] == [{"role": "user", "content": "one"}]
    assert [set(message) for message in seen[1]] == [
        {"role", "content"},
        {"role", "content", "tool_calls"},
        {"role", "content", "tool_call_id"},
        {"role", "content"},
        {"role", "content"},
    ]
    assert seen[1][1]["tool_calls"][0]["function"]["arguments"] == '{"x": 1}'


def request(name: str, args: Any, call_id: str = "c1") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": args}}


def result(content: Any, call_id: str = "c1", **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


@pytest.mark.parametrize(
    ("returned", "calls"),
    [
        pytest.param(
            [
                {"role": "assistant", "tool_calls": [request("find", '{"q": "x"}')]},
                result('{"rows": [1]}'),
                "done",
            ],
            [("find", {"q": "x"}, {"rows": [1]}, None)],
            id="a call with JSON arguments and a JSON result",
        ),
        pytest.param(
            [
                {"tool_calls": [request("a", {}, "1"), request("b", {}, "2")]},
                result("late", "2"),
                result("early", "1"),
                "done",
            ],
            [("a", {}, "early", None), ("b", {}, "late", None)],
            id="results in another order",
        ),
        pytest.param(
            [
                {"tool_calls": [request("a", {"n": 1})]},
                result("one"),
                {"tool_calls": [request("b", {"n": 2})]},
                result("two"),
                "done",
            ],
            [("a", {"n": 1}, "one", None), ("b", {"n": 2}, "two", None)],
            id="an id that is used twice",
        ),
        pytest.param(
            [{"tool_calls": [request("a", {})]}, result("no such row", is_error=True), "done"],
            [("a", {}, None, "no such row")],
            id="a failed call",
        ),
        pytest.param(
            [{"tool_calls": [request("a", {})]}, result("[sic]"), "done"],
            [("a", {}, "[sic]", None)],
            id="a text that only looks like JSON",
        ),
        pytest.param(
            [result("from nowhere", "c9"), "done"], [], id="a result that nobody asked for"
        ),
        pytest.param(
            [{"tool_calls": [request("a", {})]}, "done"], [("a", {}, None, None)], id="no result"
        ),
    ],
)
async def test_tool_calls_in_the_answer_are_recorded(
    returned: list[Any], calls: list[Any], hold: Hold
) -> None:
    execution = await hold(lambda messages: returned, "hi")
    found = [(call.name, call.args, call.result, call.error) for call in execution.tool_calls]
    assert found == calls
    assert execution.actual_response == "done"


@pytest.mark.parametrize(
    "usage",
    [
        {
            "prompt_tokens": 9,
            "completion_tokens": 2,
            "prompt_tokens_details": {"cached_tokens": 3},
        },
        {"input_tokens": 9, "output_tokens": 2, "cache_read_tokens": 3},
        TokenUsage(9, 2, 3),
    ],
    ids=["OpenAI's names", "our names", "an object"],
)
async def test_tokens_of_a_message_are_counted(usage: Any, hold: Hold) -> None:
    async def agent(messages: Messages) -> dict[str, Any]:
        assert len(messages) in {1, 3}
        return {"role": "assistant", "content": "ok", "usage": usage}

    execution = await hold(agent, "hi", "and again")
    total = execution.token_usage
    assert (total.input_tokens, total.output_tokens, total.cache_read_tokens) == (18, 4, 6)
    assert all("usage" not in message for message in execution.messages)


async def test_the_model_of_an_answer_is_recorded_and_not_sent_back_to_it(hold: Hold) -> None:
    seen: list[Messages] = []

    def agent(messages: Messages) -> dict[str, Any]:
        seen.append(messages)
        return {"role": "assistant", "content": "ok", "model": "gpt-4o-mini"}

    execution = await hold(agent, "one", "two")
    assert [reply.model for reply in execution.node_responses] == ["gpt-4o-mini"] * 2
    assert all("model" not in message for message in seen[1])


async def test_a_function_may_return_messages_of_the_embedded_graph(hold: Hold) -> None:
    def agent(text: str) -> Message:
        message = Message.text_message(text.upper(), role="assistant")
        message.usages = TokenUsages(prompt_tokens=5, completion_tokens=1, total_tokens=6)
        return message

    execution = await hold(agent, "hi")
    assert (execution.actual_response, execution.token_usage.total_tokens) == ("HI", 6)


def appended(messages: Messages) -> Messages:
    messages.append({"role": "assistant", "content": "new"})
    return messages


@pytest.mark.parametrize(
    "agent",
    [
        pytest.param(appended, id="the list it was given, grown"),
        pytest.param(lambda m: [*m, {"role": "assistant", "content": "new"}], id="a list with it"),
    ],
)
async def test_a_conversation_that_is_returned_whole_is_not_recorded_twice(
    agent: Any, hold: Hold
) -> None:
    execution = await hold(agent, "yes", "yes")
    assert execution.responses() == ["new", "new"]
    assert len(execution.messages) == 4


@pytest.mark.parametrize(
    ("returned", "kind", "reason"),
    [
        pytest.param(None, TypeError, "the agent returned None; return a text", id="none"),
        pytest.param(3, TypeError, "the agent returned an int", id="a number"),
        pytest.param([[]], TypeError, "the agent returned a list", id="a list in a list"),
        pytest.param({"text": "x"}, ValueError, 'without "content"', id="no content"),
        pytest.param({"role": "bot", "content": ""}, ValueError, "of role 'bot'", id="a role"),
        pytest.param({"tool_calls": [{"name": "f"}]}, ValueError, "the tool call", id="a call"),
    ],
)
@pytest.mark.parametrize("is_async", [False, True], ids=["def", "async def"])
async def test_an_answer_that_is_none_says_what_to_return(
    returned: Any, kind: type[Exception], reason: str, is_async: bool, hold: Hold
) -> None:
    async def later(messages: Messages) -> Any:
        return returned if messages else None

    with pytest.raises(kind, match=reason):
        await hold(later if is_async else lambda messages: returned, "hi")


def exits(text: str) -> str:
    raise SystemExit(text)


async def exits_later(text: str) -> str:
    raise SystemExit(text)


def interrupts(text: str) -> str:
    raise KeyboardInterrupt(text)


def stops(text: str) -> str:
    raise StopIteration(text)


async def gives_up(text: str) -> str:
    raise asyncio.CancelledError(text)


@pytest.mark.parametrize(
    "agent", [exits, exits_later, interrupts, stops, gives_up], ids=lambda agent: agent.__name__
)
async def test_what_would_end_a_program_is_an_ordinary_error(agent: Any, hold: Hold) -> None:
    with pytest.raises(RuntimeError, match=r"the agent raised \w+\('hi'\)"):
        await asyncio.ensure_future(hold(agent, "hi"))


async def test_an_error_is_raised_as_it_is(hold: Hold) -> None:
    def fails(messages: Messages) -> str:
        raise LookupError(len(messages))

    with pytest.raises(LookupError, match="1"):
        await hold(fails, "hi")


async def test_a_plain_function_runs_in_a_daemon_thread_with_the_context(hold: Hold) -> None:
    where: list[tuple[str, bool, bool]] = []

    def look(text: str) -> str:
        thread = threading.current_thread()
        where.append((WHO.get(), thread.daemon, thread is threading.main_thread()))
        return text

    WHO.set("case 1")
    await hold(look, "hi")
    assert where == [("case 1", True, False)]


async def test_ten_blocking_functions_run_at_the_same_time(hold: Hold) -> None:
    all_there = threading.Barrier(10)

    def agent(text: str) -> str:
        all_there.wait(60)  # fewer than ten at a time would wait for ever
        return text

    executions = await asyncio.gather(*(hold(agent, str(n)) for n in range(10)))
    assert [e.actual_response for e in executions] == [str(n) for n in range(10)]


@pytest.mark.parametrize(
    "agent",
    [
        pytest.param(lambda messages, config: "hi", id="one too many"),
        pytest.param(lambda *, messages: "hi", id="only by its name"),
        pytest.param(lambda: "hi", id="none"),
    ],
)
def test_a_function_that_cannot_be_called_with_the_messages_says_so(agent: Any) -> None:
    with pytest.raises(TargetError, match="cannot be called with one argument, the messages"):
        runnable_of(agent)


@pytest.mark.parametrize("usage", ["many", 3], ids=repr)
async def test_tokens_that_are_none_say_what_to_write(usage: Any, hold: Hold) -> None:
    def agent(messages: Messages) -> Any:
        return {"role": "assistant", "content": "ok", "usage": usage}

    with pytest.raises(TypeError, match="the usage of a message is"):
        await hold(agent, "hi")


async def test_session_state_for_a_function_is_reported(
    hold: Hold, caplog: pytest.LogCaptureFixture
) -> None:
    await hold(shout, "hi", state={"locale": "fr"})
    assert "a plain function has no state" in caplog.text
