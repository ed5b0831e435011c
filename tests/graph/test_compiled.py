# Nodes, tools and callbacks get their arguments by name, used or not.
from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import Field

from tenxgraph_tui.graph import (
    END,
    AgentState,
    GraphError,
    GraphRecursionError,
    InMemoryCheckpointer,
    Message,
    ResponseGranularity,
    StateGraph,
    ToolNode,
)


class Profile(AgentState):
    locale: str = "en"
    seen: list[str] = Field(default_factory=list)


def one_node(func: Callable[..., Any], state: Any = None) -> StateGraph[Any]:
    return StateGraph(state).add_node("MAIN", func).set_entry_point("MAIN").add_edge("MAIN", END)


def said(text: str) -> dict[str, Any]:
    return {"messages": [Message.text_message(text)]}


def texts(answer: dict[str, Any]) -> list[str]:
    return [message.text() for message in answer["messages"]]


async def nothing(state: AgentState) -> None: ...


def listed(state: AgentState) -> list[Message | str]:
    return [Message.text_message("a"), "b"]


def changed(state: AgentState) -> AgentState:
    state.context.append(Message.text_message("in place"))
    return state


def copied(state: AgentState) -> AgentState:
    twin = state.model_copy(deep=True)
    twin.context.append(Message.text_message("in a copy"))
    return twin


def shortened(state: AgentState) -> AgentState:
    state.context = [Message.text_message("summary")]
    return state


def whole(state: AgentState) -> list[Message]:
    return [*state.context, Message.text_message("at the end")]


class Agent:
    async def __call__(self, state: AgentState, config: dict[str, Any]) -> str:
        return f"{config['mood']} in {config['_node_name']}"


@pytest.mark.parametrize(
    ("node", "new"),
    [
        pytest.param(lambda state: "text", ["text"], id="a text"),
        pytest.param(lambda s: Message.text_message("m"), ["m"], id="a message, any parameter"),
        pytest.param(listed, ["a", "b"], id="a list"),
        pytest.param(nothing, [], id="nothing"),
        pytest.param(changed, ["in place"], id="its state, changed in place"),
        pytest.param(copied, ["in a copy"], id="a copy of its state"),
        pytest.param(shortened, ["summary"], id="a state with a shorter context"),
        pytest.param(whole, ["at the end"], id="the whole context and one more"),
        pytest.param(Agent(), ["calm in MAIN"], id="an object, with the config"),
        pytest.param(lambda a, b: b["mood"], ["calm"], id="state and config by position"),
    ],
)
async def test_what_a_node_may_return(node: Callable[..., Any], new: list[str]) -> None:
    answer = await one_node(node).compile().ainvoke(said("hi"), {"mood": "calm"})
    assert texts(answer) == ["hi", *new]


@pytest.mark.parametrize("returned", [{"text": "x"}, 3, [3.5]], ids=["a dict", "a number", "list"])
async def test_what_a_node_may_not_return(returned: Any) -> None:
    with pytest.raises(GraphError, match=r"node 'MAIN' returned an? .*; a node returns a Message"):
        await one_node(lambda state: returned).compile().ainvoke(said("hi"))


async def test_a_state_of_another_class_is_refused() -> None:
    with pytest.raises(GraphError, match=r"returned an AgentState, but the state .* is a Profile"):
        await one_node(lambda state: AgentState(), Profile).compile().ainvoke(said("hi"))


async def test_an_error_of_a_node_is_raised_as_it_is_and_names_the_node() -> None:
    def fails(state: AgentState) -> str:
        raise KeyError("city")

    with pytest.raises(KeyError) as caught:
        await one_node(fails).compile().ainvoke(said("hi"))
    assert caught.value.__notes__ == ["in node 'MAIN' (step 1)"]


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        pytest.param([], 'needs "messages"', id="none"),
        pytest.param([{"role": "user"}], r"messages\[0\] is a dict, not a Message", id="dicts"),
    ],
)
async def test_input_that_is_no_messages_is_refused(messages: Any, reason: str) -> None:
    with pytest.raises(GraphError, match=reason):
        await one_node(nothing).compile().ainvoke({"messages": messages})


