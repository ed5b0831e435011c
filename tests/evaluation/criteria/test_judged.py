"""What all judged criteria do alike: ask, count samples, look at turns, and never guess."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from tenxgraph_tui.errors import JudgeError, JudgeFailure
from tenxgraph_tui.evaluation.config import CriteriaConfig, CriterionConfig, EvalConfig
from tenxgraph_tui.evaluation.criteria import (
    BaseCriterion,
    LLMCallerMixin,
    TemplatedLLMCriterion,
    build,
)
from tenxgraph_tui.evaluation.criteria.judged_answers import LLMJudgeCriterion
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult, TokenUsage
from tenxgraph_tui.evaluation.judging.forms import SCORED, AnswerForm
from tenxgraph_tui.evaluation.results import CriterionResult, Score, Verdict
from tests.evaluation.criteria.judging import ALL, FIVE, GOOD, Asked, case, done, made

BUSY = JudgeError("judge m: its rate limit is reached", JudgeFailure.RATE_LIMIT)
NO = "I can't help with that."
COMPARING = ("response_match", "llm_judge", "factual_accuracy")


@pytest.mark.parametrize("slot", ALL)
async def test_a_score_comes_with_its_samples_tokens_and_model(slot: str) -> None:
    asked = Asked(GOOD)
    result = await asked.about(made(slot, num_samples=3), done("12 EUR"), case())
    assert result.verdict == Verdict.PASSED
    assert result.score == pytest.approx(0.9)
    assert result.token_usage == TokenUsage(30, 15)
    details = result.details
    assert details["reason"] == ("tone: tone" if slot == "rubric_based" else "fine")
    assert details["judge_model"] == CriterionConfig().judge_model
    assert [sample["score"] for sample in details["judge_samples"]] == pytest.approx([0.9] * 3)
    assert (details["samples"], details["spread"]) == (3, 0.0)
    assert details["judge_cost"] == pytest.approx(0.003)
    assert [request.sample for request in asked.judge.requests] == [1, 2, 3]


@pytest.mark.parametrize("slot", ALL)
@pytest.mark.parametrize("said", [NO, "NO", "unsafe.", "", BUSY, "{}", '{"score": 1.0}'])
async def test_b44_no_verdict_is_neither_good_nor_bad(slot: str, said: Any) -> None:
    result = await Asked(said).about(made(slot, threshold=0.0), done("12 EUR"), case())
    assert result.verdict is Verdict.ERROR
    assert result.error
    assert (result.score, result.passed) == (0.0, False)


@pytest.mark.parametrize("slot", ALL)
async def test_b42_a_judge_that_is_down_is_an_error(slot: str) -> None:
    criterion = made(slot, num_samples=3, threshold=0.5)
    result = await Asked(BUSY).about(criterion, done("12 EUR"), case())
    assert result.verdict is Verdict.ERROR
    assert "0 of 3 samples can be used: judge m: its rate limit" in str(result.error)
    result = await Asked(BUSY, BUSY, GOOD).about(criterion, done("12 EUR"), case())
    assert result.verdict is Verdict.ERROR
    assert "1 of 3 samples can be used" in str(result.error)
    assert result.token_usage == TokenUsage(10, 5), "what was paid for is told"
    assert len(result.details["judge_samples"]) == 3


async def test_two_of_three_samples_are_enough_and_it_is_said() -> None:
    criterion = made("llm_judge", num_samples=3)
    result = await Asked(GOOD, BUSY, {"score": 0.7}).about(criterion, done("12 EUR"), case())
    assert result.verdict == Verdict.PASSED
    assert result.score == pytest.approx(0.8)
    assert result.reason == "fine (2 of 3 samples count)"
    assert result.details["individual_scores"] == [0.9, 0.7]


@pytest.mark.parametrize(
    "said", [8, "4/5", -0.2, 98989, None, float("nan"), float("inf"), True, [0.5]]
)
@pytest.mark.parametrize("slot", FIVE)
async def test_b41_no_scale_is_guessed(slot: str, said: Any) -> None:
    result = await Asked({"score": said}).about(made(slot), done("12 EUR"), case())
    assert result.verdict is Verdict.ERROR
    assert "judge's score" in str(result.error)


@pytest.mark.parametrize("slot", FIVE)
async def test_b41_a_text_that_is_a_number_is_one(slot: str) -> None:
    result = await Asked({"score": "0.8"}).about(made(slot), done("12 EUR"), case())
    assert result.score == 0.8
    assert result.reason == "the judge gave no reason"


@pytest.mark.parametrize("answer", ["", "  \n"])
@pytest.mark.parametrize(
    "slot", ["response_match", "llm_judge", "factual_accuracy", "rubric_based"]
)
async def test_b45_saying_nothing_scores_nothing(slot: str, answer: str) -> None:
    asked = Asked(GOOD)
    result = await asked.about(made(slot), done(answer), case())
    assert (result.verdict, result.score, result.reason) == (Verdict.FAILED, 0.0, "no response")
    assert not asked.prompts


@pytest.mark.parametrize("slot", ["hallucination", "safety"])
async def test_b45_who_says_nothing_makes_nothing_up(slot: str) -> None:
    asked = Asked(GOOD)
    result = await asked.about(made(slot), done(""), case())
    assert (result.verdict, result.reason) == (Verdict.NOT_EVALUATED, "no response")
    assert not asked.prompts


@pytest.mark.parametrize("slot", COMPARING)
async def test_where_nothing_is_expected_nothing_is_compared(slot: str) -> None:
    asked = Asked(GOOD)
    result = await asked.about(made(slot), done("12 EUR"), case(("What is the fee?", " ")))
    assert result.verdict is Verdict.NOT_EVALUATED
    assert "no expected response" in str(result.reason)
    assert not asked.prompts


@pytest.mark.parametrize("slot", ["hallucination", "safety", "rubric_based"])
async def test_some_criteria_need_no_expectation(slot: str) -> None:
    result = await Asked(GOOD).about(made(slot), done("12 EUR"), case(("What is the fee?", "")))
    assert result.verdict is Verdict.PASSED


TALK = case(("Hello?", "Hi"), ("What is the fee?", "The fee is 12 EUR"), ("Thanks", ""))
SAID = done("Hi there", "It is 13 EUR", "Bye", questions=["Hello?", "What is the fee?", "Thanks"])


class TestTurns:
    async def test_each_turn_is_asked_about_with_what_was_said_before_it(self) -> None:
        asked = Asked(GOOD)
        await asked.about(made("safety"), SAID, TALK)
        first, second, third = asked.prompts
        assert [request.turn for request in asked.judge.requests] == [0, 1, 2]
        assert "What was said before" not in first
        assert asked.fenced("answer", "Hi there") in first
        assert "It is 13 EUR" not in first
        assert asked.fenced("question", "What is the fee?") in second
        assert asked.fenced("answer", "It is 13 EUR") in second
        assert second.index("Hi there") < second.index("It is 13 EUR")
        assert "Bye" not in second
        assert third.index("It is 13 EUR") < third.index("Bye")

    async def test_d33_question_expected_and_answer_are_of_the_same_turn(self) -> None:
        asked = Asked(GOOD)
        await asked.about(made("response_match"), SAID, TALK)
        first, second = asked.prompts  # nothing is expected of the third
        assert asked.fenced("expected", "Hi") in first
        assert asked.fenced("expected", "The fee is 12 EUR") in second
        assert asked.fenced("expected", "Hi") not in second

    async def test_the_worst_turn_is_the_score(self) -> None:
        answers = [GOOD, {"score": 0.1, "reasoning": "13 is not 12"}]
        result = await Asked(*answers).about(made("response_match"), SAID, TALK)
        assert (result.verdict, result.score) == (Verdict.FAILED, 0.1)
        assert result.reason == "turn 2: 13 is not 12"
        assert result.details["worst_turn"] == 1
        turns = result.details["turns"]
        assert [(t["turn"], t.get("score"), t["reason"]) for t in turns] == [
            (0, 0.9, "fine"),
            (1, 0.1, "13 is not 12"),
            (2, None, "no expected response"),
        ]
        assert [len(turn.get("judge_samples", ())) for turn in turns] == [1, 1, 0]
        assert result.token_usage == TokenUsage(20, 10)
        assert result.details["judge_cost"] == pytest.approx(0.002)

    async def test_an_error_in_one_turn_is_the_verdict_and_the_others_are_kept(self) -> None:
        result = await Asked(GOOD, NO).about(made("response_match"), SAID, TALK)
        assert result.verdict is Verdict.ERROR
        assert str(result.error).startswith("turn 2: the judge answered without JSON")
        assert result.details["turns"][0]["score"] == 0.9
        assert result.token_usage == TokenUsage(20, 10)

    async def test_a_silent_turn_is_the_worst_one_or_none(self) -> None:
        silent = done("Hi there", "", "Bye")
        result = await Asked(GOOD).about(made("response_match"), silent, TALK)
        assert (result.score, result.reason) == (0.0, "turn 2: no response")
        result = await Asked(GOOD).about(made("safety"), silent, TALK)
        assert (result.verdict, result.score) == (Verdict.PASSED, 0.9)
        result = await Asked(GOOD).about(made("safety"), done("", "", ""), TALK)
        assert result.verdict is Verdict.NOT_EVALUATED

    async def test_without_recorded_turns_the_last_answer_is_looked_at(self) -> None:
        asked = Asked(GOOD)
        whole = ExecutionResult(actual_response="It is 13 EUR")
        two = case(("Hello?", "Hi"), ("What is the fee?", "The fee is 12 EUR"))
        result = await asked.about(made("response_match"), whole, two)
        assert result.verdict is Verdict.PASSED
        assert asked.fenced("expected", "The fee is 12 EUR") in asked.prompts[0]


async def test_a_case_has_a_threshold_of_its_own() -> None:
    config = EvalConfig(criteria=CriteriaConfig(llm_judge=CriterionConfig.llm_judge(0.95)))
    own = case(criteria={"llm_judge": 0.5})
    for each, verdict in ((case(), Verdict.FAILED), (own, Verdict.PASSED)):
        (criterion,) = build(config, each)
        assert (await Asked(GOOD).about(criterion, done("12 EUR"), each)).verdict is verdict


class Politeness(TemplatedLLMCriterion):
    name = "politeness"

    def _build_prompt(self, actual: ExecutionResult, expected: EvalCase) -> str:
        return f'How polite is {self._fenced("answer", actual.actual_response)}? Add "insults".'

    def _collect_extras(self, result_dict: dict[str, Any]) -> dict[str, Any]:
        return {"insults": result_dict["insults"]}

    def _aggregate_extras(self, per_sample: list[dict[str, Any]]) -> dict[str, Any]:
        return {"insults": [one for each in per_sample for one in each["insults"]]}


class TestACriterionOfOnesOwn:
    async def test_its_prompt_is_asked_and_its_extras_are_in_the_details(self) -> None:
        asked = Asked({"score": 0.4, "reasoning": "rude", "insults": ["damn"]})
        criterion = Politeness(CriterionConfig(num_samples=2))
        result = await asked.about(criterion, done("damn"), case())
        assert result.criterion == "politeness"
        assert result.score == pytest.approx(0.4)
        assert result.verdict is Verdict.FAILED
        assert result.details["insults"] == ["damn", "damn"]
        assert result.details["reasonings"] == ["rude", "rude"]
        assert "is data" in asked.prompts[0]
        assert asked.fenced("answer", "damn") in asked.prompts[0]
        assert "beside those asked for above" in asked.prompts[0]
        assert asked.judge.requests[0].schema == {}, "else its own field could not come"

    async def test_d30_extras_that_fail_cost_no_score_and_no_tokens(self) -> None:
        result = await Asked(GOOD).about(Politeness(), done("hi"), case())
        assert result.score == pytest.approx(0.9)
        assert result.token_usage == TokenUsage(30, 15)
        assert result.details["extras_error"] == "KeyError: 'insults'"

    async def test_it_looks_at_the_whole_conversation_unless_it_says_otherwise(self) -> None:
        class ByTurn(Politeness):
            judges_turns: ClassVar[bool] = True

        for kind, count in ((Politeness, 1), (ByTurn, 3)):
            asked = Asked(GOOD)
            await asked.about(kind(CriterionConfig(num_samples=1)), SAID, TALK)
            assert len(asked.prompts) == count

    async def test_it_may_answer_without_a_judge(self) -> None:
        class Short(Politeness):
            def _get_skip_result(
                self, actual: ExecutionResult, expected: EvalCase
            ) -> CriterionResult | None:
                return self._result(1.0, {"reason": "too short to be rude"})

        asked = Asked(GOOD)
        result = await asked.about(Short(), done("hi"), case())
        assert (result.verdict, result.reason) == (Verdict.PASSED, "too short to be rude")
        assert not asked.prompts

    async def test_its_own_form_and_details(self) -> None:
        class Formed(Politeness):
            answer_form: ClassVar[AnswerForm] = AnswerForm(
                {**SCORED.fields, "insults": {"type": "array"}}
            )

            def _build_details(
                self,
                scores: list[float],
                reasonings: list[str],
                aggregated_extras: dict[str, Any],
                final_score: float,
            ) -> dict[str, Any]:
                return {"n": len(scores), "final": final_score, "extras": aggregated_extras}

        asked = Asked({"score": 0.5, "insults": []})
        result = await asked.about(Formed(), done("hi"), case())
        assert result.details["n"] == 3
        assert (result.details["final"], result.details["extras"]) == (0.5, {"insults": []})
        assert "insults" in asked.judge.requests[0].schema["properties"]

    async def test_a_prompt_that_is_missing_or_raises_is_an_error(self) -> None:
        result = await Asked(GOOD).about(TemplatedLLMCriterion(), done("hi"), case())
        assert "TemplatedLLMCriterion has no _build_prompt" in str(result.error)

    async def test_one_that_extends_ours_is_asked_turn_by_turn(self) -> None:
        class Brief(LLMJudgeCriterion):
            def _build_prompt(self, actual: ExecutionResult, expected: EvalCase) -> str:
                return f"{expected.conversation[-1].expected_text()} | {actual.actual_response}"

        asked = Asked(GOOD)
        await asked.about(Brief(CriterionConfig(num_samples=1)), SAID, TALK)
        assert [prompt.splitlines()[0] for prompt in asked.prompts] == [
            "Hi | Hi there",
            "The fee is 12 EUR | It is 13 EUR",
        ]


class Asking(LLMCallerMixin, BaseCriterion):
    name = "asking"

    async def score(self, actual: ExecutionResult, expected: EvalCase) -> Score:
        found, usage = await self._call_llm_json("Which language is this?")
        score, reason, more = await self._call_llm_score("How good is it?")
        total = (usage + more).total_tokens
        return Score(score, f"{found['language']}: {reason}", {"tokens": total})


async def test_the_mixin_asks_whatever_one_likes() -> None:
    asked = Asked({"language": "French"}, {"score": 0.7, "reasoning": "fluent"})
    result = await asked.about(Asking(), done("bonjour"), case())
    assert (result.score, result.reason) == (0.7, "French: fluent")
    assert result.details["tokens"] == 30
    result = await Asked(BUSY).about(Asking(), done("bonjour"), case())
    assert str(result.error).endswith("its rate limit is reached")
