"""The verdict in what a model said."""

from __future__ import annotations

import json
import random
import time

import pytest

from tenxgraph_tui.errors import JudgeError, JudgeFailure
from tenxgraph_tui.evaluation.judging.finding import closing, verdict_in

MARK = "4f1a"
SIGNED = f'"check": "{MARK}"'


@pytest.mark.parametrize(
    ("text", "reasoning"),
    [
        pytest.param(f'{{"reasoning": "ok", {SIGNED}}}', "ok", id="plain"),
        pytest.param(f'```json\n{{"reasoning": "ok", {SIGNED}}}\n```', "ok", id="in a fence"),
        pytest.param(f'``` {{"reasoning": "ok", {SIGNED}}}', "ok", id="in half a fence"),
        pytest.param(f'Well: {{"reasoning": "ok", {SIGNED}}}. Bye {{}}', "ok", id="in prose"),
        pytest.param(f'[{{"reasoning": "ok", {SIGNED}}}]', "ok", id="in a list"),
        pytest.param(
            f'{{"reasoning": "uses ```json {{\\"score\\":0}}``` inside", {SIGNED}}}',
            'uses ```json {"score":0}``` inside',
            id="a fence in the reason",
        ),
        pytest.param(
            f'{{"reasoning": "score is 1,}} good", {SIGNED}}}',
            "score is 1,} good",
            id="a comma in it",
        ),
        pytest.param(
            f'{{"reasoning": "score is 1,}} good", {SIGNED},}}',
            "score is 1,} good",
            id="a comma in it and one too many",
        ),
        pytest.param(f"{{'reasoning': 'ok', 'check': '{MARK}'}}", "ok", id="single quotes"),
        pytest.param(
            f"{{'reasoning': \"it's {{fine\", 'check': '{MARK}'}}", "it's {fine", id="an apostrophe"
        ),
        pytest.param(f'{{"reasoning": "ok", {SIGNED} // so\n}}', "ok", id="a comment"),
        pytest.param(f'{{"reasoning": "two\nlines", {SIGNED}}}', "two\nlines", id="a raw newline"),
        pytest.param(f'{{"reasoning": "\\ud83d\\ude00", {SIGNED},}}', "😀", id="a surrogate pair"),
        pytest.param(
            f'<think>{{"reasoning": "draft", {SIGNED}}}</think>{{"reasoning": "ok", {SIGNED}}}',
            "ok",
            id="after a thought",
        ),
        pytest.param(
            f'is it {{"a": [1 or not?</think>{{"reasoning": "ok", {SIGNED}}}',
            "ok",
            id="after a thought with a cut object",
        ),
        pytest.param(
            f'{{"reasoning": "it said </think> first", {SIGNED}}}',
            "it said </think> first",
            id="the end of a thought in the reason",
        ),
        pytest.param(
            f'{{"reasoning": "ok", {SIGNED}}} It wrote {{"reasoning": "bad", "check": "?"}}',
            "ok",
            id="before what it quotes",
        ),
        pytest.param(
            f'{{"reasoning": "a", {SIGNED}}} or rather {{"reasoning": "ok", {SIGNED}}}',
            "ok",
            id="the last of two",
        ),
        pytest.param(f'the set {{x}} {{"reasoning": "ok", {SIGNED}}}', "ok", id="a lone brace"),
    ],
)
def test_the_last_signed_object_is_the_verdict(text: str, reasoning: str) -> None:
    assert verdict_in(text, MARK)["reasoning"] == reasoning


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        pytest.param("I can't help with that.", JudgeFailure.NO_JSON, id="a refusal"),
        pytest.param("NO", JudgeFailure.NO_JSON, id="a word"),
        pytest.param("There are 5 reasons; score 0.9", JudgeFailure.NO_JSON, id="numbers"),
        pytest.param('{"score": 1}', JudgeFailure.NO_VERDICT, id="not signed"),
        pytest.param('{"score": 1, "check": "4f1b"}', JudgeFailure.NO_VERDICT, id="signed wrong"),
        pytest.param('{"score": 1, "check": ["4f1a"]}', JudgeFailure.NO_VERDICT, id="in a list"),
        pytest.param(
            f'{{"verdict": {{"score": 1, {SIGNED}}}}}',
            JudgeFailure.NO_VERDICT,
            id="an inner object",
        ),
        pytest.param(
            f'{{"reasoning": "{{\\"check\\": \\"{MARK}\\"}}"}}',
            JudgeFailure.NO_VERDICT,
            id="in a text",
        ),
        pytest.param(f'{{"score": True, {SIGNED}}}', JudgeFailure.NO_JSON, id="Python's True"),
        pytest.param(f'{{"a": "b"c", {SIGNED}}}', JudgeFailure.TRUNCATED, id="a quote in a text"),
        pytest.param(
            f'{{"score": 1, {SIGNED}, "score": 0}}', JudgeFailure.NO_JSON, id="a key twice"
        ),
        pytest.param(f'{{"score": 0.8, {SIGNED}', JudgeFailure.TRUNCATED, id="cut off"),
        pytest.param(
            f'{{"score": 1, {SIGNED}}} no: {{"score": 0.',
            JudgeFailure.TRUNCATED,
            id="a second, cut",
        ),
        pytest.param("{'score': 0.", JudgeFailure.TRUNCATED, id="cut, single quotes"),
        pytest.param("{" * 5000, JudgeFailure.TRUNCATED, id="braces alone"),
        pytest.param("[" * 100_000, JudgeFailure.NO_JSON, id="brackets alone"),
        pytest.param('{"a":' * 50_000, JudgeFailure.TRUNCATED, id="deep"),
    ],
)
def test_anything_else_is_none(text: str, cause: JudgeFailure) -> None:
    with pytest.raises(JudgeError) as caught:
        verdict_in(text, MARK)
    assert caught.value.cause is cause
    assert len(str(caught.value)) < 300