async def test_the_beginning_counts_towards_the_recursion_limit() -> None:
    visits: list[str] = []

    def again(state: AgentState, config: dict[str, Any]) -> None:
        visits.append(config["_node_name"])

    app = StateGraph().add_node("A", again).set_entry_point("A").add_edge("A", "A").compile()
    with pytest.raises(GraphRecursionError, match="recursion_limit=25 steps"):
        await app.ainvoke(said("hi"))
    assert len(visits) == 24


@pytest.mark.parametrize("limit", [0, -1, "25", True, None])
async def test_a_recursion_limit_that_is_none_is_refused(limit: Any) -> None:
    with pytest.raises(GraphError, match="must be a whole number"):
        await one_node(nothing).compile().ainvoke(said("hi"), {"recursion_limit": limit})


@pytest.mark.parametrize(
    ("answer", "path_map", "reason"),
    [
        pytest.param("B", None, "gave 'B', but there is no such node", id="an unknown node"),
        pytest.param("b", {"a": END}, "gave 'b', which leads nowhere", id="no key of the map"),
        pytest.param(None, None, "gave None, which leads nowhere", id="nothing"),
    ],
)
async def test_a_choice_that_leads_nowhere_is_an_error(
    answer: Any, path_map: dict[str, str] | None, reason: str
) -> None:
    graph = StateGraph().add_node("A", nothing).set_entry_point("A")
    graph.add_conditional_edges("A", lambda state: answer, path_map)
    with pytest.raises(GraphError, match=reason):
        await graph.compile().ainvoke(said("hi"))


async def test_a_choice_that_has_no_opinion_takes_the_plain_edge() -> None:
    graph = StateGraph().add_node("A", lambda s: "a").add_node("B", lambda s: "b")
    graph.set_entry_point("A").add_conditional_edges("A", lambda s: "?", {"x": END})
    graph.add_edge("A", "B")
    assert texts(await graph.compile().ainvoke(said("hi"))) == ["hi", "a", "b"]


