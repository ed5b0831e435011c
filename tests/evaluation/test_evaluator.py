"""The library's own way to evaluate: a graph and its collector, on the caller's loop."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.errors import AlreadyCompiledError, TargetError
from tenxgraph_tui.evaluation.collectors import (
    EventCollector,
    PublisherCallback,
    TrajectoryCollector,
    make_trajectory_callback,
)
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet, StepType, ToolCall
from tenxgraph_tui.evaluation.evaluator import AgentEvaluator
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.evaluation.testing.create import create_eval_app
from tenxgraph_tui.graph import END, AgentState, InMemoryCheckpointer, Message, StateGraph, ToolNode
from tenxgraph_tui.graph.callbacks import CallbackManager, InvocationType
from tenxgraph_tui.graph.events import Event

OFFLINE = EvalPresets.combine(EvalPresets.tool_usage(), EvalPresets.quick_check())


def weather_graph() -> StateGraph[AgentState]:
    """MAIN asks for the weather of the last word, TOOL looks it up, MAIN answers."""

    async def get_weather(city: str) -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"city": city, "sky": "clear"}

    def main(state: AgentState) -> Message:
        last = state.context[-1]
        if last.role == "tool":
            return Message.text_message("The sky is clear.", role="assistant")
        city = last.text().split()[-1]
        message = Message.text_message("", role="assistant")
        message.tools_calls = [
            {
                "id": "call_1",
                "type": "function",
                "function": {"name": "get_weather", "arguments": f'{{"city": "{city}"}}'},
            }
        ]
        return message

    def route(state: AgentState) -> str:
        return "TOOL" if state.context[-1].tools_calls else END

    graph = StateGraph[AgentState]()
    graph.add_node("MAIN", main)
    graph.add_node("TOOL", ToolNode([get_weather]))
    graph.add_conditional_edges("MAIN", route, {"TOOL": "TOOL", END: END})
    graph.add_edge("TOOL", "MAIN")
    graph.set_entry_point("MAIN")
    return graph


def weather_set(*cities: str) -> EvalSet:
    return EvalSet(
        eval_set_id="weather",
        eval_cases=[
            EvalCase.single_turn(
                city,
                f"How is {city}",
                "The sky is clear.",
                [ToolCall(name="get_weather", args={"city": city})],
            )
            for city in cities
        ],
    )


async def test_a_pair_from_create_eval_app_is_evaluated() -> None:
    app, collector = create_eval_app(weather_graph())
    report = await AgentEvaluator(app, collector, OFFLINE).evaluate(weather_set("Oslo", "Rome"))
    assert report.passed
    result = report.results[0]
    assert result.node_visits == ["MAIN", "TOOL", "MAIN"]
    assert [(s.step_type, s.name) for s in result.actual_trajectory] == [
        (StepType.NODE, "MAIN"),
        (StepType.NODE, "TOOL"),
        (StepType.TOOL, "get_weather"),
        (StepType.NODE, "MAIN"),
    ]
    assert result.actual_tool_calls[0].result == {"city": "Oslo", "sky": "clear"}
    assert result.actual_response == "The sky is clear."
    assert [m["role"] for m in result.messages] == ["user", "assistant", "tool", "assistant"]


async def test_concurrent_cases_on_one_graph_keep_their_calls_apart() -> None:
    app, collector = create_eval_app(weather_graph())
    cities = [f"city{i}" for i in range(20)]
    evaluator = AgentEvaluator(app, collector, OFFLINE)
    report = await evaluator.evaluate(weather_set(*cities), parallel=True, max_concurrency=10)
    assert [r.eval_id for r in report.results] == cities
    assert [r.actual_tool_calls[0].args["city"] for r in report.results] == cities
    assert collector.get_tool_names() == ["get_weather"] * 20


async def test_a_second_run_does_not_see_the_first() -> None:
    app, collector = create_eval_app(weather_graph())
    evaluator = AgentEvaluator(app, collector, OFFLINE)
    first = await evaluator.evaluate(weather_set("Oslo"))
    second = await evaluator.evaluate(weather_set("Oslo"))
    assert [len(r.results[0].messages) for r in (first, second)] == [4, 4]
    assert collector.get_tool_names() == ["get_weather"]


def test_one_pair_works_from_three_loops_in_turn() -> None:
    app, collector = create_eval_app(weather_graph())
    for _ in range(3):
        report = asyncio.run(AgentEvaluator(app, collector, OFFLINE).evaluate(weather_set("Oslo")))
        assert report.passed


async def test_evaluate_sync_works_inside_a_running_loop() -> None:
    app, collector = create_eval_app(weather_graph())
    assert AgentEvaluator.evaluate_sync(app, collector, weather_set("Oslo"), OFFLINE).passed


async def test_the_manual_wiring_of_the_seed_is_heard_and_counts_tool_nodes() -> None:
    collector = TrajectoryCollector()
    callback = PublisherCallback(collector, config={"thread_id": "run-1"})
    manager = CallbackManager()
    manager.register_after_invoke(InvocationType.AI, callback)
    manager.register_after_invoke(InvocationType.TOOL, callback)
    app = weather_graph().compile(checkpointer=InMemoryCheckpointer(), callback_manager=manager)
    report = await AgentEvaluator(app, collector, OFFLINE).evaluate(weather_set("Oslo"))
    assert report.passed
    assert collector.node_visits == ["MAIN", "TOOL", "MAIN"]
    assert collector.tool_calls[0].args == {"city": "Oslo"}
    assert collector.final_response == "The sky is clear."


async def test_a_collector_that_hears_nothing_makes_the_case_an_error() -> None:
    app = weather_graph().compile(checkpointer=InMemoryCheckpointer())
    report = await AgentEvaluator(app, TrajectoryCollector(), OFFLINE).evaluate(weather_set("Oslo"))
    assert "no events reached the collector" in (report.results[0].error or "")


async def test_raw_events_are_kept_when_asked_for() -> None:
    app, collector = create_eval_app(weather_graph())
    await AgentEvaluator(app, collector, OFFLINE).evaluate(weather_set("Oslo"))
    kept = EventCollector()
    for event in collector.events:
        await kept.on_event(event)
    assert len(kept) == 3
    assert len(kept.filter_by_event(Event.NODE_EXECUTION)) == 2
    assert [e.node_name for e in kept.filter_by_event(Event.TOOL_EXECUTION)] == ["TOOL"]
    assert len(kept.filter_by_node("MAIN")) == 2


def test_a_compiled_graph_is_refused_as_the_seed_says() -> None:
    app, _ = create_eval_app(weather_graph())
    with pytest.raises(AttributeError, match="uncompiled"):
        create_eval_app(app)
    with pytest.raises(AlreadyCompiledError):
        create_eval_app(app)
    with pytest.raises(TargetError, match="not int"):
        create_eval_app(3)


def test_make_trajectory_callback_gives_the_pair_that_compile_takes() -> None:
    given = TrajectoryCollector()
    collector, manager = make_trajectory_callback(given)
    assert collector is given
    assert isinstance(manager, CallbackManager)


async def test_a_case_that_is_skipped_is_in_no_results() -> None:
    app, collector = create_eval_app(weather_graph())
    eval_set = weather_set("Oslo", "Rome")
    eval_set.eval_cases[1].metadata["skip"] = "later"
    report = await AgentEvaluator(app, collector, OFFLINE).evaluate(eval_set)
    assert [r.eval_id for r in report.results] == ["Oslo"]
    assert report.metadata == {"skipped": {"Rome": "later"}}


async def test_the_timeout_of_the_config_is_honoured() -> None:
    async def slow(state: AgentState) -> str:
        await asyncio.sleep(30)
        return state.context[0].text()

    graph = StateGraph[AgentState]()
    graph.add_node("MAIN", slow)
    graph.set_entry_point("MAIN")
    graph.add_edge("MAIN", END)
    app, collector = create_eval_app(graph)
    config = OFFLINE.model_copy(update={"timeout": 0.2})
    report = await AgentEvaluator(app, collector, config).evaluate(weather_set("Oslo"))
    assert report.results[0].error == "timed out after 0.2 s"


async def test_several_turns_send_only_the_new_message_to_a_graph_with_memory() -> None:
    seen: list[list[str]] = []

    def main(state: AgentState) -> str:
        seen.append([message.text() for message in state.context])
        return f"answer {len(seen)}"

    graph = StateGraph[AgentState]()
    graph.add_node("MAIN", main)
    graph.set_entry_point("MAIN")
    graph.add_edge("MAIN", END)
    app, collector = create_eval_app(graph)
    talk = EvalCase.multi_turn("talk", [("yes", "answer 1"), ("yes", "answer 2")])
    result = await AgentEvaluator(app, collector, EvalPresets.quick_check()).evaluate_case(talk)
    assert seen == [["yes"], ["yes", "answer 1", "yes"]]
    assert [m["content"] for m in result.messages] == ["yes", "answer 1", "yes", "answer 2"]
    assert [turn["actual_response"] for turn in result.turn_results] == ["answer 1", "answer 2"]
    assert result.passed


async def test_evaluate_file_imports_the_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_agent.py").write_text("def graph(messages):\n    return 'The sky is clear.'\n")
    (tmp_path / "empty_agent.py").write_text("")
    weather_set("Oslo").to_file(str(tmp_path / "set.json"))
    EvalPresets.quick_check().to_file(str(tmp_path / "config.json"))
    monkeypatch.syspath_prepend(str(tmp_path))
    files = str(tmp_path / "set.json"), str(tmp_path / "config.json")
    assert AgentEvaluator.evaluate_file("my_agent", *files).passed
    with pytest.raises(TargetError, match="exposes none of graph"):
        AgentEvaluator.evaluate_file("empty_agent", *files)
