"""Graphs of LangGraph, recorded as an evaluation records them."""

from __future__ import annotations

import asyncio
import operator
import warnings
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypedDict

import pytest

pytest.importorskip("langgraph", reason="needs the extra langgraph")

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphRecursionError
from langgraph.func import entrypoint
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command, Send, interrupt

from tenxgraph_tui.adapters import runnable_of
from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tests.adapters.langgraph.scripted import Scripted, graph_of, loop_of, says

Hold = Callable[..., Awaitable[ExecutionResult]]
State = dict[str, Any]


async def get_weather(city: str) -> dict[str, str]:
    """The weather."""
    return {"city": city}


ROME = ("get_weather", {"city": "Rome"})
SCRIPT = {"hi": [says("", ROME, ROME), says("sunny")], "and now": [says("so", ROME), says("rain")]}


def prebuilt() -> Any:
    with warnings.catch_warnings(action="ignore"):  # it is deprecated, and in use
        from langgraph.prebuilt import create_react_agent

        return create_react_agent(Scripted(script=SCRIPT), [get_weather])


def made_by_langchain() -> Any:
    from langchain.agents import create_agent

    return create_agent(Scripted(script=SCRIPT), [get_weather])


@pytest.mark.parametrize(
    ("build", "names"),
    [
        pytest.param(lambda: loop_of([get_weather], SCRIPT), "MAIN TOOL", id="not compiled"),
        pytest.param(lambda: loop_of([get_weather], SCRIPT).compile(), "MAIN TOOL", id="compiled"),
        pytest.param(
            lambda: loop_of([get_weather], SCRIPT).compile(checkpointer=InMemorySaver()),
            "MAIN TOOL",
            id="compiled with a checkpointer",
        ),
        pytest.param(prebuilt, "agent tools", id="create_react_agent"),
        pytest.param(made_by_langchain, "model tools", id="create_agent"),
    ],
)
async def test_any_kind_of_graph_is_recorded_alike(
    build: Callable[[], Any], names: str, hold: Hold
) -> None:
    execution = await hold(build(), "hi", "and now")
    model, tools = names.split()
    assert execution.node_visits == [model, tools, model] * 2
    assert [(call.name, call.result) for call in execution.tool_calls] == [ROME] * 3
    assert execution.responses() == ["sunny", "rain"]
    assert execution.token_usage.input_tokens == 40
    roles = "user assistant tool tool assistant user assistant tool assistant"
    assert [message["role"] for message in execution.messages] == roles.split()
    assert [reply.node_name for reply in execution.node_responses] == [model] * 4
    assert [len(reply.input_messages) for reply in execution.node_responses] == [1, 4, 6, 8]


def counts(state: State) -> State:
    return {"messages": [("ai", str(len(state["messages"])))]}


@pytest.mark.parametrize("memory", [None, InMemorySaver()], ids=["without memory", "with memory"])
async def test_on_the_third_turn_a_graph_sees_five_messages(memory: Any, hold: Hold) -> None:
    app = graph_of(counts).compile(checkpointer=memory)
    execution = await hold(app, "yes", "yes", "yes")
    assert execution.responses() == ["1", "3", "5"]
    assert len(execution.messages) == 6


class Counted(MessagesState):  # type: ignore[misc]  # untyped: it may not be installed
    seen: Annotated[list[str], operator.add]


async def test_without_memory_the_whole_state_goes_on_in_the_next_turn(hold: Hold) -> None:
    def remembers(state: State) -> State:
        said = state["messages"][-1].text
        return {"seen": [said], "messages": [("ai", " ".join([*state["seen"], said]))]}

    execution = await hold(graph_of(remembers, state=Counted), "one", "two", "three")
    assert execution.responses() == ["one", "one two", "one two three"]


async def test_attempts_do_not_see_each_other(hold: Hold) -> None:
    app = graph_of(counts).compile(checkpointer=InMemorySaver())
    for _ in range(2):
        assert (await hold(app, "hi", "hi")).responses() == ["1", "3"]


async def test_what_others_said_on_a_shared_thread_is_not_recorded_again(hold: Hold) -> None:
    app = graph_of(counts).compile(checkpointer=InMemorySaver())
    config = {"thread_id": "t", "share_thread": True}
    await hold(app, "hi", config=config)
    execution = await hold(app, "hi", config=config)
    assert execution.actual_response == "3"
    assert [message["content"] for message in execution.messages] == ["hi", "3"]


class Fields(MessagesState):  # type: ignore[misc]  # untyped: it may not be installed
    locale: str


