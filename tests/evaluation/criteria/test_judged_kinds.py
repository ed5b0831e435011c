"""What each judged criterion shows its judge, and what it makes of the verdict."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.config import CriteriaConfig, CriterionConfig, EvalConfig, Rubric
from tenxgraph_tui.evaluation.criteria import build
from tenxgraph_tui.evaluation.criteria.judged_claims import CATEGORIES, LONGEST_RESULT, trimmed
from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.execution import ExecutionResult, TokenUsage
from tenxgraph_tui.evaluation.results import CriterionResult, Verdict
from tests.evaluation.criteria.judging import GOOD, Asked, case, done, made

PRICE = ToolCall(name="look_up", args={"what": "fee"}, result={"price": 12})


async def judged(slot: str, *answers: Any, about: Any = None, **config: Any) -> CriterionResult:
    criterion = made(slot, num_samples=len(answers), **config)
    return await Asked(*answers).about(criterion, done("It costs 12 EUR."), about or case())


class TestFacts:
    async def test_the_judge_sees_the_expected_answer_and_the_facts_of_the_case(self) -> None:
        for facts, shown in (("The fee is 12", "The fee is 12"), (["a", "b"], '[\n  "a"')):
            asked = Asked(GOOD)
            about = case(reference_facts=facts)
            await asked.about(made("factual_accuracy"), done("It costs 12 EUR."), about)
            assert asked.fenced("expected", "The fee is 12 EUR") in asked.prompts[0]
            assert f"<reference_facts {asked.bench.marker}>\n{shown}" in asked.prompts[0]

    async def test_the_facts_alone_are_enough(self) -> None:
        about = case(("What is the fee?", ""), reference_facts="The fee is 12")
        assert (await judged("factual_accuracy", GOOD, about=about)).verdict is Verdict.PASSED

    async def test_errors_are_listed_each_once(self) -> None:
        answers = [{"score": 0.9, "errors": ["e1"]}, {"score": 0.7, "errors": ["e1", "e2"]}]
        result = await judged("factual_accuracy", *answers)
        assert result.details["errors"] == ["e1", "e2"]
        assert result.details["is_accurate"] is result.passed is True
        result = await judged("factual_accuracy", {"score": 0.2, "errors": None})
        assert (result.details["errors"], result.details["is_accurate"]) == ([], False)


class TestGrounding:
    @pytest.mark.parametrize(
        ("call", "shown"),
        [
            pytest.param(PRICE, '"price": 12', id="what a tool returned"),
            pytest.param(PRICE, '"what": "fee"', id="what it was asked"),
            pytest.param(
                PRICE.model_copy(update={"error": "it broke"}), "raised it broke", id="no"
            ),
        ],
    )
    async def test_b50_the_judge_sees_the_tools(self, call: ToolCall, shown: str) -> None:
        asked = Asked(GOOD)
        await asked.about(made("hallucination"), done("It costs 12 EUR.", calls=[call]), case())
        assert f"<tool {asked.bench.marker}>\nlook_up(" in asked.prompts[0]
        assert shown in asked.prompts[0]

    async def test_b50_evidence_may_stand_in_the_metadata(self) -> None:
        for context, shown in (("The fee is 12", "The fee is 12"), ({"fee": 12}, '{\n  "fee": 12')):
            asked = Asked(GOOD)
            await asked.about(made("hallucination"), done("12"), case(context=context))
            assert f"<context {asked.bench.marker}>\n{shown}" in asked.prompts[0]
            assert "Nothing.\n" not in asked.prompts[0]

    async def test_without_evidence_it_is_said(self) -> None:
        asked = Asked(GOOD)
        await asked.about(made("hallucination"), done("12"), case())
        assert "beside the conversation:\n\nNothing.\n" in asked.prompts[0]

    async def test_what_is_long_is_trimmed_and_it_is_said(self) -> None:
        asked = Asked(GOOD)
        long = ToolCall(name="read", args={}, result="a" * 50_000 + "END")
        await asked.about(made("hallucination"), done("12", calls=[long]), case())
        assert "characters left out …]" in asked.prompts[0]
        assert "END" in asked.prompts[0]
        assert len(asked.prompts[0]) < LONGEST_RESULT + 5_000
        assert trimmed("a" * LONGEST_RESULT) == "a" * LONGEST_RESULT

    async def test_a_later_turn_sees_the_tools_of_earlier_ones(self) -> None:
        asked = Asked(GOOD)
        talk = case(("The fee?", ""), ("Are you sure?", ""))
        await asked.about(made("hallucination"), done("12", "Yes", calls=[PRICE]), talk)
        assert all('"price": 12' in prompt for prompt in asked.prompts)

    @pytest.mark.parametrize(
        ("said", "told"),
        [
            (None, []),
            ("it is free", ["it is free"]),
            ([{"claim": "x"}, {"claim": "x"}, "y", None, ""], [{"claim": "x"}, "y"]),
        ],
    )
    async def test_d30_whatever_the_list_holds_the_score_counts(self, said: Any, told: Any) -> None:
        result = await judged("hallucination", {"score": 1.0, "hallucinations": said})
        assert (result.verdict, result.score) == (Verdict.PASSED, 1.0)
        assert result.details["hallucinations"] == told
        assert result.details["is_grounded"] is True


class TestSafety:
    async def test_d28_one_terrible_category_is_the_score(self) -> None:
        answers = [
            {"score": 1.0, "issues": ["i"], "categories": {"harmful_content": 0.0, "privacy": 1}},
            {"score": 0.9, "issues": [], "categories": {"harmful_content": 0.2}},
        ]
        result = await judged("safety", *answers)
        assert result.verdict == Verdict.FAILED
        assert result.score == pytest.approx(0.1)
        assert result.details["category_scores"] == {
            "harmful_content": pytest.approx(0.1),
            "privacy": 1.0,
        }
        assert (result.details["issues"], result.details["is_safe"]) == (["i"], False)

    async def test_the_whole_may_be_worse_than_each_category(self) -> None:
        categories = dict.fromkeys(CATEGORIES, 1.0)
        result = await judged("safety", {"score": 0.3, "categories": categories})
        assert result.score == pytest.approx(0.3)

    @pytest.mark.parametrize("said", ["low", 5, None, -1, "unsafe", True])
    async def test_d29_a_category_without_a_score_is_an_error_and_the_tokens_stay(
        self, said: Any
    ) -> None:
        result = await judged("safety", {"score": 1.0, "categories": {"privacy": said}})
        assert result.verdict is Verdict.ERROR
        assert "the judge's privacy" in str(result.error)
        assert result.token_usage == TokenUsage(10, 5)

    @pytest.mark.parametrize("said", ["all fine", 1, [0.1]])
    async def test_categories_that_are_none_are_an_error(self, said: Any) -> None:
        assert (await judged("safety", {"score": 1.0, "categories": said})).is_error

    async def test_five_are_asked_for_and_others_do_not_count(self) -> None:
        asked = Asked({"score": 1.0, "categories": {"taste": 0.0, "privacy": 1}})
        result = await asked.about(made("safety"), done("12"), case())
        assert result.score == 1.0
        assert all(f"- {name}: " in asked.prompts[0] for name in CATEGORIES)
        schema = asked.judge.requests[0].schema["properties"]["categories"]
        assert schema["required"] == list(CATEGORIES)


def rubrics(**scores: Any) -> dict[str, Any]:
    entries = [
        {"rubric_id": name, "score": score, "reasoning": f"{name} {score}"}
        for name, score in scores.items()
    ]
    return {"reasoning": "all in all", "rubrics": entries}


class TestRubrics:
    async def test_d31_weights_count(self) -> None:
        result = await judged("rubric_based", rubrics(tone=1.0, law=0.6), threshold=0.7)
        assert result.verdict == Verdict.PASSED
        assert result.score == pytest.approx(0.7)
        assert result.reason == "law: law 0.6"
        assert result.details["rubrics"] == ["tone", "law"]
        assert result.details["rubric_verdicts"] == [
            {"rubric_id": "tone", "weight": 1, "score": 1.0, "reason": "tone 1.0", "scores": [1.0]},
            {"rubric_id": "law", "weight": 3, "score": 0.6, "reason": "law 0.6", "scores": [0.6]},
        ]

    async def test_the_judge_sees_each_with_its_id(self) -> None:
        asked = Asked(GOOD)
        await asked.about(made("rubric_based"), done("12"), case())
        assert "- tone: It is formal.\n- law: It names the law.\n" in asked.prompts[0]

    async def test_b49_a_rubric_without_a_verdict_is_an_error_and_named(self) -> None:
        result = await judged("rubric_based", rubrics(tone=1.0))
        assert result.verdict is Verdict.ERROR
        assert "the verdict has no score for rubric 'law'" in str(result.error)
        tone, law = result.details["rubric_verdicts"]
        assert tone["score"] == 1.0
        assert "no score for rubric 'law'" in law["error"]
        assert "score" not in law

    async def test_b49_another_rubric_is_ignored_and_told(self) -> None:
        result = await judged("rubric_based", rubrics(tone=1.0, law=1.0, lore=0.0))
        assert (result.score, result.details["ignored_rubrics"]) == (1.0, ["lore"])

    async def test_one_sample_that_leaves_one_out_does_not_count(self) -> None:
        whole = rubrics(tone=1.0, law=0.8)
        result = await judged("rubric_based", whole, rubrics(tone=0.0), whole)
        assert result.score == pytest.approx(0.85)
        tone, law = result.details["rubric_verdicts"]
        assert (tone["scores"], law["scores"]) == ([1.0, 0.0, 1.0], [0.8, 0.8])

    @pytest.mark.parametrize("said", ["4/5", 8, None, True])
    async def test_no_scale_is_guessed(self, said: Any) -> None:
        result = await judged("rubric_based", rubrics(tone=1.0, law=said))
        assert result.is_error
        assert "rubric 'law'" in str(result.error)

    async def test_a_rubric_twice_is_unclear(self) -> None:
        twice = rubrics(tone=1.0, law=1.0)
        twice["rubrics"].append({"rubric_id": "law", "score": 0.0})
        assert (await judged("rubric_based", twice)).is_error

    @pytest.mark.parametrize(
        "said",
        [
            {"tone": 1.0, "law": 0.6},
            {"tone": {"score": 1.0}, "law": {"score": 0.6, "reasoning": "x"}},
        ],
    )
    async def test_an_object_by_id_is_read_too(self, said: Any) -> None:
        result = await judged("rubric_based", {"rubrics": said})
        assert result.score == pytest.approx(0.7)

    @pytest.mark.parametrize("said", [3, "good", [1, "x", {"id": "tone"}]])
    async def test_anything_else_is_none(self, said: Any) -> None:
        assert (await judged("rubric_based", {"rubrics": said, "score": 1.0})).is_error

    def test_b49_without_rubrics_there_is_no_criterion(self) -> None:
        with pytest.raises((ConfigError, ValidationError), match="rubric"):
            build(EvalConfig(criteria=CriteriaConfig(rubric_based=CriterionConfig())))
        with pytest.raises(ValidationError, match="'a' stands twice"):
            CriterionConfig(rubrics=[Rubric.create("a", "x"), Rubric.create("a", "y")])


GOALS = case(("q", "a refund; a receipt\n A  Refund;"))


class TestGoals:
    async def test_b93_the_share_of_the_goals_that_are_sorted(self) -> None:
        said = {
            "score": 1.0,
            "reasoning": "r",
            "achieved_goals": ["A refund"],
            "unachieved_goals": ["a receipt"],
        }
        asked = Asked(said)
        result = await asked.about(made("simulation_goals", num_samples=3), done("Here"), GOALS)
        assert result.score == pytest.approx(1 / 2)
        assert result.details["achieved_goals"] == ["A refund"]
        assert len(asked.prompts) == 1
        assert asked.fenced("goals", "a refund\na receipt") in asked.prompts[0]

    @pytest.mark.parametrize(
        "said",
        [
            {"achieved_goals": ["a refund"], "unachieved_goals": []},
            {"achieved_goals": ["a refund", "a receipt"], "unachieved_goals": ["a receipt"]},
            {"achieved_goals": "all", "unachieved_goals": []},
            {"achieved_goals": ["a refund", "a receipt"]},
            {},
        ],
    )
    async def test_b93_a_goal_that_is_not_sorted_is_an_error(self, said: Any) -> None:
        result = await judged("simulation_goals", {"score": 1.0, **said}, about=GOALS)
        assert result.is_error

    async def test_b93_without_goals_nothing_is_evaluated(self) -> None:
        for blank in ("", " ; \n"):
            result = await judged("simulation_goals", GOOD, about=case(("q", blank)))
            assert result.verdict is Verdict.NOT_EVALUATED

    async def test_the_judge_sees_the_whole_talk(self) -> None:
        asked = Asked(GOOD)
        talk = done("first", "second", questions=["one", "two"])
        await asked.about(made("simulation_goals"), talk, GOALS)
        assert asked.prompts[0].index("first") < asked.prompts[0].index("second")
        whole = ExecutionResult(actual_response="user: one\nagent: first")
        await asked.about(made("simulation_goals"), whole, GOALS)
        assert asked.fenced("answer", "user: one\nagent: first") in asked.prompts[1]
        result = await asked.about(made("simulation_goals"), done(""), GOALS)
        assert (result.score, result.reason) == (0.0, "no response")
