"""The tool and node criteria: what a match is worth, and the reason a person reads."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenxgraph_tui.evaluation.config import CriterionConfig, MatchType
from tenxgraph_tui.evaluation.criteria.tools import (
    NodeOrderMatchCriterion,
    ToolNameMatchCriterion,
    TrajectoryMatchCriterion,
)
from tenxgraph_tui.evaluation.dataset import EvalCase, Invocation, ToolCall
from tenxgraph_tui.evaluation.execution import ExecutionResult, NodeResponseData, TurnExecution
from tenxgraph_tui.evaluation.results import CriterionResult, Verdict

EXACT, IN_ORDER, ANY_ORDER = MatchType.EXACT, MatchType.IN_ORDER, MatchType.ANY_ORDER
MODES = (EXACT, IN_ORDER, ANY_ORDER)


def call(name: str, **args: object) -> ToolCall:
    return ToolCall(name=name, args=args)


def calls(names: str) -> list[ToolCall]:
    return [call(name) for name in names]


def trajectory(
    expected: list[ToolCall],
    actual: list[ToolCall],
    match_type: MatchType = EXACT,
    *,
    check_args: bool = True,
) -> CriterionResult:
    config = CriterionConfig.trajectory(match_type=match_type, check_args=check_args)
    case = EvalCase.single_turn("c", "q", "an answer", expected)
    return TrajectoryMatchCriterion(config).evaluate_sync(ExecutionResult(tool_calls=actual), case)


def tool_names(expected: list[ToolCall], actual: list[ToolCall]) -> CriterionResult:
    case = EvalCase.single_turn("c", "q", "an answer", expected)
    criterion = ToolNameMatchCriterion(CriterionConfig.tool_name_match())
    return criterion.evaluate_sync(ExecutionResult(tool_calls=actual), case)


def node_order(
    expected: list[str], actual: list[str], match_type: MatchType = EXACT
) -> CriterionResult:
    case = EvalCase.single_turn("c", "q", "an answer", expected_node_order=expected)
    criterion = NodeOrderMatchCriterion(CriterionConfig.node_order(match_type=match_type))
    return criterion.evaluate_sync(ExecutionResult(node_visits=actual), case)


@pytest.mark.parametrize(
    ("expected", "actual", "exact", "in_order", "any_order"),
    [
        pytest.param("ab", "ab", 1, 1, 1, id="the same calls"),
        pytest.param("a", "ab", 1 / 2, 1, 1, id="B13: an extra call at the end costs under EXACT"),
        pytest.param("ab", "acb", 1 / 3, 1, 1, id="an extra call in the middle shifts the rest"),
        pytest.param("ab", "cab", 0, 1, 1, id="an extra call at the start shifts everything"),
        pytest.param("aab", "aab", 1, 1, 1, id="B15: a call twice is expected and made twice"),
        pytest.param("aa", "a", 1 / 2, 1 / 2, 1 / 2, id="B15: one call fills one expectation"),
        pytest.param("abc", "bc", 0, 2 / 3, 2 / 3, id="B17: only the first is missing"),
        pytest.param("abc", "axbc", 1 / 4, 1, 1, id="B17: one more call between the expected"),
        pytest.param("aba", "aab", 1 / 3, 2 / 3, 1, id="B17: in order but for one"),
        pytest.param("abc", "ac", 1 / 3, 2 / 3, 2 / 3, id="the middle one is missing"),
        pytest.param("ab", "ba", 0, 1 / 2, 1, id="the wrong order"),
        pytest.param("ab", "cd", 0, 0, 0, id="nothing in common"),
        pytest.param("ab", "", 0, 0, 0, id="nothing was called"),
        pytest.param("", "", 1, 1, 1, id="B14: nothing expected and nothing called"),
        pytest.param("", "x", 0, 1, 1, id="B14: nothing expected but something called"),
    ],
)
def test_a_trajectory_is_worth(
    expected: str, actual: str, exact: float, in_order: float, any_order: float
) -> None:
    scores = [trajectory(calls(expected), calls(actual), mode).score for mode in MODES]

    assert scores == pytest.approx([exact, in_order, any_order])


@pytest.mark.parametrize(
    ("expected", "actual", "match"),
    [
        pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, True, id="B18: keys in another order"),
        pytest.param(
            {"q": {"x": 1, "y": 2}}, {"q": {"y": 2, "x": 1}}, True, id="B18: nested keys too"
        ),
        pytest.param({"ids": [1, 2]}, {"ids": [2, 1]}, False, id="B18: a list in another order"),
        pytest.param({"x": 1}, {"x": 1.0}, True, id="B19: 1 and 1.0"),
        pytest.param({"x": 0.3}, {"x": 0.30000000000000004}, True, id="B19: float noise"),
        pytest.param({"x": 1}, {"x": True}, False, id="B19: 1 and true"),
        pytest.param({"x": 0}, {"x": False}, False, id="B19: 0 and false"),
        pytest.param({"x": "1"}, {"x": 1}, False, id="B19: the text 1 and the number"),
        pytest.param({"x": 1e3}, {"x": 1000}, True, id="B19: 1e3 and 1000"),
        pytest.param({"x": [1, 2]}, {"x": [1.0, 2.0]}, True, id="B19: numbers in lists"),
        pytest.param({"x": 2**53 + 1}, {"x": 2**53}, False, id="two large whole numbers"),
        pytest.param({"x": 10**400}, {"x": 1.5}, False, id="a number that no float can hold"),
        pytest.param({"x": 1, "y": None}, {"x": 1}, False, id="null is not absent"),
        pytest.param({"x": {}}, {}, False, id="an empty object is not absent"),
        pytest.param({"x": 1}, {"x": 1, "y": 2}, False, id="an argument too many"),
        pytest.param({}, {"x": 9}, True, id="no expected arguments accept any"),
        pytest.param({"x": "Paris"}, {"x": "Paris "}, False, id="a space more"),
        pytest.param({"port": 80}, {"port": 8080}, False, id="B25: 80 is not in 8080"),
        pytest.param({"k": ["namespaces"]}, {"k": ["nodes"]}, False, id="B25: another list"),
        pytest.param(
            {"city": "Austin", "state": "TX"},
            {"city": "Austin", "state": "TX"},
            True,
            id="B22: an argument named state",
        ),
    ],
)
@pytest.mark.parametrize("match_type", MODES)
def test_arguments_match(
    expected: dict[str, object], actual: dict[str, object], match: bool, match_type: MatchType
) -> None:
    expects, made = [ToolCall(name="f", args=expected)], [ToolCall(name="f", args=actual)]

    assert trajectory(expects, made, match_type).score == float(match)
    assert trajectory(expects, made, match_type, check_args=False).score == 1.0


def test_b23_call_ids_are_not_compared() -> None:
    expected = [ToolCall(name="f", call_id=None)]
    made = [ToolCall(name="f", call_id="call_8f3a")]

    assert trajectory(expected, made).passed


def test_any_order_finds_the_assignment_that_greed_misses() -> None:
    expected = [call("a"), call("a", x=1)]
    made = [call("a", x=1), call("a", x=2)]

    assert trajectory(expected, made, ANY_ORDER).score == 1.0


@pytest.mark.parametrize(
    ("expected", "actual", "match_type", "reason"),
    [
        pytest.param(
            [call("geo"), call("get_forecast", city="Tokyo", days=3)],
            [call("geo"), call("get_forecast", city="Kyoto", days=3)],
            EXACT,
            "first divergence: call 2, city",
            id="a different argument is named",
        ),
        pytest.param(
            [call("a"), call("get_alerts")],
            [call("a")],
            IN_ORDER,
            "missing: get_alerts (expected: a, get_alerts / got: a)",
            id="a missing call",
        ),
        pytest.param(
            [call("a")],
            [call("a"), call("b")],
            EXACT,
            "extra: b (expected: a / got: a, b)",
            id="B26: expected stands before got",
        ),
        pytest.param(
            calls("ab"),
            calls("ba"),
            EXACT,
            "out of order: a (expected: a, b / got: b, a)",
            id="a call at the wrong place is neither missing nor extra",
        ),
        pytest.param(
            calls("ab"),
            calls("xa"),
            IN_ORDER,
            "missing: b (expected: a, b / got: x, a)",
            id="an extra call that costs nothing is not complained about",
        ),
        pytest.param(
            calls("ab"), [], EXACT, "missing: a, b (expected: a, b / got: nothing)", id="no calls"
        ),
        pytest.param(calls("ab"), calls("ab"), EXACT, "2 of 2 calls match", id="all is well"),
        pytest.param(calls("ab"), calls("axb"), IN_ORDER, "2 of 2 calls match", id="with extras"),
    ],
)
def test_the_reason_says_what_to_do(
    expected: list[ToolCall], actual: list[ToolCall], match_type: MatchType, reason: str
) -> None:
    assert trajectory(expected, actual, match_type).reason == reason


def test_the_reason_is_one_line_whatever_the_names() -> None:
    assert "missing: a b" in (trajectory([call("a\n b")], []).reason or "")


def test_a_long_list_of_names_is_cut() -> None:
    reason = trajectory(calls("abcdefghijkl"), []).reason

    assert reason is not None
    assert reason.startswith("missing: a, b, c, d, e, f, g, h, … 4 more (expected:")


@pytest.mark.parametrize(
    ("expected", "actual", "score", "reason"),
    [
        pytest.param("ab", "ba", 1, "2 of 2 tools called", id="the order does not matter"),
        pytest.param("ab", "abc", 1, "2 of 2 tools called", id="extras cost nothing"),
        pytest.param("aa", "a", 1 / 2, "missing: a", id="repeats count"),
        pytest.param("abc", "ca", 2 / 3, "missing: b", id="one is missing"),
        pytest.param("", "", 1, "no tool expected, none called", id="B14: nothing at all"),
        pytest.param("", "x", 1 / 2, "no tool expected, called: x", id="B14: an unexpected call"),
    ],
)
def test_tool_names_are_worth(expected: str, actual: str, score: float, reason: str) -> None:
    result = tool_names(calls(expected), calls(actual))

    assert result.score == pytest.approx(score)
    assert result.reason == reason


@pytest.mark.parametrize(
    ("expected", "actual", "exact", "in_order", "any_order"),
    [
        pytest.param(["M", "T", "M"], ["M", "T", "M"], 1, 1, 1, id="the documented example"),
        pytest.param(["M"], ["M", "T", "M"], 1 / 3, 1, 1, id="B13: extra visits cost under EXACT"),
        pytest.param(["M", "M", "T"], ["M", "T", "M"], 1 / 3, 2 / 3, 1, id="another order"),
        pytest.param([], ["M"], 1, 1, 1, id="no node expected"),
        pytest.param(["m"], ["M"], 0, 0, 0, id="names are case-sensitive"),
        pytest.param(
            ["__start__", "M", "__end__"], ["M"], 1, 1, 1, id="marks of start and end are no visits"
        ),
    ],
)
def test_a_node_order_is_worth(
    expected: list[str], actual: list[str], exact: float, in_order: float, any_order: float
) -> None:
    scores = [node_order(expected, actual, mode).score for mode in MODES]

    assert scores == pytest.approx([exact, in_order, any_order])


def test_the_reason_of_a_node_order_names_the_nodes() -> None:
    reason = node_order(["MAIN", "TOOL"], ["MAIN"]).reason

    assert reason == "missing: TOOL (expected: MAIN, TOOL / got: MAIN)"


def test_a_target_that_answers_without_telling_nodes_has_no_node_order() -> None:
    case = EvalCase.single_turn("c", "q", "an answer", expected_node_order=["MAIN"])
    told = ExecutionResult(node_responses=[NodeResponseData(node_name="agent")])
    result = NodeOrderMatchCriterion().evaluate_sync(told, case)
    assert (result.verdict, result.error) == (
        Verdict.NOT_EVALUATED,
        "not evaluated: the target tells no nodes",
    )


@pytest.mark.parametrize(
    "kind", [ToolNameMatchCriterion, TrajectoryMatchCriterion, NodeOrderMatchCriterion]
)
def test_b14_a_case_that_expects_nothing_at_all_is_not_evaluated(
    kind: type[ToolNameMatchCriterion | TrajectoryMatchCriterion | NodeOrderMatchCriterion],
) -> None:
    result = kind().evaluate_sync(ExecutionResult(), EvalCase.single_turn("c", "q"))

    assert result.verdict is Verdict.NOT_EVALUATED
    assert result.error == "not evaluated: the case expects nothing"


class TestSeveralTurns:
    case = EvalCase(
        eval_id="c",
        conversation=[
            Invocation.simple("one", expected_tools=calls("ab"), expected_node_order=["M"]),
            Invocation.simple("two", "done"),
        ],
    )
    actual = ExecutionResult(
        tool_calls=calls("ab"),
        node_visits=["M"],
        turns=[
            TurnExecution(tool_calls=calls("a"), node_visits=["M"]),
            TurnExecution(tool_calls=calls("b")),
        ],
    )

    def test_tools_are_compared_over_the_whole_conversation(self) -> None:
        assert TrajectoryMatchCriterion().evaluate_sync(self.actual, self.case).score == 1.0

    def test_per_turn_compares_within_each_turn_and_the_worst_one_counts(self) -> None:
        criterion = TrajectoryMatchCriterion(per_turn=True)

        result = criterion.evaluate_sync(self.actual, self.case)

        assert result.score == 0.0
        assert result.reason == "turn 2: extra: b (expected: nothing / got: b)"
        assert [turn["score"] for turn in result.details["turns"]] == [0.5, 0.0]

    def test_per_turn_needs_the_turns(self) -> None:
        untold = ExecutionResult(tool_calls=calls("ab"))

        result = TrajectoryMatchCriterion(per_turn=True).evaluate_sync(untold, self.case)

        assert result.verdict is Verdict.NOT_EVALUATED
        assert result.reason == "per_turn needs all 2 turns, 0 were recorded"


some_calls = st.lists(
    st.builds(
        ToolCall,
        name=st.sampled_from("abc"),
        args=st.dictionaries(st.sampled_from("xy"), st.sampled_from([1, 1.0, 2, "1", None])),
    ),
    max_size=7,
)


@settings(max_examples=150, deadline=None)
@given(expected=some_calls, actual=some_calls, check_args=st.booleans())
def test_every_score_is_a_share_and_stricter_modes_imply_laxer_ones(
    expected: list[ToolCall], actual: list[ToolCall], check_args: bool
) -> None:
    exact, in_order, any_order = (
        trajectory(expected, actual, mode, check_args=check_args).score for mode in MODES
    )

    assert all(0.0 <= score <= 1.0 for score in (exact, in_order, any_order))
    assert exact <= in_order <= any_order
    assert 0.0 <= tool_names(expected, actual).score <= 1.0


@settings(max_examples=100, deadline=None)
@given(expected=some_calls, actual=some_calls, data=st.data())
def test_any_order_does_not_depend_on_the_order(
    expected: list[ToolCall], actual: list[ToolCall], data: st.DataObject
) -> None:
    shuffled_expected = data.draw(st.permutations(expected))
    shuffled_actual = data.draw(st.permutations(actual))

    score = trajectory(expected, actual, ANY_ORDER).score

    assert trajectory(shuffled_expected, shuffled_actual, ANY_ORDER).score == score