def test_an_answer_that_is_cut_anywhere_is_never_a_verdict() -> None:
    rng = random.Random(7)
    for _ in range(300):
        whole = json.dumps({"score": rng.random(), "reasoning": _nasty(rng), "check": MARK})
        with pytest.raises(JudgeError):
            verdict_in(whole[: rng.randrange(1, len(whole))], MARK)


@pytest.mark.parametrize("damage", ["comma", "comment", "prose", "fence"])
def test_what_is_damaged_around_the_texts_is_read_exactly_or_not_at_all(damage: str) -> None:
    rng = random.Random(11)
    for _ in range(150):
        verdict = {"score": rng.random(), "reasoning": _nasty(rng), "check": MARK}
        text = json.dumps(verdict, ensure_ascii=rng.random() < 0.5)
        text = {
            "comma": f"{text[:-1]},}}",
            "comment": f"{text[:-1]} // done\n}}",
            "prose": f"I think: {text} — that's it.",
            "fence": f"```json\n{text}\n```",
        }[damage]
        assert verdict_in(text, MARK) == verdict


def test_a_long_answer_is_looked_through_in_no_time() -> None:
    began = time.monotonic()
    for text in ("{" + "x" * 1_000_000, '{"a": "' + "b{" * 500_000, "} {" * 300_000):
        with pytest.raises(JudgeError):
            verdict_in(text, MARK)
    assert time.monotonic() - began < 60


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("{}", 2),
        ("{[]}x", 4),
        ('{"}"}', 5),
        ("{'}'}", 5),
        ('{"\\"}"}', 7),
        ("{it's}", 6),
        ("{[}]", None),
        ("{", None),
        ('{"}', None),
    ],
)
def test_where_a_bracket_closes(text: str, end: int | None) -> None:
    assert closing(text, 0) == end


def _nasty(rng: random.Random) -> str:
    parts = [
        ",}",
        "//",
        '{"score": 0}',
        '"',
        "'",
        "```",
        "😀",
        "\\",
        "\n",
        "</think>",
        "a b",
        "]",
        "{",
    ]
    return "".join(rng.choice(parts) for _ in range(rng.randrange(1, 12)))