async def test_a_condition_that_raises_ends_the_run() -> None:
    graph = StateGraph().add_node("A", nothing).set_entry_point("A")
    graph.add_conditional_edges("A", lambda state: 1 // 0)
    with pytest.raises(ZeroDivisionError) as caught:
        await graph.compile().ainvoke(said("hi"))
    assert caught.value.__notes__ == ["in node 'A' (step 1)"]


async def test_a_tool_node_without_a_request_is_an_error() -> None:
    graph = one_node(nothing).override_node("MAIN", ToolNode([]))
    with pytest.raises(GraphError, match="the last message asks for no tool"):
        await graph.compile().ainvoke(said("hi"))


async def test_ids_are_kept_when_given_and_made_up_when_not() -> None:
    def ids(state: AgentState, config: dict[str, Any]) -> str:
        return f"{config['run_id']} {config['thread_id']}"

    app = one_node(ids).compile()
    assert texts(await app.ainvoke(said("hi"), {"run_id": "r", "thread_id": 7}))[-1] == "r 7"
    first, second = [texts(await app.ainvoke(said("hi")))[-1] for _ in "ab"]
    assert first != second


async def test_known_state_fields_are_set_and_others_ignored() -> None:
    app = one_node(lambda state: state.locale, Profile).compile()
    answer = await app.ainvoke({**said("hi"), "state": {"locale": "fr", "nope": 1, "context": []}})
    assert texts(answer) == ["hi", "fr"]
    assert app.state_fields == {"locale", "seen"}


async def test_runs_do_not_share_the_prototype() -> None:
    def note(state: Profile) -> str:
        state.seen.append("x")
        return str(len(state.seen))

    app = one_node(note, Profile(locale="de")).compile()
    assert [texts(await app.ainvoke(said("hi")))[-1] for _ in "abc"] == ["1", "1", "1"]


@pytest.mark.parametrize(
    ("granularity", "keys"),
    [
        pytest.param(ResponseGranularity.LOW, {"messages"}, id="low"),
        pytest.param(ResponseGranularity.PARTIAL, {"messages", "context", "summary"}, id="partial"),
        pytest.param(ResponseGranularity.FULL, {"messages", "state"}, id="full"),
    ],
)
async def test_granularity(granularity: ResponseGranularity, keys: set[str]) -> None:
    answer = await one_node(nothing).compile().ainvoke(said("hi"), None, granularity)
    assert set(answer) == keys


def count(state: AgentState) -> str:
    return str(len(state.context))


async def test_with_a_checkpointer_a_thread_goes_on() -> None:
    app = one_node(count).compile(InMemoryCheckpointer())
    here, there = {"thread_id": "here"}, {"thread_id": "there"}
    answers = [texts(await app.ainvoke(said("yes"), c))[-1] for c in (here, here, there)]
    assert answers == ["1", "3", "1"]


async def test_without_a_checkpointer_every_run_begins_anew() -> None:
    app = one_node(count).compile()
    thread = {"thread_id": "t"}
    assert [texts(await app.ainvoke(said("yes"), thread))[-1] for _ in "ab"] == ["1", "1"]


async def test_a_failed_turn_stays_in_the_thread() -> None:
    def first_fails(state: AgentState) -> str:
        if len(state.context) == 1:
            raise OSError("disk full")
        return " ".join(m.text() for m in state.context)

    app = one_node(first_fails).compile(InMemoryCheckpointer())
    thread = {"thread_id": "t"}
    with pytest.raises(OSError, match="disk full"):
        await app.ainvoke(said("one"), thread)
    assert texts(await app.ainvoke(said("two"), thread))[-1] == "one two"


def test_one_graph_works_on_several_loops_in_turn() -> None:
    app = one_node(count).compile(InMemoryCheckpointer())
    answers = [
        texts(asyncio.run(app.ainvoke(said("hi"), {"thread_id": "t"})))[-1] for _ in range(3)
    ]
    assert answers == ["1", "3", "5"]
    assert asyncio.run(app.aclose()) == {"status": "closed"}


def test_invoke_needs_no_loop() -> None:
    assert texts(one_node(count).compile().invoke(said("hi"))) == ["hi", "1"]


async def test_invoke_says_what_to_write_on_a_loop() -> None:
    with pytest.raises(RuntimeError, match=r"write `await graph.ainvoke"):
        one_node(count).compile().invoke(said("hi"))


async def test_override_node_of_a_compiled_graph() -> None:
    app = one_node(count).compile().override_node("MAIN", lambda state: "mocked")
    assert texts(await app.ainvoke(said("hi"))) == ["hi", "mocked"]
    with pytest.raises(GraphError, match="there is no node 'B'; the nodes are: MAIN"):
        app.override_node("B", count)


async def test_a_node_that_exits_leaves_its_mark_in_the_state_and_exits() -> None:
    checkpointer = InMemoryCheckpointer[AgentState]()

    async def leaves(state: AgentState) -> str:
        raise SystemExit(3)

    app = one_node(leaves).compile(checkpointer)
    task = app.ainvoke(said("hi"), {"thread_id": "t"})
    with pytest.raises(SystemExit):  # awaited, not a task: it would end the loop
        await task
    kept = checkpointer.get_state({"thread_id": "t"})
    assert kept is not None
    assert [m.text() for m in kept.context] == ["hi"]


async def test_execution_meta_follows_the_run() -> None:
    answer = (
        await one_node(nothing)
        .compile()
        .ainvoke(said("hi"), {"thread_id": "t"}, ResponseGranularity.FULL)
    )
    meta = answer["state"].execution_meta
    assert not answer["state"].is_running()
    assert (meta.current_node, meta.step, meta.status, meta.thread_id) == (END, 1, "completed", "t")