async def test_the_session_is_the_state_and_the_config_of_the_run(
    hold: Hold, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[Any] = []

    def look(state: State, config: RunnableConfig) -> State:
        seen.append((state["locale"], config["configurable"]["user_id"], config["recursion_limit"]))
        seen.append(config["configurable"]["tenant"])
        return {"messages": [("ai", "ok")]}

    earlier = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hello you"}]
    config = {"recursion_limit": 7, "configurable": {"tenant": "a"}}
    state = {"locale": "fr", "mood": "good", "messages": earlier}
    execution = await hold(
        graph_of(look, state=Fields), "hi", state=state, config=config, user_id="u1"
    )
    assert seen == [("fr", "u1", 7), "a"]
    assert "session_input.state has mood, which the graph's state has not" in caplog.text
    assert [message["content"] for message in execution.messages] == ["hi", "ok"]


@pytest.mark.parametrize(
    "returned",
    [
        pytest.param({"messages": [AIMessage("ok")]}, id="a message in a list"),
        pytest.param({"messages": AIMessage("ok")}, id="a message"),
        pytest.param({"messages": "ok"}, id="a text, which is the user's"),
        pytest.param({"messages": [{"role": "assistant", "content": "ok"}]}, id="a dict"),
        pytest.param({"messages": [("assistant", "ok")]}, id="a pair"),
        pytest.param(Command(update={"messages": [HumanMessage("ok")]}), id="a command"),
        pytest.param([Command(update={"messages": [("ai", "ok")]})], id="commands"),
    ],
)
@pytest.mark.parametrize("memory", [None, InMemorySaver()], ids=["without memory", "with memory"])
async def test_whatever_a_node_returns_is_recorded_once(
    returned: Any, memory: Any, hold: Hold
) -> None:
    def answers(state: State) -> Any:
        return returned

    execution = await hold(graph_of(answers).compile(checkpointer=memory), "hi")
    assert execution.actual_response == "ok"
    assert [message["content"] for message in execution.messages] == ["hi", "ok"]
    assert execution.node_visits == ["answers"]


async def test_a_node_may_return_what_there_was_before_too(hold: Hold) -> None:
    def first(state: State) -> State:
        return {"messages": [*state["messages"], {"role": "assistant", "content": "yes"}]}

    def second(state: State) -> State:
        return {"messages": [*state["messages"], ("ai", "yes")]}

    execution = await hold(graph_of(first, second), "yes", "yes")
    assert [message["content"] for message in execution.messages] == ["yes"] * 6


async def test_messages_that_a_node_removes_were_said(hold: Hold) -> None:
    def draft(state: State) -> State:
        return {"messages": [AIMessage("draft")]}

    def final(state: State) -> State:
        return {"messages": [RemoveMessage(state["messages"][-1].id), AIMessage("final")]}

    execution = await hold(graph_of(draft, final), "hi")
    assert [message["content"] for message in execution.messages] == ["hi", "draft", "final"]
    assert execution.actual_response == "final"


@pytest.mark.parametrize("slower", ["left", "right"])
async def test_of_nodes_that_run_at_once_the_faster_one_has_no_say(slower: str, hold: Hold) -> None:
    """The state has their messages in the order of the graph, and so has what is recorded."""
    other_is_done = asyncio.Event()

    def says_later(name: str) -> Any:
        async def node(state: State) -> State:
            if name == slower:
                await other_is_done.wait()
            other_is_done.set()
            return {"messages": [AIMessage(name)]}

        return node

    graph = StateGraph(MessagesState)
    for name in ("left", "right"):
        graph.add_node(name, says_later(name))
        graph.add_edge(START, name)
        graph.add_edge(name, END)
    execution = await hold(graph, "hi")
    assert [message["content"] for message in execution.messages] == ["hi", "left", "right"]
    assert execution.node_visits == ["left", "right"]
    assert execution.actual_response == "right"


async def test_a_node_that_is_sent_to_many_times_at_once_is_one_visit(hold: Hold) -> None:
    def work(state: State) -> State:
        return {"messages": [("ai", state["task"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("work", work)
    graph.add_conditional_edges(START, lambda _: [Send("work", {"task": t}) for t in "abc"])
    execution = await hold(graph, "hi")
    assert execution.node_visits == ["work"]
    assert [message["content"] for message in execution.messages] == ["hi", "a", "b", "c"]


async def test_the_calls_of_an_agent_that_is_a_node_are_recorded_and_its_nodes_are_not(
    hold: Hold,
) -> None:
    script = {"hi": [says("", ROME, ("nothing", {})), says("inner")]}
    graph = StateGraph(MessagesState)
    graph.add_node("expert", loop_of([get_weather], script).compile())
    graph.add_node("last", lambda state: {"messages": [("ai", "outer")]})
    graph.add_edge(START, "expert")
    graph.add_edge("expert", "last")
    execution = await hold(graph, "hi")
    assert execution.node_visits == ["expert", "last"]
    assert [(call.name, call.result) for call in execution.tool_calls] == [ROME, ("nothing", None)]
    assert [reply.node_name for reply in execution.node_responses] == ["expert", "expert", "last"]
    assert execution.token_usage.total_tokens == 24
    assert execution.actual_response == "outer"
    assert len(execution.messages) == 6


async def test_the_calls_of_an_agent_inside_a_function_are_recorded_though_they_stay_inside(
    hold: Hold,
) -> None:
    script = {"hi": [says("", ROME, ("nothing", {})), says("inner")]}
    inner = loop_of([get_weather], script).compile()

    async def expert(state: State) -> State:
        answer = await inner.ainvoke({"messages": state["messages"]})
        return {"messages": [AIMessage(f"it says {answer['messages'][-1].text}")]}

    execution = await hold(graph_of(expert), "hi")
    assert execution.node_visits == ["expert"]
    failed = [(call.name, bool(call.error)) for call in execution.tool_calls]
    assert failed == [("get_weather", False), ("nothing", True)]
    assert execution.token_usage.total_tokens == 24
    assert execution.actual_response == "it says inner"


async def test_an_agent_that_hands_over_to_another_is_recorded(hold: Hold) -> None:
    def hand_over(state: State) -> Any:
        update = {"messages": [AIMessage("ask sales")]}
        return Command(goto="sales", update=update, graph=Command.PARENT)

    graph = StateGraph(MessagesState)
    graph.add_node("front", graph_of(hand_over).compile(), destinations=("sales",))
    graph.add_node("sales", lambda state: {"messages": [("ai", "here is sales")]})
    graph.add_edge(START, "front")
    execution = await hold(graph, "hi")
    assert execution.node_visits == ["front", "sales"]
    said = [message["content"] for message in execution.messages]
    assert said == ["hi", "ask sales", "here is sales"]


async def test_a_model_without_langchain_is_recorded_by_its_messages(hold: Hold) -> None:
    usage = {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11}
    details = {"input_token_details": {"cache_read": 4, "cache_creation": 1}}

    def calls_an_api(state: State) -> State:
        message = AIMessage(
            [{"type": "text", "text": "o"}, {"type": "text", "text": "k"}],
            usage_metadata={**usage, **details},
            response_metadata={"model_name": "gpt-5"},
        )
        return {"messages": [message]}

    execution = await hold(graph_of(calls_an_api), "hi")
    (reply,) = execution.node_responses
    assert (reply.response_text, reply.model) == ("ok", "gpt-5")
    assert [message["content"] for message in reply.input_messages] == ["hi"]
    assert list(reply.token_usage.to_dict().values()) == [9, 2, 4, 1, 11]


async def test_callbacks_of_the_user_are_called_too(hold: Hold) -> None:
    ended: list[Any] = []

    class Theirs(BaseCallbackHandler):  # type: ignore[misc]  # untyped: it may not be installed
        def on_chain_end(self, outputs: Any, **more: Any) -> None:
            ended.append(outputs)

    app = graph_of(counts).compile().with_config(callbacks=[Theirs()])
    assert (await hold(app, "hi")).node_visits == ["counts"]
    assert ended


def asks_somebody(state: State) -> State:
    return {"messages": [("ai", interrupt("Shall I?"))]}


@pytest.mark.parametrize(
    ("node", "options", "where"),
    [
        pytest.param(asks_somebody, {}, "", id="by an interrupt"),
        pytest.param(counts, {"interrupt_before": ["counts"]}, " before counts", id="at a node"),
    ],
)
async def test_a_graph_that_waits_for_somebody_is_an_error(
    node: Any, options: dict[str, Any], where: str, hold: Hold
) -> None:
    app = graph_of(node).compile(checkpointer=InMemorySaver(), **options)
    with pytest.raises(TargetError, match=f"the graph paused{where} and waits for somebody"):
        await hold(app, "hi")


async def test_a_graph_that_does_not_end_is_an_error_with_what_it_did(hold: Hold) -> None:
    script = {"hi": [says("", ROME)] * 9}
    kept: list[ExecutionResult] = []
    with pytest.raises(GraphRecursionError, match="Recursion limit of 6"):
        await hold(loop_of([get_weather], script), "hi", config={"recursion_limit": 6}, kept=kept)
    assert [call.result for call in kept[0].tool_calls] == [ROME[1]] * 3


async def test_a_node_that_says_it_was_cancelled_is_an_ordinary_error(hold: Hold) -> None:
    async def gives_up(state: State) -> State:
        raise asyncio.CancelledError("hi")

    with pytest.raises(Exception, match=r"'gives_up' raised .*CancelledError"):
        await asyncio.ensure_future(hold(graph_of(counts, gives_up), "hi"))


class Question(TypedDict):
    question: str


@entrypoint()  # type: ignore[untyped-decorator]  # it may not be installed
def workflow(question: str) -> str:
    return question


@pytest.mark.parametrize(
    ("found", "fields"),
    [(graph_of(counts, state=Question), "question"), (workflow, "no fields")],
    ids=["another state", "a workflow of functions"],
)
def test_a_state_without_messages_says_what_to_do(found: Any, fields: str) -> None:
    with pytest.raises(TargetError, match=rf"has no messages \(it has: {fields}\): name a"):
        runnable_of(found)


def test_nodes_and_messages_are_nothing_to_evaluate() -> None:
    from langgraph.prebuilt import ToolNode

    assert runnable_of(ToolNode([])) is None
