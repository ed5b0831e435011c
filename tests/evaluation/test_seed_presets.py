"""Every example of the document on presets and configs, run as it stands there.

An example with a judged config runs up to the error that its model has no key, and to its verdict
with a judge that answers from a script.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.evaluation import (
    EvalCase,
    EvalConfig,
    EvalPresets,
    ExecutionResult,
    ToolCall,
    TrajectoryMatchCriterion,
    Verdict,
    create_eval_app,
)
from tenxgraph_tui.evaluation.config import JUDGED_SLOTS, REPORTED_NAMES
from tenxgraph_tui.evaluation.judge import ScriptedJudge, judged_by
from tests.evaluation.seeds import NO_JUDGE, evaluated, run, weather_graph, weather_set


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
async def test_a_config_runs_to_its_verdicts(title: str, criteria: str) -> None:
    config = (await run(f"presets: {title}", EvalPresets=EvalPresets))["config"]
    assert [slot for slot, _ in config.criteria.enabled()] == criteria.split()

    without_key = await evaluated(config)

    offline = title == "tool_usage"
    assert without_key.passed is offline
    assert (NO_JUDGE in str(without_key.results[0].error)) is not offline
    tools = without_key.results[0].get_criterion_result("tool_trajectory_avg_score")
    assert tools is None or tools.passed

    for score, verdict in ((0.95, Verdict.PASSED), (0.1, Verdict.FAILED)):
        with judged_by(of_one_mind(config, score)):
            report = await evaluated(config)
        (result,) = report.results
        assert result.error is None
        for slot, _ in config.criteria.enabled():
            if slot in JUDGED_SLOTS:
                found = result.get_criterion_result(REPORTED_NAMES[slot])
                assert found is not None
                assert found.verdict is verdict


def of_one_mind(config: EvalConfig, score: float) -> ScriptedJudge:
    """A judge that gives everything the same score."""
    rubrics = config.criteria.rubric_based.rubrics if config.criteria.rubric_based else []
    scores = {rubric.rubric_id: score for rubric in rubrics}
    return ScriptedJudge([{"score": score, "reasoning": "as always", "rubrics": scores}])


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
    with judged_by(of_one_mind(names[name], 0.95)):
        assert (await evaluated(names[name])).passed
    tools = report.results[0].get_criterion_result("tool_trajectory_avg_score")
    assert tools is not None
    assert tools.passed


async def test_save_and_load(project: Path) -> None:
    names = await run("presets: save and load")

    assert names["loaded_config"] == names["config"]
    assert (project / "my_eval_config.json").is_file()


async def test_the_seeds_example_of_strict() -> None:
    """[search, summarize] expected, [search, search, summarize] called."""
    wanted = [ToolCall(name="search"), ToolCall(name="summarize")]
    done = ExecutionResult(tool_calls=[wanted[0], *wanted])
    case = EvalCase.single_turn("c", "q", None, wanted)

    for strict, passes in ((False, True), (True, False)):
        config = EvalPresets.tool_usage(strict=strict).criteria.trajectory
        result = TrajectoryMatchCriterion(config).evaluate_sync(done, case)
        assert result.passed is passes
