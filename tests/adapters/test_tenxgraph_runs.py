"""Many cases and many graphs of 10xGraph in one process, and runs that do not end well."""
# Nodes and tools get their arguments by name, used or not.

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pydantic import Field

from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.recorder import Recorder

pytest.importorskip("tenxgraph", reason="10xGraph is not installed (it needs Python 3.12)")

from tenxgraph.core.exceptions import GraphRecursionError, NodeError
from tenxgraph.core.state import AgentState
from tenxgraph.utils import InvocationType

from tenxgraph_tui.adapters.tenxgraph import watching
from tenxgraph_tui.adapters.tenxgraph.private import managers_of
from tests.adapters.crowd import forty_conversations
from tests.adapters.tenxgraphs import asks, loop_of, one_node, says, tool_says

Hold = Callable[..., Awaitable[ExecutionResult]]
Attempt = Callable[..., tuple[Recorder, Awaitable[ExecutionResult]]]


class Profile(AgentState):  # type: ignore[misc]  # untyped where it is not installed
    locale: str = "en"


def busy(tag: str) -> Any:
    """Asks four tools in one message: two that finish in reverse, one that raises, one unknown."""

    async def slow(of: str) -> str:
        await asyncio.sleep(random.uniform(0.01, 0.03))
        return f"{tag} slow {of}"

    async def quick(of: str) -> str:
        return f"{tag} quick {of}"

    def fails(of: str) -> None:
        raise ValueError(f"{tag} {of}")

    async def main(state: AgentState) -> Any:
        await asyncio.sleep(random.uniform(0, 0.01))
        last = state.context[-1]
        if last.role != "user":
            asked = next(m for m in reversed(state.context) if m.role == "user")
            return says(f"{tag} done {asked.text()} of {len(state.context)}")
        args = {"of": last.text()}
        names = ("slow", "quick", "fails", "nobody")
        return asks(*((name, args) for name in names), ids="call_1 call_2 call_3 call_4")

    return loop_of([slow, quick, fails], main=main)


async def test_two_graphs_and_forty_conversations_at_once(attempt: Attempt) -> None:
    await forty_conversations(attempt, {tag: busy(tag).compile() for tag in ("A", "B")})


async def test_the_second_turn_sends_only_the_new_message(hold: Hold) -> None:
    def main(state: AgentState) -> str:
        return " ".join(message.text() for message in state.context)

    execution = await hold(one_node(main), "yes", "yes", "no")

    assert execution.responses()[-1] == "yes yes yes yes yes yes no"


async def test_the_state_of_the_session_is_the_graphs(
    hold: Hold, caplog: pytest.LogCaptureFixture
) -> None:
    def main(state: Profile) -> str:
        locale, state.locale = state.locale, "de"
        return locale

    session = {"state": {"locale": "fr", "localle": "it"}}

    execution = await hold(one_node(main, Profile()), "hi", "again", **session)

    assert execution.responses() == ["fr", "de"]
    assert "session_input.state has localle, which the graph's state has not" in caplog.text


@pytest.mark.parametrize("recovers", [False, True])
async def test_a_users_callbacks_stay_in_charge(hold: Hold, recovers: bool) -> None:
    told: list[str] = []

    def failed(context: Any, data: Any, error: Exception) -> Any:
        told.append(str(error))
        return tool_says("recovered") if recovers else None

    def broken() -> None:
        raise ValueError("no luck")

    graph = loop_of([broken], asks(("broken", {})), says("done"))
    app = graph.compile()
    manager = managers_of(app)[0]
    manager.register_on_error(InvocationType.TOOL, failed)
    try:
        execution = await hold(app, "hi")
    finally:
        manager._error_callbacks[InvocationType.TOOL].remove(failed)

    assert told == ["no luck"]
    assert [call.error for call in execution.tool_calls] == ["ValueError: no luck"]
    said = execution.node_responses[-1].input_messages[-1]["content"]
    assert ("recovered" in said) is recovers


async def test_what_a_node_raises_is_told_and_what_came_before_is_kept(attempt: Attempt) -> None:
    def quick() -> str:
        return "ok"

    def main(state: AgentState) -> Any:
        if state.context[-1].role == "user":
            return asks(("quick", {}))
        raise ZeroDivisionError("kaboom")

    recorder, running = attempt(loop_of([quick], main=main), "hi")

    with pytest.raises(NodeError) as raised:
        await running

    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    execution = recorder.snapshot()
    assert [call.name for call in execution.tool_calls] == ["quick"]
    assert execution.node_visits == ["MAIN", "TOOL", "MAIN"]


