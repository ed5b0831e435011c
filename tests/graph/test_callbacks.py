# Nodes, tools and callbacks get their arguments by name, used or not.
from __future__ import annotations

import contextlib
import logging
from typing import Any

import pytest

from tenxgraph_tui.graph import (
    END,
    AfterInvokeCallback,
    AgentState,
    BeforeInvokeCallback,
    CallbackContext,
    CallbackManager,
    CompiledGraph,
    GraphLifecycleContext,
    GraphLifecycleHook,
    InvocationType,
    Message,
    OnErrorCallback,
    StateGraph,
)

AI = InvocationType.AI


class Renames(BeforeInvokeCallback[Any, Any]):
    async def __call__(self, context: CallbackContext, input_data: Any) -> Any:
        return {**input_data, "config": {**input_data["config"], "who": "Kim"}}


class Shouts(AfterInvokeCallback[Any, Any]):
    async def __call__(self, context: CallbackContext, input_data: Any, output_data: Any) -> Any:
        return output_data.upper()


class Recovers(OnErrorCallback):
    async def __call__(
        self, context: CallbackContext, input_data: Any, error: Exception
    ) -> Message | None:
        return Message.text_message(f"sorry: {error}", role="assistant")


def greet(state: AgentState, config: dict[str, Any]) -> str:
    return f"hello {config['who']}"


def app_with(callbacks: CallbackManager, func: Any = greet) -> CompiledGraph[AgentState]:
    graph = StateGraph().add_node("MAIN", func).set_entry_point("MAIN").add_edge("MAIN", END)
    return graph.compile(callback_manager=callbacks)


async def answer_of(app: CompiledGraph[AgentState], **config: Any) -> str:
    answer = await app.ainvoke({"messages": [Message.text_message("hi")]}, config)
    text: str = answer["messages"][-1].text()
    return text


async def test_callbacks_before_and_after_a_node_change_what_goes_in_and_out() -> None:
    callbacks = CallbackManager()
    callbacks.register_before_invoke(AI, Renames())
    callbacks.register_after_invoke(AI, Shouts())
    callbacks.register_after_invoke(AI, lambda context, data, output: f"{output}!")
    assert await answer_of(app_with(callbacks)) == "HELLO KIM!"


async def test_a_node_recovers_from_its_error() -> None:
    callbacks = CallbackManager()
    callbacks.register_on_error(AI, Recovers())
    assert await answer_of(app_with(callbacks)) == "sorry: 'who'"


async def test_a_later_callback_that_gives_nothing_does_not_undo_a_recovery() -> None:
    callbacks = CallbackManager()
    for callback in (Recovers(), lambda *_: None):
        callbacks.register_on_error(AI, callback)
    assert await answer_of(app_with(callbacks)) == "sorry: 'who'"


