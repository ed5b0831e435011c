"""The library's own way to evaluate: a graph and its collector, on the caller's loop."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from tenxgraph_tui.errors import AlreadyCompiledError, EvalSetError, TargetError
from tenxgraph_tui.evaluation.collectors import (
    EventCollector,
    PublisherCallback,
    TrajectoryCollector,
    make_trajectory_callback,
)
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalCase, StepType
from tenxgraph_tui.evaluation.evaluator import AgentEvaluator
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.evaluation.testing.create import create_eval_app
from tenxgraph_tui.graph import END, AgentState, InMemoryCheckpointer, StateGraph
from tenxgraph_tui.graph.callbacks import CallbackManager, InvocationType
from tenxgraph_tui.graph.events import Event
from tests.evaluation.agents import QUIET, files_in, weather_graph, weather_set

OFFLINE = EvalPresets.combine(EvalPresets.tool_usage(), EvalPresets.quick_check())
OFFLINE.reporter.enabled = False


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


async def test_one_pair_works_for_two_evaluators_at_once() -> None:
    app, collector = create_eval_app(weather_graph())
    cities = [[f"{group}{i}" for i in range(10)] for group in ("north", "south")]
    reports = await asyncio.gather(
        *(
            AgentEvaluator(app, collector, OFFLINE).evaluate(weather_set(*names), parallel=True)
            for names in cities
        )
    )
    for names, report in zip(cities, reports, strict=True):
        assert report.passed
        assert [r.actual_tool_calls[0].args["city"] for r in report.results] == names


async def test_b89_evaluate_sync_works_inside_a_running_loop_and_from_a_thread() -> None:
    given = *create_eval_app(weather_graph()), weather_set("Oslo"), OFFLINE
    assert AgentEvaluator.evaluate_sync(*given).passed
    assert (await asyncio.to_thread(AgentEvaluator.evaluate_sync, *given)).passed


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


@pytest.mark.parametrize("exposed", ["graph()", "graph().compile()", "create_eval_app(graph())"])
@pytest.mark.parametrize("name", ["graph", "compiled_graph", "agent_graph", "app"])
async def test_d38_evaluate_file_hears_what_a_module_exposes(
    exposed: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = f"exposes_{name}_{len(exposed)}"
    (tmp_path / f"{module}.py").write_text(
        "from tenxgraph_tui.evaluation import create_eval_app\n"
        "from tests.evaluation.agents import weather_graph as build\n"
        f"{name} = {exposed.replace('graph()', 'build()')}\n"
    )
    weather_set("Oslo").to_file(str(tmp_path / "set.json"))
    OFFLINE.to_file(str(tmp_path / "config.json"))
    monkeypatch.syspath_prepend(str(tmp_path))
    files = str(tmp_path / "set.json"), str(tmp_path / "config.json")
    report = await AgentEvaluator.evaluate_file(module, *files)
    assert report.passed
    assert report.results[0].node_visits == ["MAIN", "TOOL", "MAIN"]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        pytest.param("", "silent.py exposes none of graph, compiled_graph", id="nothing to run"),
        pytest.param("import nowhere", "silent could not be imported: No module", id="an import"),
        pytest.param("1 / 0", "silent could not be imported: ZeroDivisionError", id="an exception"),
    ],
)
async def test_evaluate_file_says_what_is_wrong_with_a_module(
    code: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "silent.py").write_text(code)
    weather_set("Oslo").to_file(str(tmp_path / "set.json"))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "silent", raising=False)
    with pytest.raises(TargetError, match=told):
        await AgentEvaluator.evaluate_file("silent", str(tmp_path / "set.json"))


async def test_reporters_run_after_an_evaluation_unless_they_are_switched_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app, collector = create_eval_app(weather_graph())
    config = OFFLINE.model_copy(deep=True)
    config.reporter.html = config.reporter.console = False
    await AgentEvaluator(app, collector, config).evaluate(weather_set("Oslo"))
    assert files_in(tmp_path) == []
    config.reporter.enabled = True
    evaluator = AgentEvaluator(app, collector, config)
    await evaluator.evaluate(weather_set("Oslo"), reports=False)
    assert files_in(tmp_path) == []
    await evaluator.evaluate(weather_set("Oslo"))
    await evaluator.evaluate(weather_set("Oslo"), output_dir="elsewhere")
    assert [len(files_in(tmp_path / name)) for name in ("eval_reports", "elsewhere")] == [1, 1]


async def test_the_config_says_how_many_cases_run_at_once() -> None:
    running = most = 0

    async def count(state: AgentState) -> str:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.01)
        running -= 1
        return state.context[0].text()

    graph = StateGraph[AgentState]()
    graph.add_node("MAIN", count)
    graph.set_entry_point("MAIN")
    graph.add_edge("MAIN", END)
    app, collector = create_eval_app(graph)
    eval_set = weather_set(*"abcdefgh")

    async def seen(config: EvalConfig, **given: Any) -> int:
        nonlocal most
        most = 0
        await AgentEvaluator(app, collector, config).evaluate(eval_set, **given)
        return most

    parallel = OFFLINE.model_copy(update={"parallel": True, "max_concurrency": 3})
    assert await seen(OFFLINE) == 1
    assert await seen(parallel) == 3
    assert await seen(parallel, max_concurrency=5) == 5
    assert await seen(parallel, parallel=False) == 1
    assert await seen(OFFLINE, parallel=True) == OFFLINE.max_concurrency
    with pytest.raises(ValueError, match="max_concurrency must be at least 1, not 0"):
        await seen(parallel, max_concurrency=0)


async def test_an_eval_set_is_given_as_a_path_too(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    weather_set("Oslo").to_file(str(path))
    app, collector = create_eval_app(weather_graph())
    evaluator = AgentEvaluator(app, collector, OFFLINE)
    assert (await evaluator.evaluate(str(path))).passed
    assert (await evaluator.evaluate(path)).passed  # type: ignore[arg-type]  # pathlib works too
    with pytest.raises(FileNotFoundError, match=r"nope\.json"):
        await evaluator.evaluate("nope.json")
    with pytest.raises(TypeError, match="needs an EvalSet or the path of one, not int"):
        await evaluator.evaluate(3)  # type: ignore[arg-type]  # the mistake


async def test_objects_of_another_package_are_read_by_their_fields() -> None:
    class TheirSet(BaseModel):
        eval_set_id: str
        eval_cases: list[dict[str, Any]]

    class TheirConfig(BaseModel):
        criteria: dict[str, Any]

    cases = [case.model_dump() for case in weather_set("Oslo").eval_cases]
    theirs: Any = TheirSet(eval_set_id="theirs", eval_cases=cases)
    config: Any = TheirConfig(criteria={"rouge_match": {"threshold": 0.5}})
    app, collector = create_eval_app(weather_graph())
    report = await AgentEvaluator(app, collector, config).evaluate(theirs, reports=False)
    assert (report.eval_set_id, report.passed) == ("theirs", True)


async def test_an_id_that_was_appended_twice_is_no_lost_case() -> None:
    eval_set = weather_set("Oslo")
    eval_set.eval_cases.append(eval_set.eval_cases[0])
    app, collector = create_eval_app(weather_graph())
    with pytest.raises(EvalSetError, match=r"eval_cases\[0\] and eval_cases\[1\]"):
        await AgentEvaluator(app, collector, OFFLINE).evaluate(eval_set)


@pytest.mark.parametrize("collector", [TrajectoryCollector(), None])
async def test_what_cannot_be_evaluated_is_told_before_anything_runs(collector: Any) -> None:
    evaluator = AgentEvaluator(3, collector, OFFLINE)
    with pytest.raises(
        TargetError, match=r"int with .* cannot be evaluated: give a compiled graph"
    ):
        await evaluator.evaluate(weather_set("Oslo"))
    with pytest.raises(TargetError, match="cannot be evaluated"):
        await evaluator.evaluate_case(weather_set("Oslo").eval_cases[0])
    with pytest.raises(TargetError, match="cannot be evaluated"):
        AgentEvaluator.evaluate_sync(3, collector, weather_set("Oslo"), OFFLINE)


@pytest.mark.parametrize("how", ["argument", "config"])
async def test_verbose_is_a_log_record_a_case(how: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="tenxgraph.evaluation")
    app, collector = create_eval_app(weather_graph())
    config = OFFLINE.model_copy(update={"verbose": how == "config"})
    eval_set = weather_set("Oslo", "Rome")
    eval_set.eval_cases[1].conversation[0].expected_tool_trajectory = []
    evaluator = AgentEvaluator(app, collector, config)
    await evaluator.evaluate(eval_set, verbose=how == "argument")
    assert caplog.messages == [
        "Oslo: passed",
        "Rome: failed: tool_name_match_score, tool_trajectory_avg_score",
    ]
    caplog.clear()
    AgentEvaluator.evaluate_sync(app, collector, eval_set, config, how == "argument")
    assert len(caplog.messages) == 2


async def test_a_case_that_blocks_the_callers_loop_is_named_and_its_neighbours_do_not_pay(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def main(state: AgentState) -> str:
        if state.context[0].text() == "How is block":
            time.sleep(1.5)  # noqa: ASYNC251 - that is the mistake
        else:
            await asyncio.sleep(0.05)
        return "The sky is clear."

    graph = StateGraph[AgentState]()
    graph.add_node("MAIN", main)
    graph.set_entry_point("MAIN")
    graph.add_edge("MAIN", END)
    app, collector = create_eval_app(graph)
    config = QUIET.model_copy(update={"timeout": 0.7})
    report = await AgentEvaluator(app, collector, config).evaluate(
        weather_set("before", "block", "after"), parallel=True
    )
    here = f"{Path(__file__).name}:{main.__code__.co_firstlineno + 2}"
    before, blocked, after = report.results
    assert (before.error, after.error) == (None, None)
    assert "timed out after 0.7 s: it blocked the event loop at" in (blocked.error or "")
    assert here in (blocked.error or "")
    [told] = caplog.messages
    assert told.startswith("block holds the event loop at ")
    assert here in told
    assert "loop account" not in {thread.name for thread in threading.enumerate()}
