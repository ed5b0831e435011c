"""The rules of cases: their sessions, their own settings, the files they come from.

The title of a test says the row of DESIGN section 4, or the edge case it is about.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tenxgraph_tui import errors
from tenxgraph_tui.evaluation import (
    AgentEvaluator,
    EvalCase,
    EvalConfig,
    EvalPresets,
    EvalReport,
    EvalSet,
    Invocation,
    SessionInput,
    create_eval_app,
)
from tenxgraph_tui.graph import AgentState, InMemoryCheckpointer
from tests.parity.acting import (
    NAMES,
    QUIET,
    ROUGE,
    Node,
    Play,
    evaluator,
    makes,
    one_node,
    questions,
    saying,
)


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

        assert [r.criterion for r in report.results[0].criterion_results] == [
            "tool_name_match_score"
        ]

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
    [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.TenxError)
    ],
)
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


async def test_a_tool_test_that_expects_no_answer_is_not_failed_for_its_words(play: Play) -> None:
    """B92: nothing is invented, and nothing is lost in a file."""
    from tenxgraph_tui.evaluation.builder import EvalSetBuilder

    case = EvalSetBuilder().add_tool_test("go", "a").build().eval_cases[0]
    case = EvalCase.model_validate_json(case.model_dump_json())

    result = await play(makes("a"), case, EvalPresets.combine(ROUGE, NAMES))

    assert result.passed
    assert case.conversation[0].expected_final_response is None


async def test_rubrics_and_thresholds_out_of_range_are_refused_when_built() -> None:
    """D44, and the row on rubrics"""
    with pytest.raises(ValueError, match="at least one rubric"):
        EvalConfig().with_rubrics([])
    with pytest.raises(ValidationError):
        EvalConfig(max_concurrency=0)
