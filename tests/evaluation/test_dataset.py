"""Eval sets as people write them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from tenxgraph_tui.evaluation.dataset import (
    EvalCase,
    EvalSet,
    Invocation,
    MessageContent,
    SessionInput,
    StepType,
    ToolCall,
    TrajectoryStep,
)
from tenxgraph_tui.evaluation.models import unknown_keys


def call(name: str, **args: Any) -> ToolCall:
    return ToolCall(name=name, args=args)


class TestToolCall:
    def test_result_and_call_id_do_not_make_calls_different(self) -> None:
        one = ToolCall(name="f", args={"x": 1}, call_id="a", result=1)
        other = ToolCall(name="f", args={"x": 1}, call_id="b", result=2)

        assert one == other
        assert one.matches(other)
        assert not one.matches(other, check_call_id=True)

    def test_matching_accepts_any_arguments_where_none_are_expected_and_equality_does_not(
        self,
    ) -> None:
        assert call("f").matches(call("f", x=1))
        assert call("f") != call("f", x=1)

    def test_without_check_args_only_the_name_counts(self) -> None:
        assert call("f", x=1).matches(call("f", x=2), check_args=False)
        assert not call("f").matches(call("g"), check_args=False)

    @pytest.mark.parametrize(
        ("one", "other", "equal"),
        [
            pytest.param(call("f", x=1), call("f", x=1.0), True, id="1 and 1.0"),
            pytest.param(call("f", x=1), call("f", x=True), False, id="1 and true"),
            pytest.param(call("f", x=2**53), call("f", x=2**53 + 1), False, id="large numbers"),
            pytest.param(call("f"), "f", False, id="something else"),
        ],
    )
    def test_equality(self, one: ToolCall, other: object, equal: bool) -> None:
        assert (one == other) is equal

    def test_d50_calls_with_nested_arguments_can_stand_in_a_set(self) -> None:
        nested: dict[str, Any] = {"q": {"a": [1, {"b": None}]}}

        assert len({call("f", **nested), call("f", **nested), call("f", q=1)}) == 2

    def test_an_error_is_written_only_where_there_is_one(self) -> None:
        assert "error" not in call("f").model_dump()
        assert ToolCall(name="f", error="boom").model_dump()["error"] == "boom"


args = st.dictionaries(
    st.sampled_from("xy"), st.integers() | st.floats(allow_nan=False) | st.booleans()
)


@settings(max_examples=200, deadline=None)
@given(one=args, other=args)
def test_equal_calls_have_equal_hashes(one: dict[str, Any], other: dict[str, Any]) -> None:
    if call("f", **one) == call("f", **other):
        assert hash(call("f", **one)) == hash(call("f", **other))


class TestMessages:
    @pytest.mark.parametrize(
        ("content", "text"),
        [
            pytest.param("hi", "hi", id="a text"),
            pytest.param([{"text": "a"}, {"text": "b"}], "a b", id="blocks are joined"),
            pytest.param([{"type": "image", "url": "x"}, {"text": "b"}], "b", id="other blocks"),
            pytest.param([{"text": "hm", "thought": True}, {"text": "b"}], "b", id="thoughts"),
            pytest.param([{"text": None}], "", id="B04: null"),
            pytest.param([], "", id="no blocks"),
        ],
    )
    def test_the_text_of_a_message(self, content: str | list[dict[str, Any]], text: str) -> None:
        assert MessageContent(role="user", content=content).get_text() == text

    def test_the_short_forms_set_the_role(self) -> None:
        assert MessageContent.user("a").role == "user"
        assert MessageContent.assistant("a").role == "assistant"


class TestTrajectoryStep:
    def test_the_short_forms_set_the_type_and_keep_metadata(self) -> None:
        node = TrajectoryStep.node("MAIN", 1.5, turn=0)
        tool = TrajectoryStep.tool("f", {"x": 1})

        assert (node.step_type, node.timestamp, node.metadata) == (StepType.NODE, 1.5, {"turn": 0})
        assert (tool.step_type, tool.args) == (StepType.TOOL, {"x": 1})


class TestExpectations:
    @pytest.mark.parametrize(
        "turn",
        [
            pytest.param(Invocation.simple("q", "an answer"), id="an answer"),
            pytest.param(Invocation.simple("q", expected_tools=[call("f")]), id="a tool"),
            pytest.param(Invocation.simple("q", expected_node_order=["MAIN"]), id="a node"),
        ],
    )
    def test_a_case_expects_something_where_one_turn_does(self, turn: Invocation) -> None:
        assert EvalCase(conversation=[Invocation.simple("q"), turn]).has_expectation()

    @pytest.mark.parametrize("response", [None, "", "  "])
    def test_a_case_without_any_text_tool_or_node_expects_nothing(
        self, response: str | None
    ) -> None:
        assert not EvalCase.single_turn("c", "q", response).has_expectation()

    def test_marks_of_start_and_end_are_no_expectation(self) -> None:
        case = EvalCase.single_turn("c", "q", expected_node_order=["__start__", "__end__"])

        assert not case.has_expectation()
        assert case.expected_nodes() == []

    def test_b92_an_empty_expected_response_is_none(self) -> None:
        assert Invocation.simple("q", "").expected_final_response is None

    def test_all_tools_of_a_multi_turn_case_stand_at_the_first_turn(self) -> None:
        case = EvalCase.multi_turn("c", [("a", "1"), ("b", "2")], expected_tools=[call("f")])

        assert [len(turn.expected_tool_trajectory) for turn in case.conversation] == [1, 0]
        assert case.expected_calls() == [call("f")]


class TestEvalCase:
    def test_b02_a_null_session_is_absent(self) -> None:
        assert EvalCase.model_validate({"session_input": None}).session_input == SessionInput()

    def test_cases_without_an_id_get_different_ones(self) -> None:
        assert EvalCase().eval_id != EvalCase().eval_id


class TestEvalSet:
    def test_the_same_id_twice_is_refused_with_both_places(self) -> None:
        with pytest.raises(ValidationError, match=r"eval_cases\[0\] and eval_cases\[2\]"):
            EvalSet(eval_cases=[EvalCase(eval_id=name) for name in "aba"])

    def test_a_case_with_a_taken_id_cannot_be_added(self) -> None:
        eval_set = EvalSet(eval_set_id="s", eval_cases=[EvalCase(eval_id="a")])

        with pytest.raises(ValueError, match="'a' is taken in 's'"):
            eval_set.add_case(EvalCase(eval_id="a"))
        eval_set.add_case(EvalCase(eval_id="b"))

        assert [case.eval_id for case in eval_set.eval_cases] == ["a", "b"]

    def test_a_case_is_found_by_its_id(self) -> None:
        eval_set = EvalSet(eval_cases=[EvalCase(eval_id="a", name="A")])

        found = eval_set.get_case("a")

        assert found is not None
        assert found.name == "A"
        assert eval_set.get_case("b") is None

    @pytest.mark.parametrize(
        ("tags", "ids"),
        [
            pytest.param(["x"], "ac", id="one tag"),
            pytest.param(["x", "y"], "abc", id="any of several"),
            pytest.param(["z"], "", id="a tag that none has"),
            pytest.param([], "abcd", id="no tags select all"),
        ],
    )
    def test_cases_are_filtered_by_tags(self, tags: list[str], ids: str) -> None:
        tagged = {"a": ["x"], "b": ["y"], "c": ["x", "y"], "d": []}
        eval_set = EvalSet(
            eval_cases=[EvalCase(eval_id=name, tags=given) for name, given in tagged.items()]
        )

        assert "".join(case.eval_id for case in eval_set.filter_by_tags(tags)) == ids


class TestKeys:
    @pytest.mark.parametrize(
        ("model", "fields", "message"),
        [
            (EvalSet, {"evl_cases": []}, "unknown key 'evl_cases': did you mean 'eval_cases'"),
            (EvalCase, {"conversaton": []}, "did you mean 'conversation'"),
            (Invocation, {"user_content": {"role": "user", "content": ""}, "expected_tool_traj": 1},
             "did you mean 'expected_tool_trajectory'"),
            (ToolCall, {"name": "f", "arg": {}}, "did you mean 'args'"),
        ],
    )  # fmt: skip
    def test_a_misspelt_key_is_named(
        self, model: type[EvalSet], fields: dict[str, Any], message: str
    ) -> None:
        with pytest.raises(ValidationError, match=message):
            model.model_validate(fields)

    def test_other_unknown_keys_are_kept_and_listed(self) -> None:
        eval_set = EvalSet.model_validate(
            {"colour": 1, "eval_cases": [{"mood": 2, "session_input": {"shoe": 3}}]}
        )

        assert list(unknown_keys(eval_set)) == [
            "colour",
            "eval_cases[0].mood",
            "eval_cases[0].session_input.shoe",
        ]
        assert eval_set.model_dump()["eval_cases"][0]["mood"] == 2
