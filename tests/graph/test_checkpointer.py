from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from pydantic import ConfigDict, Field, PrivateAttr

from tenxgraph_tui.graph import AgentState, GraphError, InMemoryCheckpointer, Message


class Basket(AgentState):
    items: list[str] = Field(default_factory=list)
    _drafts: list[str] = PrivateAttr(default_factory=list)


class Locked(AgentState):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    lock: Any = None


HERE = {"thread_id": "here"}


def test_what_is_kept_does_not_change_with_what_was_given() -> None:
    kept = InMemoryCheckpointer[Basket]()
    basket = Basket(items=["pen"])
    basket._drafts.append("a")
    kept.put_state(HERE, basket)
    basket.items.append("ink")
    basket._drafts.append("b")
    basket.context.append(Message.text_message("late"))
    first = kept.get_state(HERE)
    assert first is not None
    assert (first.items, first._drafts, first.context) == (["pen"], ["a"], [])
    first.items.append("cap")
    second = kept.get_state(HERE)
    assert second is not None
    assert second.items == ["pen"]


def test_threads_are_apart_and_can_be_forgotten() -> None:
    kept = InMemoryCheckpointer[AgentState]()
    kept.put_state(HERE, AgentState(context_summary="x"))
    assert kept.get_state({"thread_id": "there"}) is None
    assert kept.clear_state(HERE)
    assert not kept.clear_state(HERE)
    assert kept.get_state(HERE) is None


def test_a_number_and_its_text_name_the_same_thread() -> None:
    kept = InMemoryCheckpointer[AgentState]()
    kept.put_state({"thread_id": 7}, AgentState(context_summary="x"))
    assert kept.get_state({"thread_id": "7"}) is not None


def test_it_works_from_several_loops_in_turn() -> None:
    kept = InMemoryCheckpointer[AgentState]()
    asyncio.run(kept.aput_state(HERE, AgentState(context_summary="x")))
    found = asyncio.run(kept.aget_state(HERE))
    assert found is not None
    assert found.context_summary == "x"
    assert asyncio.run(kept.aclear_state(HERE))


@pytest.mark.parametrize(
    ("config", "state", "reason"),
    [
        pytest.param({}, AgentState(), "names no thread", id="no thread"),
        pytest.param(
            HERE, Locked(lock=threading.Lock()), "Locked cannot be copied .* outside", id="a lock"
        ),
    ],
)
def test_what_cannot_be_kept_is_refused(
    config: dict[str, Any], state: AgentState, reason: str
) -> None:
    with pytest.raises(GraphError, match=reason):
        InMemoryCheckpointer[AgentState]().put_state(config, state)
