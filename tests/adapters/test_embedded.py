# Nodes and tools get their arguments by name, used or not.

from __future__ import annotations

import asyncio
import contextvars
import logging
import random
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tenxgraph_tui.adapters import runnable_of
from tenxgraph_tui.adapters.observing import observe
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.graph import (
    END,
    AgentState,
    CallbackManager,
    GraphRecursionError,
    InMemoryCheckpointer,
    InvocationType,
    Message,
    StateGraph,
    TokenUsages,
    ToolNode,
    ToolResultBlock,
)

Hold = Callable[..., Awaitable[ExecutionResult]]
Attempt = Callable[..., tuple[Recorder, Awaitable[ExecutionResult]]]
Asks = Callable[..., Message]
Loop = Callable[..., StateGraph[AgentState]]


class Profile(AgentState):
    locale: str = "en"


def one_node(func: Callable[..., Any], state: Any = None) -> StateGraph[Any]:
    return StateGraph(state).add_node("MAIN", func).set_entry_point("MAIN").add_edge("MAIN", END)


def weather(city: str) -> dict[str, Any]:
    return {"city": city, "celsius": 3.5}


async def forecast(city: str) -> dict[str, Any]:
    return weather(city)


async def alerts(city: str) -> list[str]:
    return []


def broken() -> None:
    raise ZeroDivisionError("by zero")


def leaves() -> None:
    raise SystemExit(3)


def called(execution: ExecutionResult) -> list[tuple[str, dict[str, Any], Any, str | None]]:
    return [(call.name, call.args, call.result, call.error) for call in execution.tool_calls]


async def test_a_loop_of_model_and_tools_is_recorded(hold: Hold, asks: Asks, loop_of: Loop) -> None:
    ask = asks(("weather", {"city": "Oslo"}), ("alerts", {"city": "Oslo"}))
    ask.usages = TokenUsages(
        prompt_tokens=10, completion_tokens=2, total_tokens=12, cache_read_input_tokens=4
    )
    execution = await hold(loop_of([weather, alerts], ask, "3.5 °C, no alerts"), "Oslo?")
    assert execution.node_visits == ["MAIN", "TOOL", "MAIN"]
    assert called(execution) == [
        ("weather", {"city": "Oslo"}, {"city": "Oslo", "celsius": 3.5}, None),
        ("alerts", {"city": "Oslo"}, [], None),
    ]
    assert execution.actual_response == "3.5 °C, no alerts"
    assert [m["role"] for m in execution.messages] == [
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
    ]
    usage = execution.token_usage
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens) == (10, 2, 4)


async def test_a_model_call_is_recorded_with_what_the_model_saw(
    hold: Hold, asks: Asks, loop_of: Loop
) -> None:
    execution = await hold(loop_of([weather], asks(("weather", {"city": "Oslo"})), "3.5"), "Oslo?")
    first, last = execution.node_responses
    assert [m["role"] for m in first.input_messages] == ["user"]
    assert [m["role"] for m in last.input_messages] == ["user", "assistant", "tool"]
    assert (first.has_tool_calls, first.tool_call_names, last.is_final) == (True, ["weather"], True)


async def test_the_model_is_read_off_the_message_or_the_raw_answer(
    hold: Hold, loop_of: Loop
) -> None:
    named, raw, neither = (Message.text_message("hi", "assistant") for _ in range(3))
    named.metadata["model"] = "gpt-4o"
    raw.raw = {"model": "gemini-2.5-flash", "choices": []}
    neither.raw = {"model": None}
    for message, model in ((named, "gpt-4o"), (raw, "gemini-2.5-flash"), (neither, "")):
        execution = await hold(loop_of([], message), "hi")
        assert [reply.model for reply in execution.node_responses] == [model]


