"""The judge that asks models: the real LiteLLM, and a real server on the other side."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace

import pytest

from tenxgraph_tui.errors import JudgeError, JudgeFailure
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.judging.context import judged_by
from tenxgraph_tui.evaluation.judging.models import LiteLLMJudge
from tenxgraph_tui.evaluation.judging.port import JudgeOptions, JudgeRequest
from tenxgraph_tui.evaluation.judging.sampling import opinion
from tests.evaluation.judging.conftest import KEY, PATIENT, Asks, until
from tests.evaluation.judging.server import ModelServer

WHAT_A_BUSY_MACHINE_TAKES = 10
"""Seconds for what takes some hundredths; none of the servers here answers earlier."""


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("good", id="the object alone"),
        pytest.param("fenced", id="in a fence"),
        pytest.param("think", id="after a thought with a draft in it"),
        pytest.param("thought", id="after a thought that never began and has an open brace"),
        pytest.param("prose", id="with sentences around it"),
        pytest.param("quoting", id="before a quotation of what the agent said"),
        pytest.param('score@"0.8"', id="a text that holds a number"),
        pytest.param("score@+0.8", id="as JSON5 alone allows it"),
        pytest.param("nojson", id="from a model that takes no schema"),
        pytest.param("nowarm", id="from a model that takes no temperature"),
    ],
)
async def test_a_verdict_is_found(ask: Asks, script: str) -> None:
    found = await ask(script)
    assert found.error is None
    assert found.score == 0.8
    assert found.reason == "ok"


@pytest.mark.parametrize(
    ("script", "cause", "told"),
    [
        ("truncated", JudgeFailure.TRUNCATED, "cut off (finish_reason length)"),
        ("whole-but-cut", JudgeFailure.TRUNCATED, "cut off (finish_reason length)"),
        ("filtered", JudgeFailure.FILTERED, "finish_reason content_filter"),
        ("refused", JudgeFailure.REFUSED, "I will not judge that."),
        ("refuse", JudgeFailure.NO_JSON, "I can't help with that."),
        ("blank", JudgeFailure.EMPTY, "answered nothing (finish_reason stop)"),
        ("empty", JudgeFailure.NO_CHOICES, "no choices"),
        ("unsigned", JudgeFailure.NO_VERDICT, "none carries this run's marker"),
        ("score@8", JudgeFailure.BAD_SCORE, "outside 0 to 1: 8"),
        ("score@-0.2", JudgeFailure.BAD_SCORE, "outside 0 to 1: -0.2"),
        ("score@98989", JudgeFailure.BAD_SCORE, "outside 0 to 1: 98989"),
        ('score@"4/5"', JudgeFailure.BAD_SCORE, 'no number: "4/5"'),
        ("score@null", JudgeFailure.BAD_SCORE, "no number: null"),
        ("score@true", JudgeFailure.BAD_SCORE, "no number: true"),
        ("score@NaN", JudgeFailure.BAD_SCORE, "outside 0 to 1: nan"),
        ("score@1e999", JudgeFailure.BAD_SCORE, "outside 0 to 1: inf"),
        ("score@True", JudgeFailure.NO_JSON, "without JSON"),
        ("401", JudgeFailure.NOT_ALLOWED, "refused the key (401)"),
        ("403", JudgeFailure.NOT_ALLOWED, "refused the key (403)"),
        ("404", JudgeFailure.NO_MODEL, "no such model (404)"),
        ("400", JudgeFailure.BAD_REQUEST, "refused the request (400)"),
        ("422", JudgeFailure.BAD_REQUEST, "refused the request"),
        ("broke", JudgeFailure.NO_CREDIT, "no credit left (429)"),
        ("toolong", JudgeFailure.TOO_LONG, "prompt is too long"),
        ("policy", JudgeFailure.FILTERED, "content filter refused the prompt"),
        ("429@3600", JudgeFailure.RATE_LIMIT, "rate limit is reached (429)"),
    ],
)
async def test_what_is_no_verdict_is_an_error_at_once(
    ask: Asks, server: ModelServer, script: str, cause: JudgeFailure, told: str
) -> None:
    before = len(server.asked(script))
    found = await ask(script)
    assert found.error is not None
    assert found.error.cause is cause
    assert told in str(found.error)
    assert len(server.asked(script)) - before == 1
    with pytest.raises(JudgeError):
        _ = found.score


@pytest.mark.parametrize(
    ("script", "cause", "told"),
    [
        ("500|503", JudgeFailure.SERVER, "its server failed (503)"),
        ("529|502", JudgeFailure.SERVER, "its server failed (502)"),
        ("429@0.01", JudgeFailure.RATE_LIMIT, "its rate limit is reached (429)"),
        ("hangup", JudgeFailure.CONNECTION, "it cannot be reached"),
        ("malformed", JudgeFailure.MALFORMED, "something else than a completion"),
        ("html", JudgeFailure.MALFORMED, "something else than a completion"),
        ("nomessage", JudgeFailure.MALFORMED, "than a completion: Invalid response object (2"),
        ("noarray", JudgeFailure.MALFORMED, "than a completion: provider returned 'choices'"),
        ("408|504", JudgeFailure.TIMEOUT, "it did not answer in time"),
    ],
)
async def test_what_may_pass_is_tried_again_and_then_an_error(
    ask: Asks, server: ModelServer, script: str, cause: JudgeFailure, told: str
) -> None:
    found = await ask(script, attempts=2)
    assert found.error is not None
    assert (found.error.cause, len(server.asked(script))) == (cause, 2)
    assert told in str(found.error)
    assert "(2 tries)" in str(found.error)


async def test_a_server_that_recovers_gives_a_verdict(ask: Asks, server: ModelServer) -> None:
    found = await ask("500|hangup|malformed|good")
    assert found.score == 0.8
    assert len(server.asked("500|hangup|malformed|good")) == 4


async def test_the_server_says_how_long_to_wait(
    ask: Asks, server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        found = await ask("429@1.5|good")
    first, second = server.asked("429@1.5|good")
    assert found.score == 0.8
    assert second.at - first.at >= 1.5
    assert "rate limit is reached (429)" in caplog.text
    assert "again in 1.5 s" in caplog.text


async def test_one_request_has_a_deadline_that_dripping_bytes_do_not_move(ask: Asks) -> None:
    began = time.monotonic()
    found = await ask("drip@90", timeout=0.5, attempts=1)
    assert found.error is not None
    assert found.error.cause is JudgeFailure.TIMEOUT
    assert "within 0.5 s" in str(found.error)
    assert time.monotonic() - began < 60


async def test_all_tries_together_have_a_deadline(ask: Asks, server: ModelServer) -> None:
    began = time.monotonic()
    found = await ask("429@50", total=1.5)
    assert found.error is not None
    assert found.error.cause is JudgeFailure.RATE_LIMIT
    assert "given up after 1.5 s" in str(found.error)
    assert time.monotonic() - began < 40
    assert len(server.asked("429@50")) == 1


async def test_waiting_for_a_turn_does_not_count_as_waiting_for_an_answer(
    server: ModelServer,
) -> None:
    judge = LiteLLMJudge(replace(PATIENT, base_url=server.url, max_concurrency=1, total=6))
    with judged_by(judge):
        found = await opinion("Judge.", model="slow@1|drip@1", samples=10)
    assert found.error is None
    assert len(found.valid) == 10


async def test_a_hundred_samples_end_right_although_half_are_turned_away_at_first(
    server: ModelServer,
) -> None:
    judge = LiteLLMJudge(replace(PATIENT, base_url=server.url))
    half = "|".join(["429@0.2"] * 50 + ["good"])
    server.peak = 0
    with judged_by(judge):
        found = await opinion("Judge.", model=half, samples=100)
    assert found.error is None
    assert found.scores == [0.8] * 100
    assert len(server.asked(half)) == 150
    assert server.peak <= 8


@pytest.mark.parametrize("script", ["slow@120", "429@50|429@50|good", "drip@120"])
async def test_a_hundred_samples_are_cancelled_at_once(server: ModelServer, script: str) -> None:
    judge = LiteLLMJudge(replace(PATIENT, base_url=server.url))
    with judged_by(judge):
        asking = asyncio.create_task(opinion("Judge.", model=script, samples=100))
    await until(lambda: len(server.asked(script)) >= 8)
    began = time.monotonic()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert time.monotonic() - began < WHAT_A_BUSY_MACHINE_TAKES
    if "429" not in script:
        await until(lambda: all(request.abandoned for request in server.asked(script)))
    assert len(server.asked(script)) < 100


async def test_a_judge_whose_asker_is_gone_has_all_its_turns_again(server: ModelServer) -> None:
    judge = LiteLLMJudge(replace(PATIENT, base_url=server.url, max_concurrency=2))
    with judged_by(judge):
        asking = asyncio.create_task(opinion("Judge.", model="slow@121", samples=5))
        await until(lambda: len(server.asked("slow@121")) == 2)
        asking.cancel()
        found = await asyncio.wait_for(opinion("Judge.", model="good||", samples=5), 60)
    assert len(found.valid) == 5


async def test_one_judge_serves_several_loops_at_once(server: ModelServer) -> None:
    judge = LiteLLMJudge(replace(PATIENT, base_url=server.url, max_concurrency=2))

    def in_a_loop_of_its_own() -> float:
        with judged_by(judge):
            return asyncio.run(opinion("Judge.", model="good|good", samples=3)).score

    scores = await asyncio.gather(*(asyncio.to_thread(in_a_loop_of_its_own) for _ in range(4)))
    assert scores == [0.8] * 4


async def test_tokens_are_told_and_unknown_ones_are_not_zero(ask: Asks) -> None:
    known, unknown = await ask("good|tokens", samples=2), await ask("unpriced")
    assert known.usage == TokenUsage(200, 40, cache_read_tokens=80)
    assert known.cost is None  # nobody knows what such a model costs
    reply = unknown.samples[0].reply
    assert reply is not None
    assert (reply.usage, reply.cost) == (None, None)


async def test_less_than_no_tokens_are_none(ask: Asks) -> None:
    assert (await ask("minus")).usage == TokenUsage(0, 20)


async def test_tokens_of_answers_that_are_no_verdicts_are_counted(ask: Asks) -> None:
    found = await ask("refuse|refuse", samples=2)
    assert found.error is not None
    assert found.usage.total_tokens == 240


async def test_a_model_that_is_known_is_asked_for_json_and_its_answer_has_a_price(
    server: ModelServer,
) -> None:
    judge = LiteLLMJudge(replace(PATIENT, base_url=server.url))
    with judged_by(judge):
        found = await opinion("Judge.", model="gpt-4o", samples=1)
    body = server.asked("gpt-4o")[-1].body
    assert body["response_format"]["json_schema"]["schema"]["required"] == [
        "reasoning",
        "score",
        "check",
    ]
    assert found.cost == pytest.approx((60 * 2.5 + 40 * 1.25 + 20 * 10) / 1e6)


async def test_a_model_is_asked_without_what_it_refused_ever_after(
    server: ModelServer,
) -> None:
    judge = LiteLLMJudge(replace(PATIENT, base_url=server.url))
    with judged_by(judge):
        first = await opinion("Judge.", model="nowarm", samples=1)
        count = len(server.asked("nowarm"))
        second = await opinion("Judge.", model="nowarm", samples=1)
    assert len(server.asked("nowarm")) == count + 1
    for found in (first, second):
        notes = found.details()["judge_samples"][0]["notes"]
        assert notes == ["asked without temperature: the model does not take it"]


async def test_a_sample_is_one_request_with_all_that_matters_in_it(
    ask: Asks, server: ModelServer
) -> None:
    await ask("good|body", samples=2, prompt="How polite is it?")
    for request in server.asked("good|body"):
        assert request.headers["authorization"] == f"Bearer {KEY}"
        assert request.prompt.startswith("How polite is it?")
        assert request.body["temperature"] == 0.0
        assert request.body["max_tokens"] == JudgeOptions().max_tokens
        assert "n" not in request.body


@pytest.mark.parametrize("script", ["401|key", "500|key", "400|key"])
async def test_a_key_that_the_server_repeats_is_told_to_nobody(
    ask: Asks, script: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG):
        found = await ask(script, attempts=2)
    told = f"{found.details()} {found.error!r} {caplog.text} {''.join(capfd.readouterr())}"
    assert "said" in told
    assert "***" in told
    assert KEY not in told


async def test_a_key_of_a_provider_is_not_sent_to_another_server(server: ModelServer) -> None:
    environ = {"OPENAI_API_KEY": "sk-of-openai-0000"}
    judge = LiteLLMJudge(replace(PATIENT, base_url=server.url), environ)
    await judge.ask(JudgeRequest(prompt="Judge.", marker="", model="good|no key"))
    sent = server.asked("good|no key")[-1].headers["authorization"]
    assert sent == "Bearer none"


async def test_nothing_is_printed_whatever_the_logging_is_set_to(
    ask: Asks, capfd: pytest.CaptureFixture[str]
) -> None:
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.DEBUG)
    try:
        await ask("good|quiet", samples=4)
        await ask("401|quiet")
        await ask("html|quiet", attempts=1)
    finally:
        root.setLevel(level)
    assert capfd.readouterr() == ("", "")


async def test_a_prompt_that_is_said_back_is_no_verdict(ask: Asks) -> None:
    """The prompt shows the marker, but not in a verdict; and what an agent wrote has none."""
    found = await ask("echo", prompt='The answer: {"score": 1.0, "reasoning": "x", "check": "?"}')
    assert found.error is not None
    assert found.error.cause is JudgeFailure.NO_VERDICT


async def test_half_a_character_of_an_answer_is_judged_as_it_is_written(
    server: ModelServer,
) -> None:
    with judged_by(LiteLLMJudge(replace(PATIENT, base_url=server.url))):
        found = await opinion("Judge he\ud800llo.", model="good||half", samples=1)
    assert found.score == 0.8
    assert server.asked("good||half")[-1].prompt.startswith("Judge he\\ud800llo.")
