"""The rules of running: what an evaluation does with its settings, sessions and collectors.

The title of a test says the row of DESIGN section 4, or the edge case it is about.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tenxgraph_tui import errors
from tenxgraph_tui.evaluation import (
    AgentEvaluator,
    CriterionResult,
    EvalCase,
    EvalConfig,
    EvalPresets,
    EvalReport,
    EvalSet,
    ExecutionResult,
    Invocation,
    SessionInput,
    SyncCriterion,
    ToolCall,
    create_eval_app,
)
from tenxgraph_tui.evaluation.config import CustomCriterion
from tenxgraph_tui.graph import END, AgentState, InMemoryCheckpointer, StateGraph
from tests.parity.acting import NAMES, ROUGE, Play, PlayAll, ask, makes, quiet, turn

Node = Callable[..., Any]
NAMES_NAME = "tool_name_match_score"
QUIET = quiet(ROUGE)


def one_node(main: Node, state: Any = None) -> StateGraph[Any]:
    graph: StateGraph[Any] = StateGraph(state)
    return graph.add_node("MAIN", main).set_entry_point("MAIN").add_edge("MAIN", END)


def evaluator(main: Node, config: EvalConfig = ROUGE, state: Any = None) -> AgentEvaluator:
    return AgentEvaluator(*create_eval_app(one_node(main, state)), quiet(config))


def saying(state: AgentState) -> str:
    return f"said {state.context[-1].text()}"


def questions(*queries: str, **fields: Any) -> EvalSet:
    cases = [EvalCase.single_turn(query, query, f"said {query}") for query in queries]
    return EvalSet(eval_set_id="set", eval_cases=cases, **fields)


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


class Profile(AgentState):
    locale: str = "en"


class TestSessionInput:
    async def run(self, main: Node, *sessions: SessionInput) -> EvalReport:
        cases = [
            EvalCase(eval_id=f"c{n}", conversation=[Invocation.simple("hi", "x")], session_input=s)
            for n, s in enumerate(sessions)
        ]
        return await evaluator(main, state=Profile).evaluate(EvalSet(eval_cases=cases))

    async def test_state_is_where_the_graph_starts(self) -> None:
        """D18"""
        report = await self.run(
            lambda state: state.locale, SessionInput(state={"locale": "fr"}), SessionInput()
        )

        assert [result.actual_response for result in report.results] == ["fr", "en"]

    async def test_unknown_fields_of_the_state_are_reported(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        await self.run(saying, SessionInput(state={"langauge": "fr"}))

        assert "session_input.state has langauge" in caplog.text

    async def test_config_and_app_name_are_merged_into_the_run_config(self) -> None:
        seen: dict[str, Any] = {}

        def main(state: AgentState, config: dict[str, Any]) -> str:
            del state
            seen.update(config)
            return "x"

        await self.run(
            main,
            SessionInput(app_name="shop", user_id="alice", config={"foo": 1, "run_id": "mine"}),
        )

        assert (seen["app_name"], seen["user_id"], seen["foo"]) == ("shop", "alice", 1)
        assert seen["run_id"] != "mine"  # an event finds its case by it

    @pytest.mark.parametrize(("share", "seen"), [(False, ["1", "1"]), (True, ["1", "3"])])
    async def test_a_thread_of_the_file_is_shared_only_on_request(
        self, share: bool, seen: list[str]
    ) -> None:
        """B57, D39"""
        config = {"thread_id": "same", **({"share_thread": True} if share else {})}
        sessions = [SessionInput(config=dict(config)) for _ in "ab"]

        report = await self.run(lambda state: str(len(state.context)), *sessions)

        assert [result.actual_response for result in report.results] == seen

    async def test_every_run_starts_clean(self) -> None:
        """B57: the second run of one evaluator does not remember the first."""
        same = evaluator(lambda state: str(len(state.context)))
        case = EvalCase.single_turn("c", "hi", "1")

        first, second = [await same.evaluate(EvalSet(eval_cases=[case])) for _ in "ab"]

        assert first.passed
        assert second.passed


async def test_with_a_checkpointer_only_the_new_message_is_sent_and_without_the_history() -> None:
    def main(state: AgentState) -> str:
        return " ".join(message.text() for message in state.context)

    case = EvalCase.multi_turn("c", [("one", "one"), ("two", "one one two")])
    graph = one_node(main)

    for checkpointer in (InMemoryCheckpointer[Any](), None):
        app, collector = create_eval_app(graph)
        app.checkpointer = checkpointer
        report = await AgentEvaluator(app, collector, QUIET).evaluate(EvalSet(eval_cases=[case]))
        answers = [each["actual_response"] for each in report.results[0].turn_results]
        assert answers == ["one", "one one two"]


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


class TestPerCase:
    def case(self, expected: str = "said a", **metadata: Any) -> EvalSet:
        case = EvalCase.single_turn("a", "a", expected)
        case.metadata = metadata
        return EvalSet(eval_cases=[case, *questions("b").eval_cases])

    async def test_criteria_change_a_threshold(self) -> None:
        report = await evaluator(saying).evaluate(
            self.case("said other things", criteria={"rouge_match": 0.3})
        )

        assert [result.passed for result in report.results] == [True, True]
        assert report.results[0].criterion_results[0].threshold == 0.3

    async def test_criteria_switch_one_off(self) -> None:
        config = EvalPresets.combine(ROUGE, NAMES)

        report = await evaluator(saying, config).evaluate(
            self.case("x", criteria={"rouge_match": False})
        )

        assert [r.criterion for r in report.results[0].criterion_results] == [NAMES_NAME]

    async def test_skip(self) -> None:
        report = await evaluator(saying).evaluate(self.case(skip="not ready"))

        assert [result.eval_id for result in report.results] == ["b"]
        assert report.metadata["skipped"] == {"a": "not ready"}

    async def test_xfail_counts_a_failure_as_passed_and_lists_it(self) -> None:
        report = await evaluator(saying).evaluate(self.case("nothing alike", xfail="bug 7"))

        assert report.passed
        assert report.metadata["xfailed"] == {"a": "bug 7"}

    async def test_xfail_announces_an_unexpected_pass(self) -> None:
        report = await evaluator(saying).evaluate(self.case(xfail="bug 7"))

        assert report.results[0].passed
        assert report.results[0].metadata["unexpected_pass"] == "bug 7"

    async def test_xfail_keeps_an_error_an_error(self) -> None:
        def main(state: AgentState) -> str:
            if state.context[-1].text() == "a":
                raise OSError("gone")
            return saying(state)

        report = await evaluator(main).evaluate(self.case(xfail="bug 7"))

        assert report.results[0].error == "OSError: gone"
        assert not report.passed


def test_a_compiled_graph_is_two_kinds_of_error() -> None:
    app, _ = create_eval_app(one_node(saying))

    with pytest.raises(errors.AlreadyCompiledError) as caught:
        create_eval_app(app)
    assert isinstance(caught.value, errors.TargetError)
    assert isinstance(caught.value, AttributeError)


async def test_a_missing_file_is_two_kinds_of_error(tmp_path: Path) -> None:
    with pytest.raises(errors.EvalSetNotFound) as caught:
        await evaluator(saying).evaluate(str(tmp_path / "no.evalset.json"))
    assert isinstance(caught.value, errors.EvalSetError)
    assert isinstance(caught.value, FileNotFoundError)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    "kind",
    [kind for kind in vars(errors).values() if isinstance(kind, type) and kind.__module__ == errors.__name__],  # noqa: E501 - one line reads best
)  # fmt: skip
def test_every_exception_can_be_pickled(kind: type[Exception]) -> None:
    copied = pickle.loads(pickle.dumps(kind("what is wrong")))

    assert type(copied) is kind
    assert str(copied) == "what is wrong"


async def test_ids_with_signs_of_paths_are_kept_as_they_are() -> None:
    """B09: only file names are changed."""
    eval_set = questions("tests/a/b.test.json", "a|b:c?", "../../x")
    eval_set.eval_set_id = "../../tmp/x"

    report = await evaluator(saying).evaluate(eval_set)

    assert report.passed
    assert report.eval_set_id == "../../tmp/x"
    assert [r.eval_id for r in report.results] == ["tests/a/b.test.json", "a|b:c?", "../../x"]


async def test_a_file_in_any_script_is_run_as_it_is(tmp_path: Path) -> None:
    """B06, B07: bytes in, the same text out, with a BOM before them too."""
    text = "你好，请问订单 42 在哪？ 🚚"
    file = tmp_path / "x.evalset.json"
    questions(text).to_file(str(file))
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())

    report = await evaluator(saying).evaluate(str(file))

    assert report.results[0].actual_response == f"said {text}"
    assert report.passed


@pytest.mark.parametrize(
    "final", [None, {"role": "assistant", "content": []}, {"role": "assistant", "content": [{"text": None}]}]  # noqa: E501
)  # fmt: skip
async def test_no_text_in_an_expected_answer_is_no_expectation(play: Play, final: Any) -> None:
    """B04: the tools are scored all the same."""
    case = EvalCase.model_validate(
        {
            "eval_id": "c",
            "conversation": [
                {
                    "user_content": {"role": "user", "content": "go"},
                    "expected_tool_trajectory": [{"name": "a"}],
                    "expected_final_response": final,
                }
            ],
        }
    )

    result = await play(makes("a"), case, EvalPresets.combine(NAMES, ROUGE))

    assert [each.verdict.value for each in result.criterion_results] == ["passed", "not_evaluated"]
    assert result.passed


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


async def test_a_tool_test_that_expects_no_answer_is_not_failed_for_its_words(play: Play) -> None:
    """B92: nothing is invented, and nothing is lost in a file."""
    from tenxgraph_tui.evaluation.builder import EvalSetBuilder

    case = EvalSetBuilder().add_tool_test("go", "a").build().eval_cases[0]
    case = EvalCase.model_validate_json(case.model_dump_json())

    result = await play(makes("a"), case, EvalPresets.combine(ROUGE, NAMES))

    assert result.passed
    assert case.conversation[0].expected_final_response is None


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


async def test_rubrics_and_thresholds_out_of_range_are_refused_when_built() -> None:
    """D44, and the row on rubrics"""
    with pytest.raises(ValueError, match="at least one rubric"):
        EvalConfig().with_rubrics([])
    with pytest.raises(ValidationError):
        EvalConfig(max_concurrency=0)