@pytest.mark.parametrize("together", [False, True], ids=["on two steps", "in one message"])
async def test_a_repeated_call_id_names_two_calls(
    together: bool, hold: Hold, asks: Asks, loop_of: Loop
) -> None:
    oslo, bergen = ("forecast", {"city": "Oslo"}), ("forecast", {"city": "Bergen"})
    if together:
        asked = [asks(oslo, bergen, ids="call_1 call_1")]
    else:
        asked = [asks(oslo, ids="call_1"), asks(bergen, ids="call_1")]
    execution = await hold(loop_of([forecast], *asked, "done"), "hi")
    assert [(args["city"], result["city"]) for _, args, result, _ in called(execution)] == [
        ("Oslo", "Oslo"),
        ("Bergen", "Bergen"),
    ]


async def test_a_repeated_message_id_hides_no_answer(hold: Hold, asks: Asks, loop_of: Loop) -> None:
    ask, answer = asks(("weather", {"city": "Oslo"})), Message.text_message("done", "assistant")
    ask.message_id = answer.message_id = "resp_1"
    execution = await hold(loop_of([weather], ask, answer), "hi")
    assert execution.actual_response == "done"
    assert len(execution.messages) == 4


async def test_calls_stand_in_the_order_of_asking_not_of_finishing(
    hold: Hold, asks: Asks, loop_of: Loop
) -> None:
    finished: list[str] = []
    last_is_done = asyncio.Event()

    async def slow() -> str:
        await last_is_done.wait()
        finished.append("slow")
        return "s"

    async def quick() -> str:
        finished.append("quick")
        last_is_done.set()
        return "q"

    execution = await hold(loop_of([slow, quick], asks(("slow", {}), ("quick", {})), "done"), "hi")
    assert finished == ["quick", "slow"]
    assert called(execution) == [("slow", {}, "s", None), ("quick", {}, "q", None)]


@pytest.mark.parametrize(
    ("call", "args", "error"),
    [
        pytest.param(("delete", {"id": 1}), {"id": 1}, "there is no tool 'delete'", id="unknown"),
        pytest.param(("broken", {}), {}, "ZeroDivisionError: by zero", id="it raises"),
        pytest.param(("leaves", {}), {}, "the agent raised SystemExit(3)", id="it exits"),
        pytest.param(
            ("weather", '{"city": '), {"arguments": '{"city": '}, "not valid JSON", id="broken JSON"
        ),
        pytest.param(("weather", {}), {}, "weather() needs 'city'", id="a missing argument"),
    ],
)
async def test_a_call_that_fails_is_evidence_and_the_run_goes_on(
    call: tuple[str, Any], args: dict[str, Any], error: str, hold: Hold, asks: Asks, loop_of: Loop
) -> None:
    execution = await hold(loop_of([weather, broken, leaves], asks(call), "sorry"), "hi")
    [made] = execution.tool_calls
    assert (made.name, made.args, made.result) == (call[0], args, None)
    assert made.error is not None
    assert error in made.error
    assert execution.actual_response == "sorry"
    assert execution.node_visits == ["MAIN", "TOOL", "MAIN"]


async def test_arguments_with_reserved_names_are_kept_and_injected_ones_are_not(
    hold: Hold, asks: Asks, loop_of: Loop
) -> None:
    def tax(state: str, config: str, tool_call_id: str) -> str:
        return f"{state} {config} {tool_call_id}"

    def look(q: str, state: AgentState, config: dict[str, Any]) -> int:
        return len(state.context)

    reserved = {"state": "CA", "config": "prod", "tool_call_id": "mine"}
    asked = asks(("tax", reserved), ("look", {"q": "x"}))
    execution = await hold(loop_of([tax, look], asked, "done"), "hi")
    assert called(execution) == [
        ("tax", reserved, "CA prod mine", None),
        ("look", {"q": "x"}, 2, None),
    ]


def in_place(state: AgentState) -> AgentState:
    state.context.append(Message.text_message("changed in place", role="assistant"))
    return state


