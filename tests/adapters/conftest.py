"""Attempts with the real recorder, so that these tests see what an evaluation sees."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tenxgraph_tui.adapters import runnable_of
from tenxgraph_tui.evaluation.conversation import Conversation
from tenxgraph_tui.evaluation.dataset import EvalCase, Invocation, SessionInput
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.recorder import Recorder, recording
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.graph import END, AgentState, Message, StateGraph, ToolNode

Hold = Callable[..., Awaitable[ExecutionResult]]
Attempt = Callable[..., tuple[Recorder, Awaitable[ExecutionResult]]]


def attempt_of(
    agent: Any, *texts: str, eval_id: str = "case", **session: Any
) -> tuple[Recorder, Awaitable[ExecutionResult]]:
    case = EvalCase(
        eval_id=eval_id,
        conversation=[Invocation.simple(text) for text in texts],
        session_input=SessionInput(**session),
    )
    recorder = Recorder(CaseKey(0, eval_id, 1))
    runnable = runnable_of(agent)
    assert runnable is not None

    async def run() -> ExecutionResult:
        with recording(recorder):
            await Conversation(runnable).run(case, recorder)
        return recorder.snapshot()

    return recorder, run()


@pytest.fixture
def attempt() -> Attempt:
    """`attempt(agent, "hi", …)`: the recorder, and what runs the conversation."""
    return attempt_of


@pytest.fixture
def hold() -> Hold:
    """`await hold(agent, "hi", …)`: what was recorded; also into `kept`, when the agent raises."""

    async def run(
        agent: Any, *texts: str, kept: list[ExecutionResult] | None = None, **session: Any
    ) -> ExecutionResult:
        recorder, conversation = attempt_of(agent, *texts, **session)
        try:
            return await conversation
        finally:
            if kept is not None:
                kept.append(recorder.snapshot())

    return run


def request(*calls: tuple[str, Any], ids: str = "") -> Message:
    names = ids.split() or [f"c{n}" for n in range(1, len(calls) + 1)]
    message = Message.text_message("", role="assistant")
    message.tools_calls = [
        {
            "id": call_id,
            "type": "function",
            "function": {
                "name": name,
                "arguments": args if isinstance(args, str) else json.dumps(args),
            },
        }
        for call_id, (name, args) in zip(names, calls, strict=True)
    ]
    return message


@pytest.fixture
def asks() -> Callable[..., Message]:
    """`asks(("name", {...}), ids="c1")`: an assistant message that requests tools."""
    return request


@pytest.fixture
def loop_of() -> Callable[..., StateGraph[AgentState]]:
    """`loop_of(tools, *answers)`: MAIN gives one answer a visit; TOOL runs what it asks for."""

    def graph(tools: list[Callable[..., Any]], *answers: Any) -> StateGraph[AgentState]:
        def main(state: AgentState) -> Any:
            return answers[sum(m.role == "assistant" for m in state.context)]

        def route(state: AgentState) -> str:
            return "TOOL" if state.context[-1].tools_calls else END

        return (
            StateGraph()
            .add_node("MAIN", main)
            .add_node("TOOL", ToolNode(tools))
            .set_entry_point("MAIN")
            .add_conditional_edges("MAIN", route)
            .add_edge("TOOL", "MAIN")
        )

    return graph
