"""The rules of scoring what an agent said, and where there is nothing to score.

The title of a test says the row of DESIGN section 4, the id of a case what is tried.
"""

from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation import (
    CriterionConfig,
    EvalCase,
    EvalPresets,
    Invocation,
    MessageContent,
    ToolCall,
)
from tests.parity.acting import (
    NAMES,
    NOT,
    ROUGE,
    Play,
    ask,
    checks,
    conversation,
    makes,
    scores,
    trajectory,
    turn,
    wants,
)


class TestSeveralTurns:
    CASE = staticmethod(
        lambda: conversation(
            Invocation.simple("q1", "x", [ToolCall(name="a")]),
            Invocation.simple("q2", "y", [ToolCall(name="b")]),
        )
    )

    async def test_tools_are_compared_over_the_whole_conversation(self, play: Play) -> None:
        turns = [turn(ask("a"), ask("b"), response="x"), turn(response="y")]

        result = await play(turns, self.CASE(), trajectory())

        assert result.passed
        assert [len(each["tool_calls"]) for each in result.turn_results] == [2, 0]

    async def test_per_turn_compares_within_each(self, play: Play) -> None:
        config = trajectory()
        assert config.criteria.trajectory is not None
        config.criteria.trajectory.per_turn = True

        wrong = [turn(ask("a"), ask("b"), response="x"), turn(response="y")]
        right = [turn(ask("a"), response="x"), turn(ask("b"), response="y")]

        assert scores(await play(wrong, self.CASE(), config)) == [0.0]
        assert scores(await play(right, self.CASE(), config)) == [1.0]

    async def test_the_tools_of_multi_turn_stand_at_the_first_turn(self, play: Play) -> None:
        tools = [ToolCall(name="a"), ToolCall(name="b")]
        case = EvalCase.multi_turn("c", [("q1", "x"), ("q2", "y")], tools)

        turns = [turn(ask("a"), response="x"), turn(ask("b"), response="y")]

        assert (await play(turns, case, trajectory())).passed

    async def test_every_expected_answer_counts_and_the_worst_is_the_score(
        self, play: Play
    ) -> None:
        """B35, D14: the last turn is not the only one."""
        case = conversation(Invocation.simple("q1", "A1"), Invocation.simple("q2", "A2"))

        result = await play([turn(response="wrong"), turn(response="A2")], case, ROUGE)

        (rouge,) = result.criterion_results
        assert (rouge.score, rouge.passed) == (0.0, False)
        assert [each["score"] for each in rouge.details["turns"]] == [0.0, 1.0]
        assert rouge.reason == "turn 1: 1 of 1 words differ"

    async def test_turns_without_an_expected_answer_are_not_scored(self, play: Play) -> None:
        """D15"""
        case = conversation(Invocation.simple("q1", "alpha"), Invocation.simple("q2"))

        result = await play([turn(response="alpha"), turn(response="other")], case, ROUGE)

        assert scores(result) == [1.0]

    async def test_keywords_may_stand_in_any_answer(self, play: Play) -> None:
        config = checks(contains_keywords=CriterionConfig.contains_keywords(["refund"]))
        case = conversation(Invocation.simple("policy?"), Invocation.simple("bye"))

        result = await play([turn(response="refund in 7 days"), turn(response="Bye")], case, config)

        assert result.passed


@pytest.mark.parametrize(
    ("expected", "answer", "score"),
    [
        pytest.param("你好，世界", "你好，世界", 1, id="B27: identical Chinese"),
        pytest.param("订单 42 已取消", "订单 42 已发货", 2 / 3, id="B28: shipped is not cancelled"),
        pytest.param("café Zürich", "cafe\u0301 Zu\u0308rich", 1, id="B30: NFC and NFD"),
        pytest.param("café Zürich", "Cafe Zurich", 0, id="B30: other letters"),
        pytest.param("the cat", "the the the the", 1 / 3, id="B31: clipped counts"),
        pytest.param("it costs 1,000", "it costs 1000", 2 / 3, id="a number is one word"),
        pytest.param("great 😀", "great 🚀", 1 / 2, id="an emoji is one word"),
        pytest.param("running", "run", 0, id="no stemming"),
        pytest.param("STRASSE", "straße", 1, id="case folding"),
        pytest.param("Paris", "", 0, id="no answer"),
    ],
)
async def test_rouge_match(play: Play, expected: str, answer: str, score: float) -> None:
    result = await play([turn(response=answer)], wants("", expected), ROUGE)

    assert scores(result) == [score]


async def test_rouge_match_does_not_read_thoughts_of_the_expectation(play: Play) -> None:
    """B34: a part that is a thought is not said."""
    case = wants("")
    case.conversation[0].expected_final_response = MessageContent(
        role="assistant", content=[{"text": "maybe Paris?", "thought": True}, {"text": "Rome"}]
    )

    assert scores(await play([turn(response="Rome")], case, ROUGE)) == [1.0]


