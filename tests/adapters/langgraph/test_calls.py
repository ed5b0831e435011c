"""Tool calls of LangGraph graphs: whatever happens to them, they are recorded as requested."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import pytest

pytest.importorskip("langgraph", reason="needs the extra langgraph")

from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import InjectedToolCallId
from langgraph.prebuilt import InjectedState
from langgraph.types import Command

from tenxgraph_tui.evaluation.execution import ExecutionResult
from tests.adapters.langgraph.scripted import Scripted, graph_of, loop_of, says

Hold = Callable[..., Awaitable[ExecutionResult]]


def calls_of(execution: ExecutionResult) -> list[tuple[Any, ...]]:
    return [(call.name, call.args, call.result, call.error) for call in execution.tool_calls]


async def get_weather(city: str) -> dict[str, str]:
    """The weather."""
    return {"city": city}


def get_time(city: str) -> str:
    """The time, from a tool that blocks."""
    return f"noon in {city}"


async def fails(reason: str) -> str:
    """Raises."""
    raise LookupError(reason)


async def test_calls_are_recorded_with_results_in_the_order_of_their_request(hold: Hold) -> None:
    first, second = asyncio.Event(), asyncio.Event()

    async def slow() -> str:
        """Ends when the other one has ended."""
        await second.wait()
        first.set()
        return "slow"

    async def fast() -> str:
        """Ends at once."""
        second.set()
        return "fast"

    script = {"hi": [says("", ("slow", {}), ("fast", {})), says("done")]}
    execution = await hold(loop_of([slow, fast], script), "hi")
    assert calls_of(execution) == [("slow", {}, "slow", None), ("fast", {}, "fast", None)]
    assert first.is_set()


async def test_tools_that_block_run_too(hold: Hold) -> None:
    script = {"hi": [says("", ("get_time", {"city": "Rome"})), says("done")]}
    execution = await hold(loop_of([get_time], script), "hi")
    assert calls_of(execution) == [("get_time", {"city": "Rome"}, "noon in Rome", None)]


async def test_models_repeat_their_call_ids(hold: Hold) -> None:
    one, two = ("get_weather", {"city": "Rome"}), ("get_weather", {"city": "Oslo"})
    script = {"hi": [says("", one, ids="c"), says("", two, ids="c"), says("done")]}
    execution = await hold(loop_of([get_weather], script), "hi")
    assert calls_of(execution) == [(*one, one[1], None), (*two, two[1], None)]


async def test_tools_that_nobody_registered_are_recorded_as_failed(hold: Hold) -> None:
    script = {"hi": [says("", ("delete_all", {"really": True})), says("done")]}
    execution = await hold(loop_of([get_weather], script), "hi")
    ((name, args, result, error),) = calls_of(execution)
    assert (name, args, result) == ("delete_all", {"really": True}, None)
    assert "delete_all is not a valid tool" in error


async def test_arguments_that_are_no_json_are_recorded(hold: Hold) -> None:
    bad = {"id": "c1", "name": "get_weather", "args": "{city", "error": None, "type": "invalid"}
    message = says("", invalid_tool_calls=[{**bad, "type": "invalid_tool_call"}])
    execution = await hold(loop_of([get_weather], {"hi": [message]}), "hi")
    assert calls_of(execution) == [
        ("get_weather", {"arguments": "{city"}, None, "the arguments are not a JSON object")
    ]


async def test_a_tool_that_raises_ends_the_run_by_default_and_is_recorded(hold: Hold) -> None:
    script = {"hi": [says("", ("get_weather", {"city": "Rome"}), ("fails", {"reason": "why"}))]}
    kept: list[ExecutionResult] = []
    with pytest.raises(LookupError, match="why"):
        await hold(loop_of([get_weather, fails], script), "hi", kept=kept)
    assert kept[0].tool_calls[1].error == "LookupError: why"


async def test_a_tool_that_raises_is_recorded_when_the_model_is_told_of_it(hold: Hold) -> None:
    script = {"hi": [says("", ("fails", {"reason": "why"})), says("sorry")]}
    execution = await hold(loop_of([fails], script, handle_tool_errors=True), "hi")
    assert calls_of(execution) == [("fails", {"reason": "why"}, None, "LookupError: why")]
    assert execution.actual_response == "sorry"


async def test_wrong_arguments_are_an_error_of_the_call(hold: Hold) -> None:
    script = {"hi": [says("", ("get_weather", {"town": "Rome"})), says("sorry")]}
    execution = await hold(loop_of([get_weather], script, handle_tool_errors=True), "hi")
    (call,) = execution.tool_calls
    assert call.args == {"town": "Rome"}
    assert "city" in str(call.error)


async def test_injected_arguments_do_not_enter_and_real_ones_of_such_names_do(hold: Hold) -> None:
    def look(
        city: str,
        seen: Annotated[dict[str, Any], InjectedState],
        tool_id: Annotated[str, InjectedToolCallId],
    ) -> str:
        """Gets what the model does not know of."""
        return f"{city} {len(seen['messages'])} {tool_id}"

    async def place(state: str, tool_call_id: str) -> str:
        """Has arguments that are called as what others inject."""
        return f"{state} {tool_call_id}"

    real = {"state": "Texas", "tool_call_id": "7"}
    script = {"hi": [says("", ("look", {"city": "Rome"}), ("place", real)), says("done")]}
    execution = await hold(loop_of([look, place], script), "hi")
    assert calls_of(execution) == [
        ("look", {"city": "Rome"}, "Rome 2 call_1", None),
        ("place", real, "Texas 7", None),
    ]


async def test_results_stay_values(hold: Hold) -> None:
    async def listing() -> list[dict[str, int]]:
        """Objects in a list."""
        return [{"a": 1}]

    async def moving(tool_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
        """Answers with a command."""
        return Command(update={"messages": [ToolMessage("moved", tool_call_id=tool_id)]})

    script = {"hi": [says("", ("listing", {}), ("moving", {})), says("done")]}
    execution = await hold(loop_of([listing, moving], script), "hi")
    assert [call.result for call in execution.tool_calls] == [[{"a": 1}], "moved"]


@pytest.mark.parametrize("with_id", [True, False], ids=["with the call", "with its arguments"])
async def test_a_node_may_run_its_tools_itself(with_id: bool, hold: Hold) -> None:
    from langchain_core.tools import tool

    weather = tool(get_weather)
    script = {"hi": [says("", ("get_weather", {"city": "Rome"})), says("sunny")]}
    model = Scripted(script=script)

    async def agent(state: dict[str, Any]) -> dict[str, Any]:
        said = [*state["messages"], await model.ainvoke(state["messages"])]
        for call in said[-1].tool_calls:
            result = await weather.ainvoke(call if with_id else call["args"])
            said.append(ToolMessage(str(result), tool_call_id=call["id"]))
        return {"messages": [await model.ainvoke(said)]}

    execution = await hold(graph_of(agent), "hi")
    assert [(call.name, call.call_id) for call in execution.tool_calls] == [
        ("get_weather", "call_1")
    ]
    assert execution.tool_calls[0].result == {"city": "Rome"}
    assert (execution.actual_response, execution.token_usage.total_tokens) == ("sunny", 24)


async def test_what_a_model_was_asked_for_itself_is_no_call_and_no_answer(hold: Hold) -> None:
    """Structured output comes as the call of a tool that there is not."""
    script = {"hi": [says("", ("Route", {"to": "sales"})), says("hello")]}
    model = Scripted(script=script)

    async def route(state: dict[str, Any]) -> dict[str, Any]:
        await model.ainvoke(state["messages"])
        return {}

    async def answer(state: dict[str, Any]) -> dict[str, Any]:
        return {"messages": [AIMessage("from sales")]}

    async def file(state: dict[str, Any]) -> dict[str, Any]:
        await model.ainvoke([*state["messages"]])
        return {}

    execution = await hold(graph_of(route, answer, file), "hi")
    assert execution.tool_calls == []
    assert execution.actual_response == "from sales"
    assert execution.token_usage.total_tokens == 24
    assert [reply.response_text for reply in execution.node_responses] == [
        "Route({'to': 'sales'})",
        "from sales",
        "hello",
    ]


async def test_a_step_is_told_while_it_runs(attempt: Callable[..., Any]) -> None:
    started, may_end = asyncio.Event(), asyncio.Event()

    async def waits() -> str:
        """Ends when the test has looked."""
        started.set()
        await may_end.wait()
        return "seen"

    script = {"hi": [says("", ("waits", {})), says("done")]}
    recorder, run = attempt(loop_of([waits], script), "hi")
    task = asyncio.ensure_future(run)
    await asyncio.wait_for(started.wait(), 30)
    so_far = recorder.snapshot()
    assert so_far.node_visits == ["MAIN", "TOOL"]
    assert calls_of(so_far) == [("waits", {}, None, None)]
    assert so_far.token_usage.total_tokens == 12
    may_end.set()
    assert calls_of(await task) == [("waits", {}, "seen", None)]
