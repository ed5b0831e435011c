"""Agents that are no graphs and say themselves what they do."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

import tenxgraph_tui
from tenxgraph_tui import record_node, record_tool_call
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.objects import ObjectSource
from tenxgraph_tui.evaluation.results import EvalCaseResult
from tenxgraph_tui.evaluation.watched import WatchedEvaluation
from tests.evaluation.agents import QUIET

WRONG: Any = 7


def evaluated(agent: Callable[..., Any], *texts: str) -> list[EvalCaseResult]:
    cases = [EvalCase.single_turn(text, text, "ok") for text in texts]
    eval_set = EvalSet(eval_set_id="s", eval_cases=cases)
    config = QUIET.model_copy(update={"parallel": True, "max_concurrency": 10})
    return WatchedEvaluation(eval_set, ObjectSource(agent), config).here().results


def home_made(text: str) -> str:
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    record_node("PLAN", response="look it up", usage=usage, model="gpt-5")
    record_tool_call("look_up", {"of": text}, result={"pages": [1, 2]})
    record_node("WRITE")
    record_tool_call("spell", error=LookupError("no such word"))
    return "ok"


async def home_made_later(text: str) -> str:
    await asyncio.sleep(0)
    return home_made(text)


def home_made_in_a_thread(text: str) -> Any:
    return home_made_later(text)


@pytest.mark.parametrize(
    "agent", [home_made, home_made_later, home_made_in_a_thread], ids=lambda agent: agent.__name__
)
def test_each_case_has_the_calls_and_nodes_that_were_made_in_it(agent: Any) -> None:
    texts = [f"case {number}" for number in range(12)]
    for text, result in zip(texts, evaluated(agent, *texts), strict=True):
        calls = [(c.name, c.args, c.result, c.error) for c in result.actual_tool_calls]
        assert calls == [
            ("look_up", {"of": text}, {"pages": [1, 2]}, None),
            ("spell", {}, None, "LookupError: no such word"),
        ]
        steps = [step.name for step in result.actual_trajectory]
        assert steps == ["PLAN", "look_up", "WRITE", "spell"]
        assert result.node_visits == ["PLAN", "WRITE"]
        assert (result.actual_response, result.agent_token_usage.total_tokens) == ("ok", 9)
        assert result.passed


def test_outside_an_evaluation_nothing_happens() -> None:
    assert home_made("hi") == "ok"


def test_what_comes_after_the_case_is_no_part_of_it() -> None:
    may_go_on, threads = threading.Event(), []

    def agent(text: str) -> str:
        import contextvars

        def late() -> None:
            may_go_on.wait(30)
            record_tool_call("late")

        thread = threading.Thread(target=contextvars.copy_context().run, args=(late,))
        threads.append(thread)
        thread.start()
        return "ok"

    (result,) = evaluated(agent, "hi")
    may_go_on.set()
    threads[0].join(30)
    assert result.actual_tool_calls == []


@pytest.mark.parametrize(
    ("record", "told"),
    [
        pytest.param(lambda: record_tool_call(WRONG), "the name of a tool", id="no name"),
        pytest.param(lambda: record_tool_call("f", WRONG), "needs args such as", id="no arguments"),
        pytest.param(lambda: record_node(WRONG), "the name of a node", id="no node"),
        pytest.param(lambda: record_node("A", usage=7), "the usage of a message is 7", id="usage"),
    ],
)
def test_a_mistake_is_found_outside_an_evaluation_too(
    record: Callable[[], None], told: str
) -> None:
    with pytest.raises(TypeError, match=told):
        record()


def test_they_are_public() -> None:
    assert {"record_node", "record_tool_call"} <= set(tenxgraph_tui.evaluation.__all__)