async def test_a_graph_that_never_ends_keeps_what_it_did(attempt: Attempt) -> None:
    def quick() -> str:
        return "ok"

    graph = loop_of([quick], main=lambda state: asks(("quick", {})))
    recorder, running = attempt(graph, "hi", config={"recursion_limit": 6})

    with pytest.raises(GraphRecursionError):
        await running

    execution = recorder.snapshot()
    assert execution.node_visits == ["MAIN", "TOOL", "MAIN", "TOOL", "MAIN"]
    assert len(execution.tool_calls) == 3


async def test_a_graph_that_waits_for_somebody_is_an_error(attempt: Attempt) -> None:
    app = one_node(lambda state: "hi").compile(interrupt_before=["MAIN"])

    with pytest.raises(TargetError, match="the graph paused at MAIN"):
        await attempt(app, "hi")[1]


async def leaves() -> None:
    raise SystemExit(3)


def leaves_from_a_thread() -> None:
    raise SystemExit(3)


@pytest.mark.parametrize("main", [leaves, leaves_from_a_thread])
async def test_a_node_that_leaves_the_process_raised(attempt: Attempt, main: Any) -> None:
    with pytest.raises(RuntimeError, match="SystemExit"):
        await attempt(one_node(main), "hi")[1]


@pytest.mark.parametrize("tool", [leaves, leaves_from_a_thread])
async def test_a_tool_that_leaves_the_process_failed(hold: Hold, tool: Any) -> None:
    execution = await hold(loop_of([tool], asks((tool.__name__, {})), says("done")), "hi")

    assert "SystemExit" in str(execution.tool_calls[0].error)
    assert execution.actual_response == "done"


async def test_a_bug_of_ours_changes_no_run(
    attempt: Attempt, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def quick() -> str:
        return "ok"

    def bug(*args: Any, **named: Any) -> None:
        raise KeyError("a bug")

    recorder, running = attempt(loop_of([quick], asks(("quick", {})), says("done")), "hi")
    for method in ("visit", "step_started", "outcome"):
        monkeypatch.setattr(recorder, method, bug)

    await running

    assert "the run goes on" in caplog.text


async def test_a_graph_inside_a_node_belongs_to_its_case(hold: Hold) -> None:
    inner = one_node(lambda state: "from within").compile()

    async def main(state: AgentState) -> str:
        answer = await inner.ainvoke({"messages": [says("go")]}, {"thread_id": "inner"})
        return f"{state.context[-1].text()} {answer['messages'][-1].text()}"

    graph = one_node(main)
    assert await hold(inner, "hi")

    execution = await hold(graph, "hi")

    assert execution.actual_response == "hi from within"
    assert execution.node_visits == ["MAIN", "MAIN"]
    assert not watching._runs


async def test_a_node_that_says_nothing_has_no_answer(hold: Hold) -> None:
    execution = await hold(one_node(lambda state: state), "hi")

    assert execution.actual_response == ""
    assert execution.node_visits == ["MAIN"]


class Basket(AgentState):  # type: ignore[misc]  # untyped where it is not installed
    items: list[str] = Field(default_factory=list)


async def test_graphs_of_different_states_share_a_process(attempt: Attempt) -> None:
    def profile(state: Profile) -> str:
        locale, state.locale = state.locale, f"{state.locale}!"
        return locale

    def basket(state: Basket) -> str:
        state.items.append(state.context[-1].text())
        return ",".join(state.items)

    graphs = {
        "profile": one_node(profile, Profile()).compile(),
        "basket": one_node(basket, Basket()).compile(),
    }

    held = await asyncio.gather(
        *(
            attempt(app, "a", "b", eval_id=f"{name}{number}")[1]
            for number in range(5)
            for name, app in graphs.items()
        )
    )

    assert [execution.responses() for execution in held] == [["en", "en!"], ["a", "a,b"]] * 5


async def test_a_tool_that_outlives_its_case_changes_nothing(attempt: Attempt) -> None:
    started, wrote = asyncio.Event(), asyncio.Event()

    async def stubborn() -> str:
        started.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            wrote.set()
        return "late"

    recorder, running = attempt(loop_of([stubborn], asks(("stubborn", {})), says("done")), "hi")
    task = asyncio.ensure_future(running)
    await asyncio.wait_for(started.wait(), 30)
    recorder.seal()
    before = recorder.snapshot()

    task.cancel()
    await asyncio.wait({task}, timeout=30)

    assert wrote.is_set()
    assert [(call.name, call.result) for call in before.tool_calls] == [("stubborn", None)]
    assert recorder.snapshot() == before
