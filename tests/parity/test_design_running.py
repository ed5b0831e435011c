"""The rules of running: what an evaluation does with its settings, agents and collectors.

The title of a test says the row of DESIGN section 4, or the edge case it is about.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from typing import Any

import pytest
from pydantic import ValidationError

from tenxgraph_tui import errors
from tenxgraph_tui.evaluation import (
    AgentEvaluator,
    CriterionResult,
    EvalCase,
    EvalConfig,
    EvalReport,
    EvalSet,
    ExecutionResult,
    SyncCriterion,
    ToolCall,
    create_eval_app,
)
from tenxgraph_tui.evaluation.config import CustomCriterion
from tenxgraph_tui.graph import AgentState, Message
from tests.parity.acting import (
    NAMES,
    QUIET,
    ROUGE,
    Node,
    Play,
    PlayAll,
    ask,
    evaluator,
    makes,
    one_node,
    questions,
    saying,
    turn,
)


def changed(state: AgentState) -> AgentState:
    state.context.append(Message.text_message("a", role="assistant"))
    return state


@pytest.mark.parametrize(
    "main",
    [
        pytest.param(lambda _: "a", id="a text"),
        pytest.param(lambda _: Message.text_message("a", role="assistant"), id="a message"),
        pytest.param(lambda _: Message.text_message("a"), id="a message of another role"),
        pytest.param(lambda _: ["not this", "a"], id="a list"),
        pytest.param(changed, id="the state"),
    ],
)
async def test_the_final_answer_of_a_turn_is_what_the_node_said_last(main: Node) -> None:
    """D40"""
    case = EvalCase.single_turn("c", "hi", "a")

    report = await evaluator(main).evaluate(EvalSet(eval_cases=[case]))

    assert report.results[0].actual_response == "a"
    assert report.passed


@pytest.mark.parametrize(
    ("config", "arguments", "together"),
    [
        pytest.param({}, {}, 1, id="by default one after another"),
        pytest.param({"parallel": True, "max_concurrency": 3}, {}, 3, id="as the config says"),
        pytest.param({}, {"parallel": True}, 4, id="as the call says"),
        pytest.param(
            {"parallel": True}, {"max_concurrency": 2}, 2, id="the call wins over the config"
        ),
        pytest.param({"parallel": True}, {"parallel": False}, 1, id="also when it says no"),
        pytest.param({"max_concurrency": 3}, {}, 1, id="a number alone is not parallel"),
    ],
)
async def test_parallel_and_max_concurrency(
    config: dict[str, Any], arguments: dict[str, Any], together: int
) -> None:
    """D36: as many run at once as may, and never one more."""
    running = peak = 0
    enough = asyncio.Event()

    async def main(state: AgentState) -> str:
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        if running == together:
            enough.set()
        await enough.wait()
        await asyncio.sleep(0)  # whoever may come in besides does so now
        running -= 1
        return saying(state)

    settings = ROUGE.model_copy(update=config)
    report = await evaluator(main, settings).evaluate(questions(*"abcdef"), **arguments)

    assert peak == together
    assert report.passed


async def test_max_concurrency_of_nothing_is_refused() -> None:
    """D37: it would never return."""
    with pytest.raises(ValueError, match="max_concurrency must be at least 1, not 0"):
        await evaluator(saying).evaluate(questions("a"), parallel=True, max_concurrency=0)


async def test_results_stand_in_file_order_whatever_the_order_of_finishing(
    play_all: PlayAll,
) -> None:
    names = ["a", "b", "c", "d"]
    scripts = {name: makes(name) for name in names}
    for delay, name in zip((0.04, 0.03, 0.02, 0.01), names, strict=True):
        scripts[name][0]["steps"][0]["tool_calls"][0]["delay"] = delay
    cases = [EvalCase.single_turn(n, "go", None, [ToolCall(name=n)]) for n in names]

    report = await play_all(scripts, cases, NAMES, parallel=True, max_concurrency=4)

    assert [result.eval_id for result in report.results] == names
    assert report.passed


class Slow(SyncCriterion):
    name = "slow"

    def evaluate_sync(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        del actual, expected
        time.sleep(0.3)
        return self._result(1.0)


async def test_the_duration_is_the_agents_without_scoring() -> None:
    config = EvalConfig(custom=[CustomCriterion(criterion=f"{__name__}:Slow")])

    report = await evaluator(saying, config).evaluate(questions("a"))

    assert report.passed
    assert 0.0 < report.results[0].duration_seconds < 0.3


async def test_a_config_without_an_enabled_criterion_is_refused_before_the_run() -> None:
    """B59"""
    asked: list[str] = []

    def main(state: AgentState) -> str:
        asked.append(state.context[-1].text())
        return ""

    with pytest.raises(errors.ConfigError, match="no criterion is enabled"):
        await evaluator(main, EvalConfig()).evaluate(questions("a"))
    assert not asked


async def test_an_empty_set_is_not_passed() -> None:
    """B03"""
    report = await evaluator(saying).evaluate(questions())

    assert (report.passed, report.summary.total_cases, report.summary.pass_rate) == (False, 0, 0.0)


def test_duplicate_eval_ids_are_an_error_that_names_both_positions() -> None:
    with pytest.raises(ValidationError, match=r"'a'.*eval_cases\[0\] and eval_cases\[2\]"):
        questions("a", "b", "a")


class TestTheCollector:
    async def test_receives_every_event_and_is_reset_first(self) -> None:
        app, collector = create_eval_app(one_node(saying))
        same = AgentEvaluator(app, collector, QUIET)

        await same.evaluate(questions("a", "b"), parallel=True)
        assert sorted(message["content"] for message in collector.messages) == ["said a", "said b"]

        await same.evaluate(questions("c"))
        assert [message["content"] for message in collector.messages] == ["said c"]

    async def test_of_one_pair_serves_two_evaluators_at_once(self) -> None:
        """B56: on one graph, each case has its own evidence."""
        app, collector = create_eval_app(one_node(saying))
        sets = [questions(*(f"{name}{n}" for n in range(10))) for name in "ab"]

        reports = await asyncio.gather(
            *(AgentEvaluator(app, collector, QUIET).evaluate(s, parallel=True) for s in sets)
        )

        for report in reports:
            assert report.passed
            for result in report.results:
                assert result.actual_response == f"said {result.eval_id}"

    async def test_that_hears_nothing_makes_the_case_an_error(self) -> None:
        """D55"""
        app, _ = create_eval_app(one_node(saying))
        _, stranger = create_eval_app(one_node(saying))

        report = await AgentEvaluator(app, stranger, QUIET).evaluate(questions("a"))

        assert "no events reached the collector" in str(report.results[0].error)


class TestAnAgentThatRaises:
    async def test_on_a_later_turn_keeps_what_was_recorded(self, play: Play) -> None:
        """D19"""
        case = EvalCase.multi_turn("c", [("q1", "x"), ("q2", "y")], [ToolCall(name="a")])
        usage = {"input_tokens": 7, "output_tokens": 3}
        turns = [turn(ask("a"), response="x", usage=usage), {"raise": "kaboom"}]

        result = await play(turns, case, NAMES)

        assert result.error == "turn 2: RuntimeError: kaboom"
        assert "kaboom" in result.metadata["traceback"]
        assert [call.name for call in result.actual_tool_calls] == ["a"]
        assert [each["actual_response"] for each in result.turn_results] == ["x", ""]
        assert result.token_usage.total_tokens == 10
        assert not result.criterion_results

    @pytest.mark.parametrize("error", [asyncio.CancelledError, SystemExit, KeyboardInterrupt])
    async def test_what_would_end_a_program_is_the_error_of_that_case_alone(
        self, error: type[BaseException]
    ) -> None:
        """B51, D37"""

        async def main(state: AgentState) -> str:
            if state.context[-1].text() == "b":
                raise error
            return saying(state)

        report = await evaluator(main).evaluate(questions(*"abc"), parallel=True, max_concurrency=2)

        assert [result.passed for result in report.results] == [True, False, True]
        assert error.__name__ in str(report.results[1].error)

    async def test_or_that_blocks_the_callers_loop_is_found_out_when_it_returns(self) -> None:
        """B53: nobody but the watched loop of a worker can break it off before."""

        async def main(state: AgentState) -> str:
            time.sleep(0.3)  # noqa: ASYNC251 - what must not be done
            return saying(state)

        config = ROUGE.model_copy(update={"timeout": 0.1})
        report = await evaluator(main, config).evaluate(questions("a"))

        assert str(report.results[0].error).startswith("timed out after 0.1 s")


async def test_cancelling_evaluate_cancels_the_agents() -> None:
    started, cancelled = asyncio.Event(), asyncio.Event()

    async def main() -> None:
        async def agent(state: AgentState) -> str:
            del state
            started.set()
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.set()
                raise
            return ""

        await evaluator(agent).evaluate(questions("a"))

    task = asyncio.create_task(main())
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cancelled.is_set()


class TestEvaluateSync:
    """B89"""

    async def test_works_inside_a_running_loop(self) -> None:
        app, collector = create_eval_app(one_node(saying))

        assert AgentEvaluator.evaluate_sync(app, collector, questions("a"), QUIET).passed

    def test_works_in_a_thread(self) -> None:
        app, collector = create_eval_app(one_node(saying))
        reports: list[EvalReport] = []

        def work() -> None:
            reports.append(AgentEvaluator.evaluate_sync(app, collector, questions("a"), QUIET))

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()

        assert reports[0].passed


async def test_verbose_tells_each_case_as_a_log_record(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.INFO)

    await evaluator(saying).evaluate(questions("a", "b"), verbose=True)

    assert [r.getMessage() for r in caplog.records if r.name.startswith("tenxgraph")] == [
        "a: passed",
        "b: passed",
    ]
    assert capsys.readouterr().out == ""


async def test_twenty_cases_at_once_keep_their_calls_apart(play_all: PlayAll) -> None:
    """B56: twenty cases at once on one graph, each with its own tool and its own delay."""
    names = [f"tool_{n}" for n in range(20)]
    scripts = {
        name: [turn({"tool_calls": [{"name": name, "args": {"i": n}, "delay": (n * 7 % 5) / 500}]})]
        for n, name in enumerate(names)
    }
    cases = [EvalCase.single_turn(n, "go", None, [ToolCall(name=n)]) for n in names]

    report = await play_all(scripts, cases, NAMES, parallel=True, max_concurrency=10)

    calls = [[(c.name, c.args) for c in r.actual_tool_calls] for r in report.results]
    assert calls == [[(name, {"i": n})] for n, name in enumerate(names)]