@pytest.mark.parametrize(
    ("keywords", "answer", "score"),
    [
        pytest.param(["cat"], "concatenate", 0, id="D46: cat is not in concatenate"),
        pytest.param(["cat"], "The CAT sat.", 1, id="case does not matter"),
        pytest.param(["café"], "cafe\u0301", 1, id="B30: NFC and NFD"),
        pytest.param(["退款"], "可以退款吗", 1, id="a part of Chinese text"),
        pytest.param(["a", "b"], "a", 0.5, id="the share of them"),
        pytest.param([], "a", NOT, id="no keywords"),
    ],
)
async def test_contains_keywords(
    play: Play, keywords: list[str], answer: str, score: object
) -> None:
    config = checks(contains_keywords=CriterionConfig.contains_keywords(keywords))

    assert scores(await play([turn(response=answer)], wants("", None), config)) == [score]


@pytest.mark.parametrize("expected", [None, "", "  \n"])
async def test_no_expected_response_is_not_evaluated(play: Play, expected: str | None) -> None:
    config = EvalPresets.combine(ROUGE, NAMES)
    case = wants("a", "x")
    case.conversation[0].expected_final_response = (
        None if expected is None else MessageContent.assistant(expected)
    )

    result = await play(makes("a"), case, config)

    assert scores(result) == [1.0, NOT]
    assert result.passed
    rouge = result.get_criterion_result("rouge_match")
    assert rouge is not None
    assert (rouge.score, rouge.passed) == (0.0, False)
    assert rouge.error == "not evaluated: no expected response"
    assert not result.failed_criteria


class TestNoExpectationOfAnyKind:
    async def test_is_nothing_to_check(self, play: Play) -> None:
        """B14"""
        config = EvalPresets.combine(
            trajectory(), NAMES, ROUGE, checks(node_order=CriterionConfig.node_order())
        )

        result = await play(makes("a"), wants("", None), config)

        assert scores(result) == [NOT] * 4
        assert str(result.error).startswith("nothing to check")
        assert not result.passed

    async def test_unless_a_criterion_needs_none(self, play: Play) -> None:
        config = EvalPresets.combine(
            trajectory(), checks(contains_keywords=CriterionConfig.contains_keywords(["done"]))
        )

        result = await play(makes("a"), wants("", None), config)

        assert scores(result) == [NOT, 1.0]
        assert result.passed

    async def test_a_case_without_turns_neither(self, play: Play) -> None:
        """B02: until simulated users exist, a case with a scenario alone is one."""
        case = EvalCase.model_validate(
            {
                "eval_id": "c",
                "session_input": None,
                "conversation_scenario": {"starting_prompt": "Hello", "conversation_plan": "…"},
            }
        )

        result = await play([], case, EvalPresets.tool_usage())

        assert result.error == "nothing to check: the case has no turns"


class TestWhatACaseIs:
    """The paragraph above the table: error, else failed, else passed."""

    async def test_an_error_of_a_criterion_is_the_error_of_the_case(self, play: Play) -> None:
        config = EvalPresets.combine(NAMES, checks(safety=CriterionConfig.safety()))

        result = await play(makes("a"), wants("a"), config)

        assert str(result.error).startswith("safety_v1: 0 of 3 samples can be used: ")
        assert "has no key: set GEMINI_API_KEY" in str(result.error)
        assert [each.criterion for each in result.failed_criteria] == ["safety_v1"]
        assert [each.criterion for each in result.passed_criteria] == ["tool_name_match_score"]

    async def test_one_failed_criterion_fails_it(self, play: Play) -> None:
        result = await play(makes("a"), wants("a", "other"), EvalPresets.combine(NAMES, ROUGE))

        assert (result.passed, result.error) == (False, None)

    async def test_the_score_of_what_is_no_score_is_finite(self, play: Play) -> None:
        result = await play(makes("a"), wants("a", None), EvalPresets.combine(NAMES, ROUGE))

        dumped = result.model_dump(mode="json")["criterion_results"]
        assert [(each["score"], each["verdict"]) for each in dumped] == [
            (1.0, "passed"),
            (0.0, NOT),
        ]


@pytest.mark.parametrize(
    ("answer", "threshold", "passed"),
    [
        pytest.param("It is sunny in Paris", 0.75, True, id="D45: exactly at it"),
        pytest.param("It is sunny in Paris", 0.7500001, False, id="just below it"),
    ],
)
async def test_thresholds_are_compared_with_a_tolerance(
    play: Play, answer: str, threshold: float, passed: bool
) -> None:
    config = checks(rouge_match=CriterionConfig.rouge_match(threshold))

    result = await play([turn(response=answer)], wants("", "sunny in paris"), config)

    assert result.passed is passed
