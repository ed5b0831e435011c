"""Eval sets in code come out as the facts of 10xGraph's builder say, but without inventions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.builder import EvalSetBuilder, create_simple_eval_set
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet, ToolCall
from tests.evaluation.agents import QUIET, saying


def expectations(eval_set: EvalSet) -> list[str | None]:
    return [turn.expected_text() for case in eval_set.eval_cases for turn in case.conversation]


def ids(eval_set: EvalSet) -> list[str]:
    return [case.eval_id for case in eval_set.eval_cases]


def test_methods_chain_and_number_the_cases() -> None:
    built = (
        EvalSetBuilder("n")
        .add_case("q", "e")
        .add_case("q2", "e2", expected_tools=["t", ToolCall(name="u", args={"a": 1})])
        .add_multi_turn([("a", "b"), ("c", "d")], expected_tools=["m"])
        .add_tool_test("w", "get_weather", {"city": "Oslo"})
        .build()
    )
    assert (built.eval_set_id, built.name) == ("n", "n")
    assert ids(built) == ["case_1", "case_2", "case_3", "case_4"]
    assert [[call.name for call in case.expected_calls()] for case in built.eval_cases] == [
        [],
        ["t", "u"],
        ["m"],
        ["get_weather"],
    ]
    assert built.eval_cases[1].expected_calls()[1].args == {"a": 1}
    assert built.eval_cases[3].expected_calls()[0].args == {"city": "Oslo"}
    assert expectations(built) == ["e", "e2", "b", "d", None]


def test_names_descriptions_and_nodes_are_kept() -> None:
    builder = EvalSetBuilder()
    builder.add_case(
        "q", "e", "mine", expected_node_order=["MAIN"], name="Mine", description="about"
    )
    builder.add_multi_turn([("a", "b")], "talk", name="Talk", description="a talk")
    assert builder.name == "eval_set"
    mine, talk = builder.build().eval_cases
    assert (mine.eval_id, mine.name, mine.description) == ("mine", "Mine", "about")
    assert mine.expected_nodes() == ["MAIN"]
    assert (talk.eval_id, talk.name, talk.description) == ("talk", "Talk", "a talk")


async def test_b92_a_tool_test_expects_no_answer_also_after_a_round_trip(tmp_path: Path) -> None:
    path = str(tmp_path / "set.json")
    EvalSetBuilder("tools").add_tool_test("w", "get_weather").save(path)
    loaded = EvalSet.from_file(path)
    assert expectations(loaded) == [None]
    assert [call.args for call in loaded.eval_cases[0].expected_calls()] == [{}]

    from tenxgraph_tui.evaluation.evaluator import AgentEvaluator

    app, collector = saying({"w": "sunny"})
    result = await AgentEvaluator(app, collector, QUIET).evaluate_case(loaded.eval_cases[0])
    verdict = result.get_criterion_result("rouge_match")
    assert verdict is not None
    assert verdict.error == "not evaluated: no expected response"


def test_a_number_that_is_taken_is_never_given_twice(tmp_path: Path) -> None:
    path = str(tmp_path / "set.json")
    EvalSet(eval_set_id="s", eval_cases=[EvalCase.single_turn("case_2", "q")]).to_file(path)
    assert ids(EvalSetBuilder.from_file(path).add_case("q", "").build()) == ["case_2", "case_3"]
    with pytest.raises(ValueError, match="eval_id 'case_2' is taken in 's'"):
        EvalSetBuilder.from_file(path).add_case("q", "", "case_2")


def test_a_builder_goes_on_where_a_file_ends(tmp_path: Path) -> None:
    path = str(tmp_path / "set.json")
    EvalSet(eval_set_id="s", name="S", metadata={"target": "a.py:app"}).to_file(path)
    builder = EvalSetBuilder.from_file(path)
    again = builder.add_case("q", "e").save(path)
    assert EvalSet.from_file(path) == again
    assert (again.eval_set_id, again.name, again.metadata) == ("s", "S", {"target": "a.py:app"})
    assert builder.name == "S"


def test_what_was_built_does_not_change_with_its_builder() -> None:
    builder = EvalSetBuilder().add_case("q", "e")
    built = builder.build()
    built.eval_cases[0].name = "changed"
    builder.add_case("q2", "e2")
    assert ids(built) == ["case_1"]
    assert builder.build().eval_cases[0].name == ""


def test_quick_makes_a_set_of_pairs() -> None:
    quick = EvalSetBuilder.quick(("Hello", "Hi"), ("2+2", ""))
    assert (quick.name, ids(quick)) == ("quick_tests", ["test_1", "test_2"])
    assert expectations(quick) == ["Hi", None]


def test_exchanges_become_cases() -> None:
    made = EvalSetBuilder.from_conversations([{"user": "a", "assistant": "b"}, {"user": "c"}])
    assert (made.name, ids(made)) == ("conversation_tests", ["conv_1", "conv_2"])
    assert expectations(made) == ["b", None]
    with pytest.raises(ValueError, match=r"conversations\[1\] has no 'user'"):
        EvalSetBuilder.from_conversations([{"user": "a"}, {"usr": "b"}])


def test_a_text_is_no_list_of_tools() -> None:
    with pytest.raises(TypeError, match=r"write \['get_weather'\]"):
        EvalSetBuilder().add_case("q", "e", expected_tools="get_weather")


def test_create_simple_eval_set_numbers_from_zero() -> None:
    made = create_simple_eval_set(
        "basic", [("Hello", "Hi", "greeting"), ("2+2", "4", None), ("q", "", "")]
    )
    assert (made.eval_set_id, made.name) == ("basic", "basic")
    assert [(case.eval_id, case.name) for case in made.eval_cases] == [
        ("case_0", "greeting"),
        ("case_1", "Case 1"),
        ("case_2", ""),
    ]
    assert expectations(made) == ["Hi", "4", None]
