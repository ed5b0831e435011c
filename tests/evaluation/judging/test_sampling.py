"""What several samples of one question come to."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from tenxgraph_tui.errors import JudgeError, JudgeFailure
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.judging.context import Bench, JudgedCase, bench, judged_by, judging
from tenxgraph_tui.evaluation.judging.forms import AnswerForm, score_in
from tenxgraph_tui.evaluation.judging.port import JudgeReply, JudgeRequest
from tenxgraph_tui.evaluation.judging.sampling import Opinion, opinion
from tenxgraph_tui.evaluation.judging.scripted import Answer, ScriptedJudge

BUSY = JudgeError("judge m: its rate limit is reached", JudgeFailure.RATE_LIMIT)


def scored(*scores: Any) -> list[Answer]:
    return [{"score": score, "reasoning": f"it is {score}"} for score in scores]


async def judged(answers: Sequence[Answer], samples: int | None = None) -> Opinion:
    with judged_by(ScriptedJudge(answers, usage=TokenUsage(10, 5))):
        return await opinion("Judge.", model="m", samples=samples or len(answers))


async def test_the_score_is_the_mean_of_the_samples_and_all_of_them_are_kept() -> None:
    found = await judged(scored(1.0, 0.8, 0.9))
    assert found.score == pytest.approx(0.9)
    assert found.spread == pytest.approx(0.2)
    assert found.reason == "it is 1.0"
    assert found.usage == TokenUsage(30, 15)
    details = found.details()
    assert details["individual_scores"] == [1.0, 0.8, 0.9]
    assert details["reasonings"] == ["it is 1.0", "it is 0.8", "it is 0.9"]
    assert [sample["sample"] for sample in details["judge_samples"]] == [1, 2, 3]


async def test_equal_scores_have_exactly_that_mean() -> None:
    assert (await judged(scored(0.8, 0.8, 0.8))).score == 0.8


@pytest.mark.parametrize(
    ("answers", "score"),
    [
        pytest.param([*scored(1.0, 0.6), BUSY], 0.8, id="two of three"),
        pytest.param([*scored(0.4), "no"], 0.4, id="one of two"),
        pytest.param([*scored(0.4, 8), *scored(0.6)], 0.5, id="a wrong scale is not in the mean"),
    ],
)
async def test_half_of_the_samples_are_enough(answers: list[Answer], score: float) -> None:
    found = await judged(answers)
    assert found.error is None
    assert found.score == pytest.approx(score)
    assert len(found.details()["judge_samples"]) == len(answers)


@pytest.mark.parametrize(
    ("answers", "cause", "told"),
    [
        pytest.param([BUSY, BUSY, *scored(1.0)], JudgeFailure.RATE_LIMIT, "1 of 3", id="1 of 3"),
        pytest.param(["no", BUSY, *scored(1.0)], JudgeFailure.TOO_FEW, "1 of 3", id="two causes"),
        pytest.param([BUSY], JudgeFailure.RATE_LIMIT, "judge m: its rate", id="the only one"),
        pytest.param(
            [ValueError("a bug"), ValueError("a bug")],
            JudgeFailure.OTHER,
            "0 of 2 samples can be used: ValueError: a bug",
            id="a judge of one's own",
        ),
    ],
)
async def test_fewer_are_an_error_and_no_number(
    answers: list[Answer], cause: JudgeFailure, told: str
) -> None:
    found = await judged(answers)
    assert found.error is not None
    assert found.error.cause is cause
    assert str(found.error).startswith(told)
    with pytest.raises(JudgeError):
        _ = found.score


async def test_what_a_sample_failed_of_is_in_the_details() -> None:
    (said,) = (await judged(["I can't help with that."])).details()["judge_samples"]
    assert said["cause"] == "no JSON"
    assert "I can't help with that." in said["error"]
    assert said["finish_reason"] == "stop"


async def test_the_score_of_a_verdict_may_be_computed() -> None:
    form = AnswerForm({"good": {"type": "number"}, "bad": {"type": "number"}})
    answers: list[Answer] = [{"good": 0.9, "bad": 0.2}, {"good": 0.9}]
    with judged_by(ScriptedJudge(answers)):
        found = await opinion(
            "Judge.",
            model="m",
            samples=2,
            form=form,
            score_of=lambda verdict: min(score_in(verdict, "good"), score_in(verdict, "bad")),
        )
    assert found.scores == [0.2]
    assert "the verdict has no 'bad'" in found.details()["judge_samples"][1]["error"]


async def test_samples_are_asked_at_the_same_time_and_told_before() -> None:
    told: list[tuple[str, int, int]] = []
    together = asyncio.Barrier(3)

    class Meeting:
        async def ask(self, request: JudgeRequest) -> JudgeReply:
            await asyncio.wait_for(together.wait(), 30)
            return JudgeReply(f'{{"score": 1, "check": "{request.marker}"}}')

    case = JudgedCase("paris", lambda *sample: told.append(sample))
    with judging(case, Bench(Meeting())):
        found = await opinion("Judge.", model="m", criterion="tone", samples=3)
    assert found.score == 1.0
    assert told == [("tone", 1, 3), ("tone", 2, 3), ("tone", 3, 3)]


async def test_a_request_carries_what_it_is_about() -> None:
    judge = ScriptedJudge(scored(1.0))
    with judging(JudgedCase("paris"), Bench(judge, model="other")):
        await opinion("How polite?", model="m", criterion="tone", samples=2, temperature=0.5)
    first, second = judge.requests
    assert (first.model, first.criterion, first.eval_id) == ("other", "tone", "paris")
    assert (first.sample, second.sample, first.temperature) == (1, 2, 0.5)
    assert first.prompt.startswith("How polite?")
    assert f'"{first.marker}"' in first.prompt
    assert first.schema["required"] == ["reasoning", "score", "check"]


async def test_cached_answers_are_told_and_cost_nothing() -> None:
    def cached(request: JudgeRequest) -> Answer:
        text = f'{{"score": 1, "check": "{request.marker}"}}'
        return JudgeReply(text, usage=TokenUsage(10, 5), cost=0.1, cached=request.sample == 1)

    with judged_by(ScriptedJudge(cached)):
        found = await opinion("Judge.", model="m", samples=2)
    assert (found.usage, found.cost) == (TokenUsage(10, 5), 0.1)
    assert found.details()["judge_samples"][0]["cached"] is True


def test_every_bench_has_a_marker_of_its_own() -> None:
    judge = ScriptedJudge([])
    assert len({Bench(judge).marker for _ in range(100)}) == 100


async def test_a_script_without_answers_says_so() -> None:
    found = await judged([], samples=1)
    assert str(found.error) == "the script of the judge has no answer"


def test_a_judge_is_that_of_the_innermost_context() -> None:
    outer, inner = ScriptedJudge([]), ScriptedJudge([])
    with judged_by(outer):
        with judging(JudgedCase("a"), Bench(inner)):
            assert bench().judge is inner
        with judging(JudgedCase("a")):
            assert bench().judge is outer
        assert bench().judge is outer