@pytest.mark.parametrize(
    ("node", "answer"),
    [
        pytest.param(in_place, "changed in place", id="a state that was changed in place"),
        pytest.param(lambda s: Message.text_message("mine"), "mine", id="a message of role user"),
        pytest.param(lambda s: ["first", "last"], "last", id="the last of a list"),
        pytest.param(lambda s: "text", "text", id="a text"),
        pytest.param(lambda s: None, "", id="no message at all"),
    ],
)
async def test_the_answer_is_the_last_message_whatever_it_is(
    node: Callable[..., Any], answer: str, hold: Hold
) -> None:
    execution = await hold(one_node(node), "hi")
    assert (execution.actual_response, execution.node_visits) == (answer, ["MAIN"])


async def test_tool_messages_that_a_function_wrote_fill_the_calls(hold: Hold, asks: Asks) -> None:
    def tools(state: AgentState) -> Message:
        blocks = [
            ToolResultBlock(call_id="c1", output={"a": 1}),
            ToolResultBlock(call_id="c2", output="no such id", is_error=True),
        ]
        return Message.tool_message(blocks)

    graph = (
        StateGraph()
        .add_node("MAIN", lambda s: asks(("find", {"q": "x"}), ("drop", {"id": 2})))
        .add_node("BY_HAND", tools)
        .add_node("SAY", lambda s: "done")
        .set_entry_point("MAIN")
        .add_edge("MAIN", "BY_HAND")
        .add_edge("BY_HAND", "SAY")
        .add_edge("SAY", END)
    )
    assert called(await hold(graph, "hi")) == [
        ("find", {"q": "x"}, {"a": 1}, None),
        ("drop", {"id": 2}, None, "no such id"),
    ]


@pytest.mark.parametrize(
    ("message", "result"),
    [
        pytest.param(
            Message.tool_message([ToolResultBlock(call_id="c1", output=[1])]), [1], id="a result"
        ),
        pytest.param(
            Message.tool_message([ToolResultBlock(call_id="c1", output=n) for n in (1, 2)]),
            [1, 2],
            id="two results",
        ),
        pytest.param(Message.text_message("plain"), "plain", id="a text"),
    ],
)
async def test_of_a_message_that_a_tool_returned_the_value_is_recorded(
    message: Message, result: Any, hold: Hold, asks: Asks, loop_of: Loop
) -> None:
    def raw() -> Message:
        return message

    execution = await hold(loop_of([raw], asks(("raw", {})), "done"), "hi")
    assert called(execution) == [("raw", {}, result, None)]


