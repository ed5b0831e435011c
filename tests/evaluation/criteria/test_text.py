"""The text criteria, in every script and over several turns."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenxgraph_tui.evaluation.config import CriterionConfig
from tenxgraph_tui.evaluation.criteria.text import (
    ContainsKeywordsCriterion,
    ExactMatchCriterion,
    RougeMatchCriterion,
)
from tenxgraph_tui.evaluation.dataset import EvalCase, Invocation, MessageContent
from tenxgraph_tui.evaluation.execution import ExecutionResult, TurnExecution
from tenxgraph_tui.evaluation.results import CriterionResult, Verdict
from tenxgraph_tui.evaluation.tokens import words


def rouge(expected: str, answer: str, threshold: float = 0.5) -> CriterionResult:
    criterion = RougeMatchCriterion(CriterionConfig.rouge_match(threshold))
    case = EvalCase.single_turn("c", "q", expected)
    return criterion.evaluate_sync(ExecutionResult(actual_response=answer), case)


def keywords(wanted: list[str], *answers: str) -> CriterionResult:
    criterion = ContainsKeywordsCriterion(config=CriterionConfig.contains_keywords(wanted))
    turns = [TurnExecution(response=answer) for answer in answers]
    actual = ExecutionResult(actual_response=answers[-1], turns=turns)
    return criterion.evaluate_sync(actual, EvalCase.single_turn("c", "q"))


@pytest.mark.parametrize(
    ("expected", "answer", "score"),
    [
        pytest.param("你好，世界", "你好，世界", 1, id="B27: Chinese"),
        pytest.param("สวัสดี", "สวัสดี", 1, id="B27: Thai"),
        pytest.param("مرحبا بالعالم", "مرحبا بالعالم", 1, id="B27: Arabic"),
        pytest.param("नमस्ते दुनिया", "नमस्ते दुनिया", 1, id="B27: Hindi"),
        pytest.param("Привет мир", "Привет мир", 1, id="B27: Cyrillic"),
        pytest.param("안녕 세계", "안녕 세계", 1, id="B27: Korean"),
        pytest.param("你好世界", "再见朋友", 0, id="B27: other words in Chinese"),
        pytest.param("Привет мир", "Пока друг", 0, id="B27: other words in Cyrillic"),
        pytest.param("नमस्ते दुनिया", "धन्यवाद मित्र", 0, id="B27: other words in Hindi"),
        pytest.param("订单 42 已取消", "订单 42 已发货", 4 / 6, id="B28: shipped is not cancelled"),
        pytest.param("café Zürich", "cafe\u0301 Zu\u0308rich", 1, id="B30: NFC and NFD"),
        pytest.param("café Zürich", "Cafe Zurich", 0, id="B30: plain ASCII is another word"),
        pytest.param("the cat", "the the the the", 1 / 3, id="B31: repeats are clipped"),
        pytest.param("a b b", "a a b", 2 / 3, id="clipped on both sides"),
        pytest.param("the cat sat", "The CAT, sat!", 1, id="case and punctuation"),
        pytest.param("cat sat on the mat", "mat the on sat cat", 1, id="the order of words"),
        pytest.param("well known fact", "well-known fact", 1, id="a hyphen separates"),
        pytest.param("dont", "don't", 0, id="an apostrophe separates"),
        pytest.param("foo bar", "foo_bar", 1, id="an underscore separates"),
        pytest.param("3 14", "3.14", 0, id="a decimal number is one word"),
        pytest.param("1000", "1,000", 0, id="so is one with thousands"),
        pytest.param("straße", "STRASSE", 1, id="casefold"),
        pytest.param("great", "great 😀", 2 / 3, id="an emoji is a word"),
        pytest.param("🚀", "😀", 0, id="and differs from another"),
        pytest.param("❤", "❤\ufe0f", 1, id="whatever its variation selector"),
        pytest.param("bold", "<b>bold</b>", 1 / 2, id="markup counts as words"),
        pytest.param("?!", "...", 0, id="no words on either side"),
        pytest.param("the cat sat", "", 0, id="no answer"),
        pytest.param("sunny in paris", "It is sunny in Paris", 3 / 4, id="most of the words"),
    ],
)
def test_rouge_counts_shared_words(expected: str, answer: str, score: float) -> None:
    assert rouge(expected, answer).score == pytest.approx(score, abs=1e-12)


def test_d45_a_score_of_three_quarters_passes_a_threshold_of_three_quarters() -> None:
    assert rouge("sunny in paris", "It is sunny in Paris", threshold=0.75).passed


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        pytest.param("It is sunny", "the same words", id="nothing differs"),
        pytest.param("It is rainy", "1 of 3 words differ", id="one word differs"),
        pytest.param("It is rainy in Rome", "3 of 5 words differ", id="a longer answer"),
        pytest.param("  ", "no response", id="silence"),
    ],
)
def test_the_reason_of_rouge_counts_words(answer: str, reason: str) -> None:
    assert rouge("it is sunny", answer).reason == reason


class _OurWords:
    @staticmethod
    def tokenize(text: str) -> list[str]:
        return words(text)


texts = st.text(st.sampled_from("ab cé的 🚀1.,नि"), max_size=30)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ImportWarning")
def test_the_number_is_that_of_rouge_score() -> None:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1"], tokenizer=_OurWords())

    @settings(max_examples=150, deadline=None)
    @given(expected=texts.filter(str.strip), answer=texts)
    def agrees(expected: str, answer: str) -> None:
        theirs = scorer.score(expected, answer)["rouge1"]
        ours = rouge(expected, answer)
        assert ours.score == pytest.approx(theirs.fmeasure, abs=1e-12)
        assert ours.details["precision"] == pytest.approx(theirs.precision)
        assert ours.details["recall"] == pytest.approx(theirs.recall)

    agrees()


def test_scoring_loads_neither_numpy_nor_nltk() -> None:
    script = (
        "import sys; from tenxgraph_tui.evaluation.criteria import CRITERIA_REGISTRY as registry; "
        "from tenxgraph_tui.evaluation.dataset import EvalCase; "
        "from tenxgraph_tui.evaluation.execution import ExecutionResult; "
        "done = ExecutionResult(actual_response='a 你'); "
        "case = EvalCase.single_turn('c', 'q', 'a'); "
        "print(registry['rouge_match']().evaluate_sync(done, case).score, "
        "{'numpy', 'nltk', 'rouge_score'} & set(sys.modules))"
    )

    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )

    assert told.stdout.split(" ", 1)[1].strip() == "set()"


@settings(max_examples=150, deadline=None)
@given(one=st.text(min_size=1).filter(str.strip), other=st.text(min_size=1).filter(str.strip))
def test_rouge_is_symmetric_and_a_text_equals_itself(one: str, other: str) -> None:
    assert rouge(one, other).score == rouge(other, one).score
    assert 0.0 <= rouge(one, other).score <= 1.0
    assert rouge(one, one).score == (1.0 if words(one) else 0.0)


def test_b34_thoughts_are_not_part_of_an_answer() -> None:
    blocks: list[dict[str, object]] = [
        {"text": "maybe Paris? no…", "thought": True},
        {"text": "Rome"},
    ]

    answer = MessageContent(role="assistant", content=blocks).get_text()

    assert rouge("Rome", answer).score == 1.0
    assert keywords(["Paris"], answer).details["missing"] == ["Paris"]


@pytest.mark.parametrize("kind", [RougeMatchCriterion, ExactMatchCriterion])
@pytest.mark.parametrize("expected", [None, "", "   "])
def test_without_an_expected_response_text_criteria_are_not_evaluated(
    kind: type[RougeMatchCriterion | ExactMatchCriterion], expected: str | None
) -> None:
    case = EvalCase.single_turn("c", "q", expected)

    result = kind().evaluate_sync(ExecutionResult(actual_response="anything"), case)

    assert result.verdict is Verdict.NOT_EVALUATED
    assert (result.score, result.error) == (0.0, "not evaluated: no expected response")


class TestSeveralTurns:
    def score(self, expected: list[str | None], answers: list[str]) -> CriterionResult:
        turns = [Invocation.simple("q", text) for text in expected]
        actual = ExecutionResult(
            actual_response=answers[-1], turns=[TurnExecution(response=text) for text in answers]
        )
        case = EvalCase(eval_id="c", conversation=turns)
        return RougeMatchCriterion().evaluate_sync(actual, case)

    def test_b35_the_worst_turn_is_the_score_and_is_named(self) -> None:
        result = self.score(["right", "fine"], ["wrong", "fine"])

        assert (result.score, result.passed) == (0.0, False)
        assert result.reason == "turn 1: 1 of 1 words differ"
        assert result.details["worst_turn"] == 0
        assert [turn["score"] for turn in result.details["turns"]] == [0.0, 1.0]

    def test_a_turn_without_expectation_is_not_scored(self) -> None:
        assert self.score(["alpha beta", None], ["alpha beta", "gamma delta"]).score == 1.0

    def test_turns_are_named_by_their_place_in_the_conversation(self) -> None:
        result = self.score(["a", None, "b"], ["a", "x", "c"])

        assert result.reason == "turn 3: 1 of 1 words differ"
        assert [turn["turn"] for turn in result.details["turns"]] == [0, 2]

    def test_a_turn_that_was_never_reached_has_no_answer(self) -> None:
        result = self.score(["one", "two"], ["one"])

        assert (result.score, result.reason) == (0.0, "turn 2: no response")

    def test_of_an_execution_without_turns_the_last_answer_is_compared(self) -> None:
        case = EvalCase.multi_turn("c", [("q", "one"), ("q", "two")])

        result = RougeMatchCriterion().evaluate_sync(ExecutionResult(actual_response="two"), case)

        assert result.score == 1.0


@pytest.mark.parametrize(
    ("wanted", "answer", "score"),
    [
        pytest.param(["cat"], "concatenate", 0, id="a word inside another is not found"),
        pytest.param(["cat"], "The cat.", 1, id="a word beside punctuation is"),
        pytest.param(["cat", "cat", "dog"], "cat", 2 / 3, id="twice in the list counts twice"),
        pytest.param(["straße"], "STRASSE", 1, id="casefold"),
        pytest.param(["café"], "cafe\u0301", 1, id="B30: NFC and NFD"),
        pytest.param(["café"], "Cafe", 0, id="B30: without the accent"),
        pytest.param(["email"], "e-mail", 0, id="punctuation in the answer counts"),
        pytest.param(["e-mail"], "by E-Mail only", 1, id="and in the keyword"),
        pytest.param(["not financial advice"], "This is not\nfinancial advice.", 1, id="a phrase"),
        pytest.param(["C++"], "C++17 or Rust", 1, id="a symbol at the edge needs no gap"),
        pytest.param(["$5"], "$50", 0, id="a number goes on"),
        pytest.param(["3"], "3.14", 0, id="a decimal number is one word"),
        pytest.param(["取消"], "订单已取消了", 1, id="Chinese has no gaps"),
        pytest.param(["สวัสดี"], "คุณสวัสดีครับ", 1, id="nor has Thai"),
        pytest.param(["кот"], "который", 0, id="Cyrillic has"),
        pytest.param(["🚀"], "up🚀up", 1, id="an emoji needs none"),
        pytest.param(["refund"], "no refund", 1, id="the context is not understood"),
        pytest.param(["x"], "", 0, id="silence holds nothing"),
        pytest.param(["", "  ", "a"], "a", 1, id="blank keywords are not looked for"),
    ],
)
def test_keywords_are_whole_words(wanted: list[str], answer: str, score: float) -> None:
    assert keywords(wanted, answer).score == pytest.approx(score)


def test_keywords_are_looked_for_in_every_answer_of_the_conversation() -> None:
    assert keywords(["refund", "goodbye"], "refund in 7 days", "Goodbye").passed


def test_the_reason_names_the_missing_keywords() -> None:
    result = keywords(["a", "b", "c"], "b")

    assert result.reason == "missing: a, c"
    assert result.details["found"] == ["b"]


@pytest.mark.parametrize("wanted", [[], [" "]])
def test_an_empty_list_of_keywords_is_not_evaluated(wanted: list[str]) -> None:
    assert keywords(wanted, "x").verdict is Verdict.NOT_EVALUATED


def test_keywords_can_be_given_without_a_config() -> None:
    criterion = ContainsKeywordsCriterion(["a"])

    result = criterion.evaluate_sync(
        ExecutionResult(actual_response="a"), EvalCase.single_turn("c", "q")
    )

    assert result.score == 1.0


@pytest.mark.parametrize(
    ("expected", "answer", "score", "reason"),
    [
        pytest.param("Rome", " Rome\n", 1, "the same text", id="space around does not count"),
        pytest.param("caf\u00e9", "cafe\u0301", 1, "the same text", id="B30: NFC and NFD"),
        pytest.param(
            "Rome",
            "rome",
            0,
            "differs from character 1 on: expected 'Rome' / got 'rome'",
            id="case",
        ),
        pytest.param(
            "ab", "abc", 0, "differs from character 3 on: expected '' / got 'c'", id="a longer text"
        ),
        pytest.param("a", "", 0, "no response", id="silence"),
    ],
)
def test_exact_match(expected: str, answer: str, score: float, reason: str) -> None:
    case = EvalCase.single_turn("c", "q", expected)

    result = ExactMatchCriterion().evaluate_sync(ExecutionResult(actual_response=answer), case)

    assert (result.score, result.reason) == (score, reason)
