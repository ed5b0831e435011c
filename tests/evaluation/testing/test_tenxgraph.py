"""The library with 10xGraph's own objects: only the import of the eval helpers is another one."""
# Nodes and tools get their arguments by name, used or not.

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.errors import AlreadyCompiledError, TargetError
from tenxgraph_tui.evaluation import (
    AgentEvaluator,
    EvalPresets,
    EvalSet,
    EvalSetBuilder,
    EvaluationRunner,
    PublisherCallback,
    ReporterConfig,
    TrajectoryCollector,
    create_eval_app,
    make_trajectory_callback,
)
from tenxgraph_tui.graph.events import Event

pytest.importorskip("tenxgraph", reason="10xGraph is not installed (it needs Python 3.12)")

from injectq import InjectQ
from tenxgraph.core.state import Message
from tenxgraph.utils import CallbackManager, InvocationType

from tenxgraph_tui.adapters.tenxgraph.private import within
from tests.adapters.tenxgraphs import Scripted, asks, loop_of, one_node, says

CONFIG = EvalPresets.tool_usage(strict=True).model_copy(
    update={"reporter": ReporterConfig(enabled=False)}
)


def graph(city: str, **how: Any) -> Any:
    def weather(city: str) -> str:
        return f"sun in {city}"

    ask = asks(*[("weather", {"city": city})] * 2, ids="a b")
    return loop_of([weather], ask, says(f"sun in {city}"), **how)


def asked(*names: str) -> EvalSet:
    builder = EvalSetBuilder("set")
    for name in names:
        builder.add_case(name, "sun", name, expected_tools=["weather", "weather"])
    return builder.build()


async def test_two_pairs_are_told_apart() -> None:
    pairs = {city: create_eval_app(graph(city)) for city in ("Oslo", "Rome")}

    for city, (app, collector) in pairs.items():
        report = await AgentEvaluator(app, collector, CONFIG).evaluate(asked("a", "b"))

        assert [result.error for result in report.results] == [None, None]
        assert {result.actual_response for result in report.results} == {f"sun in {city}"}
    for city, (_, collector) in pairs.items():
        assert {call.args["city"] for call in collector.tool_calls} == {city}
        assert collector.node_visits.count("TOOL") == 2
        assert "__start__" not in collector.node_visits
        assert len(collector.events) == 8


async def test_the_runner_of_two_pairs() -> None:
    cities = ("Oslo", "Rome")
    pairs = [create_eval_app(graph(city)) for city in cities]
    sets = [asked("a").model_copy(update={"eval_set_id": city}) for city in cities]

    reports = await EvaluationRunner(CONFIG).run(
        [(*pair, eval_set) for pair, eval_set in zip(pairs, sets, strict=True)]
    )

    answers = {city: report.results[0].actual_response for city, report in reports.items()}
    assert answers == {"Oslo": "sun in Oslo", "Rome": "sun in Rome"}


async def test_a_collector_hears_of_runs_that_are_no_evaluation() -> None:
    app, collector = create_eval_app(graph("Oslo"))
    question = {"messages": [Message.text_message("hi")]}

    await app.ainvoke(question, {"thread_id": "a"})
    visits = list(collector.node_visits)
    collector.reset()
    async for _ in app.astream(question, {"thread_id": "b"}):
        pass

    assert visits == ["MAIN", "TOOL", "MAIN"]
    assert [call.name for call in collector.tool_calls] == ["weather", "weather"]
    assert collector.final_response == "sun in Oslo"


async def test_a_model_node_is_read_once() -> None:
    app, collector = create_eval_app(one_node(Scripted(says("hello"))))

    result = await AgentEvaluator(app, collector, CONFIG).evaluate_case(asked("a").eval_cases[0])

    assert result.actual_response == collector.final_response == "hello"
    assert [event.event for event in collector.events] == [Event.NODE_EXECUTION]


@pytest.mark.parametrize("whose", ["ours", "10xGraph's"])
async def test_wiring_by_hand(whose: str) -> None:
    collector = TrajectoryCollector()
    if whose == "ours":
        collector, manager = make_trajectory_callback(collector)
    else:
        callback = PublisherCallback(collector, config={"thread_id": "run-1"})
        manager = CallbackManager()
        manager.register_after_invoke(InvocationType.AI, callback)
        manager.register_after_invoke(InvocationType.TOOL, callback)
    with within(container := InjectQ()):  # a process of its own, as far as 10xGraph can tell
        app = graph("Oslo").compile(callback_manager=manager)
        assert container.get(CallbackManager) is manager

    report = await AgentEvaluator(app, collector, CONFIG).evaluate(asked("a"))

    assert [result.error for result in report.results] == [None]
    assert report.summary.passed_cases == 1
    assert collector.node_visits == ["MAIN", "TOOL", "MAIN"]
    assert collector.final_response == "sun in Oslo"


async def test_a_collector_the_graph_never_reports_to_is_an_error() -> None:
    app = graph("Oslo").compile()

    report = await AgentEvaluator(app, TrajectoryCollector(), CONFIG).evaluate(asked("a"))

    assert "no events reached the collector" in str(report.results[0].error)


async def test_a_recovery_of_the_user_holds_under_our_manager() -> None:
    collector, manager = make_trajectory_callback(TrajectoryCollector())
    manager.register_on_error(InvocationType.AI, lambda *_: says("recovered"))

    def main(state: Any) -> None:
        raise ValueError("no luck")

    with within(InjectQ()):
        app = one_node(main).compile(callback_manager=manager)

    result = await AgentEvaluator(app, collector, CONFIG).evaluate_case(asked("a").eval_cases[0])

    assert result.actual_response == "recovered"


def test_what_is_no_uncompiled_graph_is_refused() -> None:
    with pytest.raises(AlreadyCompiledError):
        create_eval_app(graph("Oslo").compile())
    with pytest.raises(TargetError, match="needs a StateGraph, not Message"):
        create_eval_app(says("hi"))


MODULE = """
from tests.adapters.tenxgraphs import one_node

graph = one_node(lambda state: "sun")
"""


async def test_the_module_of_a_graph_is_evaluated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sunny_graph.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    builder = EvalSetBuilder("set")
    builder.add_case("How is it?", "sun")
    builder.build().to_file(str(tmp_path / "set.json"))
    config = EvalPresets.quick_check()
    config.reporter.enabled = False
    config.to_file(str(tmp_path / "config.json"))

    report = await AgentEvaluator.evaluate_file(
        "sunny_graph", str(tmp_path / "set.json"), str(tmp_path / "config.json")
    )

    assert [(r.actual_response, r.passed) for r in report.results] == [("sun", True)]
