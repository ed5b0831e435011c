"""Many cases and several graphs of LangGraph in one process, and runs that do not end well."""

from __future__ import annotations

import asyncio
import random
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("langgraph", reason="needs the extra langgraph")

from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver

from tenxgraph_tui.adapters.langgraph import turn
from tenxgraph_tui.adapters.langgraph.messages import to_dict
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.events import RunEvent, StepStarted
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.memory import MemorySink
from tenxgraph_tui.evaluation.objects import ObjectSource
from tenxgraph_tui.evaluation.plan import RunOptions, SetPlan
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.evaluation.results import EvalCaseResult
from tenxgraph_tui.evaluation.runner import Run
from tenxgraph_tui.evaluation.stream import EventStream
from tests.adapters.crowd import forty_conversations
from tests.adapters.langgraph.scripted import Scripted, graph_of, loop_of, says
from tests.evaluation.agents import QUIET

Hold = Callable[..., Awaitable[ExecutionResult]]
Attempt = Callable[..., tuple[Recorder, Awaitable[ExecutionResult]]]
State = dict[str, Any]


class Busy(Scripted):
    """Asks for four tools at once, then says how much it has seen."""

    tag: str

    def _generate(self, messages: Any, *more: Any, **options: Any) -> Any:
        time.sleep(random.uniform(0, 0.005))
        asked = max(index for index, message in enumerate(messages) if message.type == "human")
        of = messages[asked].text
        names = ("slow", "quick", "fails", "nobody")
        requests = says("", *((name, {"of": of}) for name in names))
        answer = says(f"{self.tag} done {of} of {len(messages)}")
        self.script[of] = [requests, answer]
        return super()._generate(messages, *more, **options)


def busy(tag: str, checkpointer: Any) -> Any:
    """A graph with two tools that finish in reverse, one that raises, and an unknown one."""

    async def slow(of: str) -> str:
        """Takes a while."""
        await asyncio.sleep(random.uniform(0.01, 0.03))
        return f"{tag} slow {of}"

    def quick(of: str) -> str:
        """Is done at once, in a thread."""
        return f"{tag} quick {of}"

    async def fails(of: str) -> str:
        """Raises."""
        raise ValueError(f"{tag} {of}")

    graph = loop_of(
        [slow, quick, fails], {}, model=Busy(script={}, tag=tag), handle_tool_errors=True
    )
    return graph.compile(checkpointer=checkpointer)


@pytest.mark.parametrize("memory", [None, InMemorySaver()], ids=["without memory", "with memory"])
async def test_two_graphs_and_forty_conversations_at_once(memory: Any, attempt: Attempt) -> None:
    held = await forty_conversations(attempt, {tag: busy(tag, memory) for tag in ("A", "B")})

    for execution in held:
        assert execution.token_usage.total_tokens == 48


def run(
    agent: Any, *texts: str, timeout: float = 60
) -> tuple[list[RunEvent], list[EvalCaseResult]]:
    """Evaluate one case a text, all at the same time, as a worker does."""
    cases = [EvalCase.single_turn(text, text, "ok") for text in texts]
    eval_set = EvalSet(eval_set_id="s", eval_cases=cases)
    events: list[RunEvent] = []
    kept = MemorySink()
    options = RunOptions(max_concurrency=10, timeout=timeout)
    stream = EventStream(events.append, run_id=options.run_id)
    Run([SetPlan(eval_set, ObjectSource(agent), QUIET)], options, stream, kept).execute()
    return events, kept.report(0, eval_set, QUIET).results


async def exits_later(state: State) -> State:
    if state["messages"][-1].text == "leave":
        sys.exit("bye")
    await asyncio.sleep(0.05)
    return {"messages": [AIMessage("ok")]}


def exits(state: State) -> State:
    if state["messages"][-1].text == "leave":
        sys.exit("bye")
    time.sleep(0.05)
    return {"messages": [AIMessage("ok")]}


@pytest.mark.parametrize("node", [exits, exits_later], ids=lambda node: node.__name__)
def test_a_node_that_would_end_the_program_is_an_error_of_its_case(node: Any) -> None:
    _, results = run(graph_of(node), "one", "leave", "two")
    assert [result.passed for result in results] == [True, False, True]
    assert results[1].error == "RuntimeError: the agent raised SystemExit('bye')"


def test_a_tool_that_would_end_the_program_is_an_error_of_its_case() -> None:
    async def leaves() -> str:
        """Ends the program."""
        sys.exit("bye")

    _, (result,) = run(loop_of([leaves], {"hi": [says("", ("leaves", {}))]}), "hi")
    assert "SystemExit('bye')" in str(result.error)
    assert [call.name for call in result.actual_tool_calls] == ["leaves"]


def test_a_tool_that_outlives_its_case_changes_nothing() -> None:
    async def stubborn() -> str:
        """Does not stop when it is asked to."""
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return "late"
        return "never"

    script = {"hi": [says("", ("stubborn", {})), says("done")]}
    events, (result,) = run(loop_of([stubborn], script), "hi", timeout=0.5)
    assert str(result.error).startswith("timed out after 0.5 s")
    assert [(call.name, call.result) for call in result.actual_tool_calls] == [("stubborn", None)]
    steps = [(e.node, e.tool) for e in events if isinstance(e, StepStarted)]
    assert steps == [("MAIN", None), ("TOOL", None), ("TOOL", "stubborn")]


def test_ten_nodes_that_block_at_once_do_not_wait_for_each_other() -> None:
    all_there = threading.Barrier(10)

    def waits(state: State) -> State:
        all_there.wait(60)  # fewer than ten at a time would wait for ever
        return {"messages": [AIMessage("ok")]}

    _, results = run(graph_of(waits), *map(str, range(10)))
    assert all(result.passed for result in results)


async def test_a_long_run_converts_each_message_a_few_times_not_at_every_step(
    hold: Hold, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look(at: int) -> str:
        """Looks."""
        return f"seen {at}"

    made: list[Any] = []
    steps = 60
    script = {"hi": [*(says("", ("look", {"at": at})) for at in range(steps)), says("done")]}
    graph = loop_of([look], script)

    def counted(message: Any) -> dict[str, Any]:
        made.append(message)
        return to_dict(message)

    monkeypatch.setattr(turn, "to_dict", counted)
    execution = await hold(graph, "hi", config={"recursion_limit": 4 * steps})
    assert [call.result for call in execution.tool_calls] == [f"seen {at}" for at in range(steps)]
    assert [len(reply.input_messages) for reply in execution.node_responses] == [
        1 + 2 * number for number in range(steps + 1)
    ]
    assert len(made) < 4 * len(execution.messages)
