"""QuickEval checks what its parameters say, prints once and leaves the rest to the config."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest

from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.builder import EvalSetBuilder
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.evaluation.quick import QuickEval
from tenxgraph_tui.evaluation.results import EvalReport
from tenxgraph_tui.evaluation.testing.create import create_eval_app
from tenxgraph_tui.graph import END, AgentState, StateGraph
from tests.evaluation.agents import QUIET, files_in, graph_of, saying

SUM = {"What is 2+2?": "2+2 makes 4, of course."}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the reporters of a config write into the working directory


def verdicts(report: EvalReport) -> dict[str, bool]:
    return {c.criterion: c.passed for r in report.results for c in r.criterion_results}


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        pytest.param(
            {"expected_response_contains": "4"},
            {"contains_keywords": True},
            id="words stand somewhere in a long answer",
        ),
        pytest.param(
            {"expected_response_contains": "five"},
            {"contains_keywords": False},
            id="words that are not there",
        ),
        pytest.param(
            {"expected_response_equals": "2+2 makes 4, of course."},
            {"exact_match": True},
            id="the same answer",
        ),
        pytest.param(
            {"expected_response_equals": "4"},
            {"exact_match": False},
            id="an answer that only contains it is not equal",
        ),
        pytest.param(
            {"expected_response_contains": "4", "expected_tools": ["add"]},
            {"tool_name_match_score": False, "contains_keywords": True},
            id="tools are checked beside the words",
        ),
        pytest.param(
            {"expected_tools": ["add"]}, {"tool_name_match_score": False}, id="tools alone"
        ),
    ],
)
async def test_check_checks_what_is_given(
    expected: dict[str, object], found: dict[str, bool]
) -> None:
    report = await QuickEval.check(*saying(SUM), "What is 2+2?", **expected)  # type: ignore[arg-type]  # by name
    assert verdicts(report) == found
    assert report.passed is all(found.values())


async def test_check_with_nothing_to_check_is_an_error() -> None:
    report = await QuickEval.check(*saying(SUM), "What is 2+2?")
    assert report.results[0].error == "nothing to check: no expected response"


async def test_batch_compares_words_with_the_threshold() -> None:
    pairs = [("Hello", "Hi there"), ("Bye", "See you")]
    app = saying({"Hello": "Hi", "Bye": "See you"})
    report = await QuickEval.batch(*app, pairs)
    assert [result.passed for result in report.results] == [False, True]
    assert (await QuickEval.batch(*app, pairs, threshold=0.6)).passed


async def test_tool_usage_takes_names() -> None:
    cases = [("Hello", "never compared", ["greet"])]
    report = await QuickEval.tool_usage(*saying({"Hello": "Hi"}), cases)
    assert verdicts(report) == {"tool_name_match_score": False, "tool_trajectory_avg_score": False}
    assert report.config_used["criteria"]["trajectory"]["match_type"] == "EXACT"
    loose = await QuickEval.tool_usage(*saying({"Hello": "Hi"}), cases, strict=False)
    assert loose.config_used["criteria"]["trajectory"]["match_type"] == "IN_ORDER"


async def test_conversation_flow_is_one_case_and_needs_a_judge() -> None:
    app = saying({"Hello": "Hi", "Bye": "See you"})
    report = await QuickEval.conversation_flow(*app, [("Hello", "Hi"), ("Bye", "See you")])
    assert [turn["actual_response"] for turn in report.results[0].turn_results] == ["Hi", "See you"]
    error = str(report.results[0].error)
    assert error.startswith("response_match_score: turn 1: 0 of 3 samples can be used: judge model")
    assert "has no key: set GEMINI_API_KEY" in error


async def test_preset_and_builder_take_a_config() -> None:
    builder = EvalSetBuilder("greetings").add_case("Hello", "Hi there")
    app = saying({"Hello": "Hi there"})
    builder.save("greetings.json")
    assert (await QuickEval.preset(*app, QUIET, "greetings.json")).passed
    assert (await QuickEval.from_builder(*app, builder)).passed
    tools = await QuickEval.from_builder(*app, builder, EvalPresets.tool_usage())
    assert set(verdicts(tools)) == {"tool_name_match_score", "tool_trajectory_avg_score"}


async def test_run_sync_works_inside_a_running_loop() -> None:
    eval_set = EvalSetBuilder.quick(("Hello", "Hi"))
    assert QuickEval.run_sync(*saying({"Hello": "Hi"}), eval_set).passed


@pytest.mark.parametrize("print_results", [True, False])
async def test_the_report_is_printed_once_or_not_at_all(
    print_results: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    await QuickEval.batch(*saying({"Hello": "Hi"}), [("Hello", "Hi")], print_results=print_results)
    assert capsys.readouterr().out.count("test_1") == print_results
    kinds = [path.suffix for path in files_in(Path("eval_reports"))]
    assert kinds.count(".json") == 1


async def test_verbose_tells_of_each_case(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="tenxgraph.evaluation")
    app = saying({"Hello": "Hi", "Bye": "no"})
    eval_set = EvalSetBuilder.quick(("Hello", "Hi"), ("Bye", "See you"))
    await QuickEval.preset(*app, QUIET, eval_set, verbose=False)
    assert caplog.messages == []
    await QuickEval.preset(*app, QUIET, eval_set)
    assert caplog.messages == ["test_1: passed", "test_2: failed: rouge_match"]


async def test_an_agent_that_blocks_its_loop_is_found_out() -> None:
    async def block(_: object) -> str:
        time.sleep(30)  # noqa: ASYNC251 - that is the mistake
        return "never"

    graph = StateGraph[AgentState]()
    graph.add_node("MAIN", block)
    graph.set_entry_point("MAIN")
    graph.add_edge("MAIN", END)
    config = QUIET.model_copy(update={"timeout": 0.3})
    started = time.monotonic()
    report = await QuickEval.preset(
        *create_eval_app(graph), config, EvalSetBuilder.quick(("Hello", "Hi"))
    )
    assert time.monotonic() - started < 20
    assert "blocked the event loop" in (report.results[0].error or "")


async def test_cancelling_the_call_cancels_the_agent() -> None:
    started, cancelled = threading.Event(), threading.Event()

    async def wait(_: object) -> str:
        started.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return "never"

    graph = StateGraph[AgentState]()
    graph.add_node("MAIN", wait)
    graph.set_entry_point("MAIN")
    graph.add_edge("MAIN", END)
    eval_set = EvalSetBuilder.quick(("Hello", "Hi"), ("Bye", "See you"))
    call = asyncio.create_task(QuickEval.preset(*create_eval_app(graph), QUIET, eval_set))
    assert await asyncio.to_thread(started.wait, 30)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await asyncio.to_thread(cancelled.wait, 30)


async def test_what_is_no_agent_is_told_before_anything_runs() -> None:
    _, collector = create_eval_app(graph_of(str.upper))
    with pytest.raises(TargetError, match="int with TrajectoryCollector cannot be evaluated"):
        await QuickEval.check(3, collector, "Hello")