@pytest.mark.parametrize(
    ("kind", "calls"),
    [
        pytest.param(InvocationType.AI, [], id="of a node"),
        pytest.param(
            InvocationType.TOOL,
            [("broken", {}, None, "ZeroDivisionError: by zero")],
            id="of a tool",
        ),
    ],
)
async def test_recovering_from_an_error_still_works(
    kind: InvocationType, calls: list[Any], hold: Hold, asks: Asks, loop_of: Loop
) -> None:
    callbacks = CallbackManager()
    callbacks.register_on_error(kind, lambda *_: Message.text_message("recovered", "assistant"))
    if kind is InvocationType.AI:
        graph: StateGraph[Any] = one_node(lambda s: 1 // 0)
    else:
        answers = (asks(("broken", {})), "recovered")
        graph = loop_of([broken], *answers)
    execution = await hold(graph.compile(callback_manager=callbacks), "hi")
    assert execution.actual_response == "recovered"
    assert called(execution) == calls


async def async_exit(state: AgentState) -> str:
    raise SystemExit(3)


def thread_exit(state: AgentState) -> str:
    raise SystemExit(3)


async def gives_up(state: AgentState) -> str:
    raise asyncio.CancelledError


@pytest.mark.parametrize(
    ("node", "error"),
    [
        pytest.param(async_exit, "the agent raised SystemExit(3)", id="an exit on the loop"),
        pytest.param(thread_exit, "the agent raised SystemExit(3)", id="an exit in a thread"),
        pytest.param(gives_up, "the agent raised CancelledError()", id="it cancels itself"),
    ],
)
async def test_what_would_end_a_program_is_an_ordinary_error(
    node: Callable[..., Any], error: str, hold: Hold
) -> None:
    task = asyncio.ensure_future(hold(one_node(node), "hi"))
    with pytest.raises(RuntimeError) as caught:
        await task
    assert str(caught.value) == error


async def test_everything_up_to_an_error_is_kept(attempt: Attempt, asks: Asks) -> None:
    def main(state: AgentState) -> Message:
        if state.context[-1].role == "tool":
            raise LookupError("no such city")
        return asks(("weather", {"city": "Oslo"}))

    graph = StateGraph().add_node("MAIN", main).add_node("TOOL", ToolNode([weather]))
    graph.set_entry_point("MAIN").add_edge("MAIN", "TOOL").add_edge("TOOL", "MAIN")
    recorder, run = attempt(graph, "hi")
    with pytest.raises(LookupError, match="no such city"):
        await run
    kept = recorder.snapshot()
    assert kept.node_visits == ["MAIN", "TOOL", "MAIN"]
    assert [(c.name, c.error) for c in kept.tool_calls] == [("weather", None)]


async def test_a_recursion_limit_keeps_every_call_and_names_no_node_that_did_not_run(
    attempt: Attempt, asks: Asks
) -> None:
    graph = StateGraph().add_node("MAIN", lambda s: asks(("weather", {"city": "Oslo"})))
    graph.add_node("TOOL", ToolNode([weather])).set_entry_point("MAIN")
    graph.add_edge("MAIN", "TOOL").add_edge("TOOL", "MAIN")
    recorder, run = attempt(graph, "hi", config={"recursion_limit": 6})
    with pytest.raises(GraphRecursionError, match="recursion_limit=6"):
        await run
    kept = recorder.snapshot()
    assert kept.node_visits == ["MAIN", "TOOL", "MAIN", "TOOL", "MAIN"]
    assert [call.result is None for call in kept.tool_calls] == [False, False, True]


def count(state: AgentState) -> str:
    return str(len(state.context))


@pytest.mark.parametrize(
    "agent",
    [
        pytest.param(one_node(count), id="an uncompiled graph gets a memory"),
        pytest.param(one_node(count).compile(InMemoryCheckpointer()), id="a graph with a memory"),
        pytest.param(one_node(count).compile(), id="a graph without gets the history"),
    ],
)
async def test_on_the_third_turn_an_agent_sees_five_messages(agent: Any, hold: Hold) -> None:
    execution = await hold(agent, "yes", "yes", "yes")
    assert execution.responses() == ["1", "3", "5"]
    assert [turn.node_visits for turn in execution.turns] == [["MAIN"]] * 3
    assert len(execution.messages) == 6


async def test_a_history_carries_calls_and_their_results(
    hold: Hold, asks: Asks, loop_of: Loop
) -> None:
    seen: list[list[str]] = []

    def main(state: AgentState) -> Any:
        last = state.context[-1]
        seen.append([f"{m.role}:{len(m.tools_calls or ())}" for m in state.context])
        return "done" if last.role == "tool" else asks(("weather", {"city": "Oslo"}))

    app = loop_of([weather], "unused").override_node("MAIN", main).compile()
    await hold(app, "one", "two")
    turn = ["user:0", "assistant:1", "tool:0"]
    assert seen[-1] == [*turn, "assistant:0", *turn]


async def test_attempts_do_not_see_each_others_memory(hold: Hold) -> None:
    app = one_node(count).compile(InMemoryCheckpointer())
    first, second = [await hold(app, "hi", config={"thread_id": "same"}) for _ in "ab"]
    assert (first.actual_response, second.actual_response) == ("1", "1")


async def test_session_state_is_set_and_unknown_fields_are_reported(
    hold: Hold, caplog: pytest.LogCaptureFixture
) -> None:
    graph = one_node(lambda state: state.locale, Profile)
    execution = await hold(graph, "hi", "and now?", state={"locale": "fr", "langauge": "fr"})
    assert execution.responses() == ["fr", "fr"]
    [warning] = [r.getMessage() for r in caplog.records if "session_input" in r.getMessage()]
    assert "langauge, which the graph's state has not; its fields are: locale" in warning


async def test_a_picture_beside_the_text_is_left_out_and_reported(
    hold: Hold, caplog: pytest.LogCaptureFixture
) -> None:
    blocks = [{"type": "text", "text": "What is this?"}, {"type": "image", "url": "x"}]
    graph = one_node(lambda state: state.context[-1].text())
    execution = await hold(graph, blocks)
    assert execution.actual_response == "What is this?"
    assert "text only; left out of the message: image" in caplog.text


async def test_an_observer_that_fails_changes_nothing_in_the_run(
    attempt: Attempt, asks: Asks, loop_of: Loop, caplog: pytest.LogCaptureFixture
) -> None:
    graph = loop_of([weather], asks(("weather", {"city": "Oslo"})), "done")
    recorder, run = attempt(graph, "hi")

    def fails(*_: Any, **__: Any) -> None:
        raise OSError("disk full")

    for name in ("visit", "step_started", "outcome"):
        setattr(recorder, name, fails)
    with caplog.at_level(logging.ERROR):
        execution = await run
    assert "disk full" in caplog.text
    assert execution.turns[0].duration_seconds >= 0


async def test_a_graph_that_nobody_watches_runs_as_ever(asks: Asks, loop_of: Loop) -> None:
    app = loop_of([weather], asks(("weather", {"city": "Oslo"})), "done").compile()
    assert runnable_of(app) is not None
    answer = await app.ainvoke({"messages": [Message.text_message("hi")]})
    assert answer["messages"][-1].text() == "done"


def test_hooks_are_registered_once() -> None:
    callbacks = CallbackManager()
    for _ in range(3):
        observe(callbacks)
    assert callbacks.get_callback_counts()["tool"] == {
        "before_invoke": 1,
        "after_invoke": 1,
        "on_error": 1,
    }


async def test_graphs_that_share_a_callback_manager_are_recorded_once(
    hold: Hold, asks: Asks, loop_of: Loop
) -> None:
    callbacks = CallbackManager()
    apps = [
        loop_of([weather], asks(("weather", {"city": city})), city).compile(
            callback_manager=callbacks
        )
        for city in ("Oslo", "Bergen")
    ]
    for app, city in zip(apps, ("Oslo", "Bergen"), strict=True):
        execution = await hold(app, "hi")
        assert [call.args for call in execution.tool_calls] == [{"city": city}]
        assert execution.node_visits == ["MAIN", "TOOL", "MAIN"]


async def test_a_result_after_the_end_of_the_attempt_changes_nothing(
    attempt: Attempt, asks: Asks, loop_of: Loop
) -> None:
    started, release = asyncio.Event(), asyncio.Event()
    finished = asyncio.Event()

    async def stubborn() -> str:
        started.set()
        while True:
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue  # an agent that swallows its cancellation
            finished.set()
            return "late"

    recorder, run = attempt(loop_of([stubborn], asks(("stubborn", {})), "done"), "hi")
    task = asyncio.ensure_future(run)
    await started.wait()
    recorder.seal()
    task.cancel()
    await asyncio.sleep(0)
    release.set()
    await finished.wait()
    await asyncio.wait({task}, timeout=30)
    [call] = recorder.snapshot().tool_calls
    assert (call.result, call.error) == (None, None)


async def test_events_find_their_attempt_by_run_id_in_any_context(
    hold: Hold, asks: Asks, loop_of: Loop
) -> None:
    """The agent hands its work to a worker task that was started outside of every attempt."""
    work: asyncio.Queue[tuple[Any, asyncio.Future[Any]]] = asyncio.Queue()
    inner = loop_of([weather], asks(("weather", {"city": "Oslo"})), "done").compile()
    runnable_of(inner)

    async def serve() -> None:
        while True:
            config, answer = await work.get()
            answer.set_result(
                await inner.ainvoke({"messages": [Message.text_message("hi")]}, config)
            )

    async def forward(state: AgentState, config: dict[str, Any]) -> str:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        await work.put(({"run_id": config["run_id"]}, answer))
        text: str = (await answer)["messages"][-1].text()
        return text

    worker = contextvars.Context().run(asyncio.create_task, serve())
    try:
        executions = await asyncio.gather(*(hold(one_node(forward), "hi") for _ in range(5)))
    finally:
        worker.cancel()
    for execution in executions:
        assert [call.name for call in execution.tool_calls] == ["weather"]
        assert execution.node_visits == ["MAIN", "MAIN", "TOOL", "MAIN"]


def shuffling_agent(name: str, seed: int) -> StateGraph[AgentState]:
    """Asks for four tools at random speeds, one of them broken and one unknown."""
    chance = random.Random(seed)

    async def slow(case: str, n: int) -> str:
        await asyncio.sleep(chance.random() / 50)
        return f"{name} {case} {n}"

    def threaded(case: str, n: int) -> str:
        threading.Event().wait(chance.random() / 50)
        return f"{name} {case} {n}"

    async def fails(case: str, n: int) -> str:
        await asyncio.sleep(chance.random() / 50)
        raise ValueError(f"{name} {case} {n}")

    def main(state: AgentState) -> Message:
        case = state.context[0].text()
        if state.context[-1].role == "tool":
            return Message.text_message(f"{name} {case} done")
        message = Message.text_message("", role="assistant")
        message.tools_calls = [
            {"id": f"call_{n}", "function": {"name": tool, "arguments": {"case": case, "n": n}}}
            for n, tool in enumerate(("slow", "threaded", "fails", "unknown"))
        ]
        return message

    graph = StateGraph().add_node("MAIN", main).add_node("TOOL", ToolNode([slow, threaded, fails]))
    graph.set_entry_point("MAIN").add_edge("TOOL", "MAIN")
    return graph.add_conditional_edges(
        "MAIN", lambda s: "TOOL" if s.context[-1].tools_calls else END
    )


async def test_two_graphs_in_one_process_keep_twenty_cases_each_apart(hold: Hold) -> None:
    slots = asyncio.Semaphore(10)
    agents = {name: shuffling_agent(name, seed) for seed, name in enumerate(("left", "right"))}
    apps = {name: graph.compile(InMemoryCheckpointer()) for name, graph in agents.items()}

    async def one(name: str, case: str) -> tuple[str, str, ExecutionResult]:
        async with slots:
            return name, case, await hold(apps[name], case, eval_id=case)

    cases = [one(name, f"case{n}") for n in range(20) for name in apps]
    for name, case, execution in await asyncio.gather(*cases):
        marks = [f"{name} {case} {n}" for n in range(4)]
        calls = called(execution)
        assert [tool for tool, *_ in calls] == ["slow", "threaded", "fails", "unknown"]
        assert [args for _, args, *_ in calls] == [{"case": case, "n": n} for n in range(4)]
        assert [result for *_, result, _ in calls] == [marks[0], marks[1], None, None]
        assert calls[2][3] == f"ValueError: {marks[2]}"
        assert "there is no tool 'unknown'" in str(calls[3][3])
        assert execution.actual_response == f"{name} {case} done"
        assert execution.node_visits == ["MAIN", "TOOL", "MAIN"]
