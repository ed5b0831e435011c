"""Every example of the two documents that the library follows, run as it stands there.

Only imports are changed, as the import map says. An example with the default config needs a judge;
as long as there is none it runs up to the error that says so, and to its end with an offline one.
"""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui import evaluation
from tenxgraph_tui.evaluation import (
    AgentEvaluator,
    EvalCase,
    EvalConfig,
    EvalPresets,
    EvalReport,
    EvalSet,
    Invocation,
    ReporterConfig,
    ToolCall,
    create_eval_app,
)
from tenxgraph_tui.graph import END, AgentState, Message, StateGraph, ToolNode
from tenxgraph_tui.graph.callbacks import AfterInvokeCallback, InvocationType
from tenxgraph_tui.graph.events import BasePublisher, EventModel

EXAMPLES: dict[str, str] = dict(
    re.findall(
        r"^## (.+?)\n\n```python\n(.*?)```",
        (Path(__file__).parents[1] / "data" / "seed_examples.md").read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
)
IMPORT_MAP = {
    "tenxgraph.qa.evaluation": "tenxgraph_tui.evaluation",
    "tenxgraph.qa": "tenxgraph_tui.evaluation",
    "tenxgraph.runtime.publisher.events": "tenxgraph_tui.graph.events",
    "tenxgraph.utils.callbacks": "tenxgraph_tui.graph.callbacks",
}
NO_JUDGE = "judge not available"
SILENT = ReporterConfig(enabled=False)


def mapped(title: str) -> str:
    code = EXAMPLES[title]
    for old, new in IMPORT_MAP.items():
        code = code.replace(f"from {old} import", f"from {new} import")
    assert "from tenxgraph." not in code
    return code


async def run(title: str, **names: Any) -> dict[str, Any]:
    """Execute an example, which may await at its top level; its names afterwards."""
    code = compile(mapped(title), title, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    started = eval(code, names)
    if inspect.isawaitable(started):
        await started
    return names


def weather_graph() -> StateGraph[AgentState]:
    def get_weather(city: str) -> str:
        return f"sunny in {city}"

    def main(state: AgentState) -> Message:
        last = state.context[-1]
        if last.role == "tool":
            return Message.text_message("It is sunny in Paris", role="assistant")
        request = Message.text_message("", role="assistant")
        function = {"name": "get_weather", "arguments": '{"city": "Paris"}'}
        request.tools_calls = [{"id": "1", "type": "function", "function": function}]
        return request

    def route(state: AgentState) -> str:
        return "TOOL" if state.context[-1].tools_calls else END

    graph: StateGraph[AgentState] = StateGraph()
    graph.add_node("MAIN", main).add_node("TOOL", ToolNode([get_weather]))
    graph.add_conditional_edges("MAIN", route).add_edge("TOOL", "MAIN")
    return graph.set_entry_point("MAIN")


def weather_set(eval_set_id: str = "weather") -> EvalSet:
    turn = Invocation.simple(
        "What is the weather in Paris?",
        "It is sunny in Paris",
        [ToolCall(name="get_weather", args={"city": "Paris"})],
        ["MAIN", "TOOL", "MAIN"],
    )
    return EvalSet(
        eval_set_id=eval_set_id, eval_cases=[EvalCase(eval_id="paris", conversation=[turn])]
    )


async def evaluated(config: EvalConfig) -> EvalReport:
    config.reporter = SILENT
    return await AgentEvaluator(*create_eval_app(weather_graph()), config).evaluate(weather_set())


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


async def test_quick_check_is_passed_to_the_evaluator(project: Path) -> None:
    graph, collector = create_eval_app(weather_graph())

    names = await run(
        "presets: quick_check", graph=graph, collector=collector, eval_set=weather_set()
    )

    assert names["report"].passed
    assert list(names["report"].summary.criterion_stats) == ["rouge_match"]
    assert (project / "eval_reports").is_dir()


@pytest.mark.parametrize(
    ("title", "criteria"),
    [
        pytest.param("tool_usage", "tool_name_match trajectory", id="tool_usage"),
        pytest.param("response_quality", "response_match llm_judge", id="response_quality"),
        pytest.param("conversation_flow", "trajectory response_match", id="conversation_flow"),
        pytest.param("safety_check", "hallucination safety", id="safety_check"),
        pytest.param(
            "comprehensive",
            "tool_name_match trajectory rouge_match llm_judge factual_accuracy hallucination "
            "safety",
            id="comprehensive",
        ),
        pytest.param(
            "custom", "tool_name_match trajectory response_match hallucination safety", id="custom"
        ),
        pytest.param("combine", "tool_name_match trajectory hallucination safety", id="combine"),
        pytest.param(
            "from scratch",
            "trajectory response_match rouge_match contains_keywords rubric_based hallucination",
            id="from scratch",
        ),
        pytest.param(
            "with_rubrics", "response_match llm_judge rubric_based", id="rubrics are added"
        ),
    ],
)
async def test_a_config_runs_offline_or_up_to_the_judge(title: str, criteria: str) -> None:
    config = (await run(f"presets: {title}", EvalPresets=EvalPresets))["config"]
    assert [slot for slot, _ in config.criteria.enabled()] == criteria.split()

    report = await evaluated(config)

    offline = title == "tool_usage"
    assert report.passed is offline
    assert (NO_JUDGE in str(report.results[0].error)) is not offline
    tools = report.results[0].get_criterion_result("tool_trajectory_avg_score")
    assert tools is None or tools.passed


async def test_the_config_from_scratch_holds_what_it_says() -> None:
    config = (await run("presets: from scratch"))["config"]

    assert (config.parallel, config.max_concurrency, config.timeout) == (True, 4, 120.0)
    rubrics = config.criteria.rubric_based.rubrics
    assert [(rubric.rubric_id, rubric.weight) for rubric in rubrics] == [
        ("professional_tone", 1.0),
        ("conciseness", 0.5),
    ]


@pytest.mark.parametrize("name", ["config1", "config2", "config3"])
async def test_the_presets_of_the_config_class_need_a_judge(name: str) -> None:
    names = await run("presets: class methods")

    report = await evaluated(names[name])

    assert NO_JUDGE in str(report.results[0].error)
    tools = report.results[0].get_criterion_result("tool_trajectory_avg_score")
    assert tools is not None
    assert tools.passed


async def test_save_and_load(project: Path) -> None:
    names = await run("presets: save and load")

    assert names["loaded_config"] == names["config"]
    assert (project / "my_eval_config.json").is_file()


SUPPORT = """
from tests.evaluation.test_seed_examples import weather_graph
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


async def test_the_seeds_example_of_strict() -> None:
    """[search, summarize] expected, [search, search, summarize] called."""
    wanted = [ToolCall(name="search"), ToolCall(name="summarize")]
    done = evaluation.ExecutionResult(tool_calls=[wanted[0], *wanted])
    case = EvalCase.single_turn("c", "q", None, wanted)

    for strict, passes in ((False, True), (True, False)):
        config = EvalPresets.tool_usage(strict=strict).criteria.trajectory
        result = evaluation.TrajectoryMatchCriterion(config).evaluate_sync(done, case)
        assert result.passed is passes


def test_any_submodule_may_be_the_first_import() -> None:
    code = "from tenxgraph_tui import evaluation, graph; print(evaluation.EvalSet.__name__)"

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout == "EvalSet\n"
