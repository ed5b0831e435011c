"""Real graphs of 10xGraph, recorded as an evaluation records them."""
# Nodes and tools get their arguments by name, used or not.

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.execution import ExecutionResult

pytest.importorskip("tenxgraph", reason="10xGraph is not installed (it needs Python 3.12)")

from tenxgraph.core.state import ToolResult
from tenxgraph.core.state.message import TokenUsages

from tenxgraph_tui.adapters.tenxgraph.messages import theirs
from tests.adapters.tenxgraphs import Scripted, asks, loop_of, says, tool_says

Hold = Callable[..., Awaitable[ExecutionResult]]


def weather(city: str) -> dict[str, Any]:
    return {"city": city, "celsius": 3.5}


async def alerts(city: str) -> list[str]:
    return []


def broken() -> None:
    raise ZeroDivisionError("by zero")


def called(execution: ExecutionResult) -> list[tuple[str, dict[str, Any], Any, str | None]]:
    return [(call.name, call.args, call.result, call.error) for call in execution.tool_calls]


@pytest.mark.parametrize("compiled", [False, True], ids=["uncompiled", "compiled"])
async def test_a_loop_of_model_and_tools_is_recorded(hold: Hold, compiled: bool) -> None:
    ask = asks(("weather", {"city": "Oslo"}), ("alerts", {"city": "Oslo"}))
    ask.usages = TokenUsages(
        prompt_tokens=10, completion_tokens=2, total_tokens=12, cache_read_input_tokens=4
    )
    graph = loop_of([weather, alerts], ask, says("3.5 °C, no alerts"))

    execution = await hold(graph.compile() if compiled else graph, "Oslo?")

    assert execution.node_visits == ["MAIN", "TOOL", "MAIN"]
    assert called(execution) == [
        ("weather", {"city": "Oslo"}, {"city": "Oslo", "celsius": 3.5}, None),
        ("alerts", {"city": "Oslo"}, [], None),
    ]
    assert execution.actual_response == "3.5 °C, no alerts"
    roles = [message["role"] for message in execution.messages]
    assert roles == ["user", "assistant", "tool", "tool", "assistant"]
    usage = execution.token_usage
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens) == (10, 2, 4)
    first, last = execution.node_responses
    assert [m["role"] for m in first.input_messages] == ["user"]
    assert [m["role"] for m in last.input_messages] == ["user", "assistant", "tool", "tool"]


@pytest.mark.parametrize("together", [False, True], ids=["on two steps", "in one message"])
async def test_a_repeated_call_id_names_two_calls(hold: Hold, together: bool) -> None:
    oslo, bergen = ("weather", {"city": "Oslo"}), ("weather", {"city": "Bergen"})
    if together:
        asked = [asks(oslo, bergen, ids="call_1 call_1")]
    else:
        asked = [asks(oslo, ids="call_1"), asks(bergen, ids="call_1")]

    execution = await hold(loop_of([weather], *asked, says("done")), "hi")

    assert [(args["city"], result["city"]) for _, args, result, _ in called(execution)] == [
        ("Oslo", "Oslo"),
        ("Bergen", "Bergen"),
    ]


async def test_a_repeated_message_id_hides_no_answer(hold: Hold) -> None:
    ask, answer = asks(("weather", {"city": "Oslo"})), says("done")
    ask.message_id = answer.message_id = "resp_1"

    execution = await hold(loop_of([weather], main=Scripted(ask, answer)), "hi")

    assert execution.actual_response == "done"


async def test_calls_stand_in_the_order_of_asking_not_of_finishing(hold: Hold) -> None:
    async def slow(n: int) -> int:
        await asyncio.sleep(0.02 * (3 - n))
        return n

    ask = asks(*[("slow", {"n": n}) for n in range(3)])

    execution = await hold(loop_of([slow], ask, says("done")), "hi")

    assert called(execution) == [("slow", {"n": n}, n, None) for n in range(3)]
    assert execution.node_visits == ["MAIN", "TOOL", "MAIN"]


async def test_calls_that_go_wrong_are_evidence(hold: Hold) -> None:
    ask = asks(("broken", {}), ("nobody", {"x": 1}), ("weather", "{no json"))

    execution = await hold(loop_of([broken, weather], ask, says("done")), "hi")

    raised, unknown, unparsed = execution.tool_calls
    assert (raised.name, raised.error) == ("broken", "ZeroDivisionError: by zero")
    assert (unknown.name, unknown.args) == ("nobody", {"x": 1})
    assert "nobody" in str(unknown.error)
    assert unparsed.args == {"arguments": "{no json"}
    assert unparsed.error


async def test_only_unknown_tools_are_a_visit_too(hold: Hold) -> None:
    execution = await hold(loop_of([weather], asks(("nobody", {})), says("done")), "hi")

    assert execution.node_visits == ["MAIN", "TOOL", "MAIN"]


async def test_what_is_injected_is_no_argument(hold: Hold) -> None:
    def note(text: str, state: Any, config: Any, tool_call_id: str) -> str:
        return f"{text} {state.context[0].text()}"

    args = {"text": "ok", "state": "CA", "config": 1, "tool_call_id": "x"}

    execution = await hold(loop_of([note], asks(("note", args)), says("done")), "hi")

    assert called(execution) == [("note", args, "ok hi", None)]


@pytest.mark.parametrize(
    ("value", "result", "error"),
    [
        pytest.param(3.5, 3.5, None, id="a number"),
        pytest.param(None, None, None, id="nothing"),
        pytest.param({"a": [1]}, {"a": [1]}, None, id="a dict"),
        pytest.param(ToolResult(message="fine"), "fine", None, id="a result"),
        pytest.param(ToolResult(message="no", is_error=True), "no", "no", id="a failed result"),
        pytest.param(tool_says("told"), "told", None, id="a message"),
    ],
)
async def test_results_stay_json_values(hold: Hold, value: Any, result: Any, error: Any) -> None:
    def tool() -> Any:
        return value

    execution = await hold(loop_of([tool], asks(("tool", {})), says("done")), "hi")

    assert called(execution) == [("tool", {}, result, error)]


@pytest.mark.parametrize(
    ("written", "taken"),
    [
        pytest.param("hi", "text hi", id="a text"),
        pytest.param([{"text": "hi"}, "you"], "text hi, text you", id="texts"),
        pytest.param([{"type": "image", "url": "x"}], "image x", id="an image"),
        pytest.param(
            [{"type": "image_url", "image_url": {"url": "x"}}], "image x", id="OpenAI's image"
        ),
        pytest.param(
            [{"type": "audio", "media": {"kind": "url", "url": "x"}}], "audio x", id="a block"
        ),
    ],
)
def test_what_a_user_says_is_told_in_10xgraphs_words(written: Any, taken: str) -> None:
    message = theirs({"role": "user", "content": written})

    blocks = [(b.type, b.text if b.type == "text" else b.media.url) for b in message.content]
    assert ", ".join(f"{kind} {what}" for kind, what in blocks) == taken


def test_a_block_that_10xgraph_has_none_for_is_an_error() -> None:
    with pytest.raises(
        TargetError, match=r"takes no such message of the user: content\.0.*hologram"
    ):
        theirs({"role": "user", "content": [{"type": "hologram"}]})