async def test_an_error_callback_that_fails_hides_no_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    callbacks = CallbackManager()
    callbacks.register_on_error(AI, lambda *_: 1 // 0)
    callbacks.register_on_error(AI, lambda *_: "no message")
    with pytest.raises(KeyError, match="who"):
        await answer_of(app_with(callbacks))
    assert "an on_error callback failed" in caplog.text
    assert "'no message', which is no Message" in caplog.text


async def test_a_callback_that_raises_makes_the_node_fail() -> None:
    callbacks = CallbackManager()
    callbacks.register_after_invoke(AI, lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        await answer_of(app_with(callbacks), who="Kim")


async def test_what_a_callback_is_told_of_a_node() -> None:
    told: list[CallbackContext] = []

    def note(context: CallbackContext, data: Any) -> Any:
        told.append(context)
        return data

    callbacks = CallbackManager()
    callbacks.register_before_invoke(AI, note)
    await answer_of(app_with(callbacks), who="Kim", run_id="r", thread_id="t")
    [context] = told
    about = context.metadata or {}
    assert (context.node_name, context.function_name, about["step"]) == ("MAIN", "greet", 1)
    assert {"run_id": "r", "thread_id": "t", "_node_name": "MAIN"}.items() <= about[
        "config"
    ].items()


def test_counts_and_clearing() -> None:
    callbacks = CallbackManager()
    callbacks.register_before_invoke(AI, Renames())
    callbacks.register_on_error(InvocationType.TOOL, Recovers())
    assert callbacks.get_callback_counts()["ai"] == {
        "before_invoke": 1,
        "after_invoke": 0,
        "on_error": 0,
    }
    callbacks.clear_callbacks(AI)
    counts = callbacks.get_callback_counts()
    assert (counts["ai"]["before_invoke"], counts["tool"]["on_error"]) == (0, 1)
    callbacks.clear_callbacks()
    assert callbacks.get_callback_counts()["tool"]["on_error"] == 0


class Diary(GraphLifecycleHook[AgentState]):
    def __init__(self) -> None:
        self.lines: list[str] = []

    async def on_graph_start(self, context: GraphLifecycleContext, state: AgentState) -> None:
        self.lines.append(f"start {context.run_id} {context.thread_id}")

    async def on_node_start(
        self, context: GraphLifecycleContext, node_name: str, state: AgentState, step: int
    ) -> None:
        self.lines.append(f"{step} {node_name}")

    async def on_state_update(
        self,
        context: GraphLifecycleContext,
        node_name: str,
        old_state: AgentState,
        new_state: AgentState,
        step: int,
    ) -> None:
        self.lines.append(f"{len(old_state.context)} → {len(new_state.context)}")

    async def on_graph_end(
        self,
        context: GraphLifecycleContext,
        final_state: AgentState,
        messages: list[Message],
        total_steps: int,
    ) -> None:
        self.lines.append(f"end after {total_steps}: {len(messages)} messages")

    async def on_graph_error(
        self,
        context: GraphLifecycleContext,
        error: Exception,
        partial_state: AgentState,
        messages: list[Message],
        step: int,
        node_name: str,
    ) -> None:
        self.lines.append(f"{type(error).__name__} in {node_name} at {step}")


def in_place(state: AgentState) -> AgentState:
    state.context.append(Message.text_message("x"))
    return state


@pytest.mark.parametrize(
    ("func", "lines"),
    [
        pytest.param(
            greet,
            ["start r t", "1 MAIN", "1 → 2", "end after 1: 2 messages"],
            id="a run that ends well",
        ),
        pytest.param(
            in_place,
            ["start r t", "1 MAIN", "1 → 2", "end after 1: 2 messages"],
            id="a node that changes the state in place",
        ),
        pytest.param(
            lambda state: 1 // 0,
            ["start r t", "1 MAIN", "ZeroDivisionError in MAIN at 1"],
            id="a node that raises",
        ),
    ],
)
async def test_lifecycle_hooks_follow_a_run(func: Any, lines: list[str]) -> None:
    callbacks, diary = CallbackManager(), Diary()
    callbacks.register_lifecycle_hook(diary)
    with contextlib.suppress(ZeroDivisionError):
        await answer_of(app_with(callbacks, func), who="Kim", run_id="r", thread_id="t")
    assert diary.lines == lines


class Rewrites(GraphLifecycleHook[AgentState]):
    async def on_state_update(
        self,
        context: GraphLifecycleContext,
        node_name: str,
        old_state: AgentState,
        new_state: AgentState,
        step: int,
    ) -> AgentState:
        return new_state.model_copy(update={"context_summary": "rewritten"})


async def test_a_hook_may_put_another_state_in_place() -> None:
    callbacks = CallbackManager()
    callbacks.register_lifecycle_hook(Rewrites())
    graph = StateGraph().add_node("A", greet).add_node("B", lambda s: s.context_summary)
    graph.set_entry_point("A").add_edge("A", "B").add_edge("B", END)
    assert await answer_of(graph.compile(callback_manager=callbacks), who="Kim") == "rewritten"


class Fails(GraphLifecycleHook[AgentState]):
    async def on_node_start(self, *_: Any) -> None:
        raise OSError("disk full")


async def test_a_hook_that_raises_is_logged_and_changes_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    callbacks = CallbackManager()
    callbacks.register_lifecycle_hook(Fails())
    with caplog.at_level(logging.ERROR):
        assert await answer_of(app_with(callbacks), who="Kim") == "hello Kim"
    assert "disk full" in caplog.text
