"""Every example of the document on the harness, run as it stands there.

An example with the default config needs a judge; as long as there is none it runs up to the error
that says so, and to its end with an offline one.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui import evaluation
from tenxgraph_tui.evaluation import AgentEvaluator, EvalConfig, EvalPresets
from tenxgraph_tui.graph import Message
from tenxgraph_tui.graph.callbacks import AfterInvokeCallback, InvocationType
from tenxgraph_tui.graph.events import BasePublisher, EventModel
from tests.evaluation.seeds import (
    NO_JUDGE,
    SILENT,
    evaluated,
    mapped,
    run,
    weather_graph,
    weather_set,
)


async def test_the_names_can_be_imported_from_either_place() -> None:
    names = await run("harness: import paths")
    names.pop("__builtins__")

    import tenxgraph_tui

    assert len(names) == 20
    for name, value in names.items():
        assert value is getattr(evaluation, name) is getattr(tenxgraph_tui, name)


async def test_create_simple_eval_set() -> None:
    eval_set = (await run("harness: create_simple_eval_set"))["eval_set"]

    assert eval_set.eval_set_id == eval_set.name == "basic_tests"
    assert [(case.eval_id, case.name) for case in eval_set.eval_cases] == [
        ("case_0", "greeting"),
        ("case_1", "math"),
    ]


async def test_session_input() -> None:
    names = await run("harness: SessionInput")

    assert names["turn"].get_text() == "What is the weather in Paris?"
    assert names["session"].model_dump() == {
        "app_name": "",
        "user_id": "alice",
        "state": {"locale": "fr"},
        "config": {},
    }


async def test_assertions() -> None:
    report = await evaluated(EvalPresets.tool_usage())

    await run("harness: assertions", report=report)


async def test_the_event_collector_gets_what_a_publisher_passes_on() -> None:
    names = await run("harness: EventCollector")
    collector, event = names["collector"], names["Event"]
    assert names["node_events"] == []

    class PassOn(BasePublisher):
        async def publish(self, event: EventModel) -> Any:
            await collector.on_event(event)

        async def close(self) -> None: ...
        def sync_close(self) -> None: ...

    manager = evaluation.make_trajectory_callback(PassOn({}))[1]  # type: ignore[arg-type]  # any publisher will do
    app = weather_graph().compile(callback_manager=manager)
    await app.ainvoke({"messages": [Message.text_message("hi")]})

    assert len(collector) == 3
    assert len(collector.filter_by_event(event.NODE_EXECUTION)) == 2
    assert [each.node_name for each in collector.filter_by_event(event.TOOL_EXECUTION)] == ["TOOL"]
    assert len(collector.filter_by_node("MAIN")) == 2
    collector.reset()
    assert len(collector) == 0


async def test_the_manual_wiring_of_a_publisher_callback() -> None:
    names = await run("harness: PublisherCallback")
    assert isinstance(names["callback"], AfterInvokeCallback)
    assert names["InvocationType"] is InvocationType
    app = weather_graph().compile(callback_manager=names["manager"])
    config = EvalPresets.combine(
        EvalPresets.tool_usage(), EvalConfig.model_validate({"criteria": {"node_order": {}}})
    )
    config.reporter = SILENT

    report = await AgentEvaluator(app, names["collector"], config).evaluate(weather_set())

    assert report.passed
    assert report.results[0].node_visits == ["MAIN", "TOOL", "MAIN"]
    assert names["collector"].get_tool_names() == ["get_weather"]


async def test_the_report_files(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = await evaluated(EvalPresets.tool_usage())

    output = (await run("harness: ReporterManager", report=report))["output"]

    assert not output.has_errors
    assert output.console_output
    assert output.json_path in output.generated_files
    assert all((project / path).is_file() for path in output.generated_files)
    assert str(output.generated_files) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("config", "rate"),
    [
        pytest.param(None, 0.0, id="with the default config up to the judge"),
        pytest.param(EvalPresets.tool_usage(), 1.0, id="with an offline config to the end"),
    ],
)
async def test_the_evaluation_runner(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    config: EvalConfig | None,
    rate: float,
) -> None:
    if config is not None:
        monkeypatch.setattr(EvalConfig, "default", lambda: config)
    folder = project / "tests" / "eval"
    folder.mkdir(parents=True)
    for name in "ab":
        weather_set(name).to_file(str(folder / f"{name}.evalset.json"))

    names = await run(
        "harness: EvaluationRunner", build_graph_a=weather_graph, build_graph_b=weather_graph
    )

    assert list(names["reports"]) == ["a", "b"]
    assert capsys.readouterr().out.endswith(f"{rate}\n")
    errors = [report.results[0].error for report in names["reports"].values()]
    assert all(NO_JUDGE in str(error) for error in errors) is (config is None)
    assert names["runner"].summary["total_cases"] == 2


SUPPORT = """
from tests.evaluation.seeds import weather_graph
build_my_graph = build_weather_graph = weather_graph
"""
OFFLINE = """
from tenxgraph_tui.evaluation import EvalConfig, EvalPresets
EvalConfig.default = lambda: EvalPresets.tool_usage()
"""
USES_THE_FACTORY = """
from tenxgraph_tui.evaluation import EvalConfig, create_eval_app

def test_the_factory(make_evaluator):
    evaluator = make_evaluator(*create_eval_app(build_my_graph()))
    assert evaluator.config == EvalConfig.default()
"""


def suite(folder: Path, *, offline: bool) -> str:
    """Run the examples that are tests, in a project of their own; what pytest says."""
    fixtures = folder / "tests" / "fixtures"
    fixtures.mkdir(parents=True)
    for name in ("my_agent", "weather_agent"):
        weather_set(name).to_file(str(fixtures / f"{name}.evalset.json"))
    prelude = SUPPORT + (OFFLINE if offline else "")
    conftest = [prelude, mapped("harness: create_eval_app"), mapped("harness: EvalFixtures")]
    (folder / "conftest.py").write_text("\n".join(conftest))
    for title in ("run_eval", "eval_test", "parametrize_eval_cases"):
        code = SUPPORT + mapped(f"harness: {title}")
        (folder / f"test_{title}.py").write_text(code)
    (folder / "test_factory.py").write_text(SUPPORT + USES_THE_FACTORY)
    (folder / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib"],
        cwd=folder,
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": "", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.stdout + done.stderr


def test_the_tests_pass_with_an_offline_config(tmp_path: Path) -> None:
    told = suite(tmp_path, offline=True)

    assert re.search(r"\b4 passed\b", told), told
    assert "failed" not in told


def test_the_tests_run_up_to_the_judge_with_the_default_config(tmp_path: Path) -> None:
    told = suite(tmp_path, offline=False)

    assert "3 failed, 1 passed" in told
    assert told.count(NO_JUDGE) >= 3


def test_any_submodule_may_be_the_first_import() -> None:
    code = "from tenxgraph_tui import evaluation, graph; print(evaluation.EvalSet.__name__)"

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout == "EvalSet\n"
