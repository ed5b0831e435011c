"""The form of a verdict and the number in it."""

from __future__ import annotations

from typing import Any

import pytest

from tenxgraph_tui.errors import JudgeError, JudgeFailure
from tenxgraph_tui.evaluation.judging.forms import SCORED, AnswerForm, score_in


@pytest.mark.parametrize(
    ("value", "score"),
    [(0, 0.0), (1, 1.0), (0.25, 0.25), ("0.8", 0.8), (" 1 ", 1.0), (".5", 0.5), ("1e-1", 0.1)],
)
def test_a_number_or_a_text_of_one_is_a_score(value: Any, score: float) -> None:
    assert score_in({"score": value}) == score


@pytest.mark.parametrize(
    "value",
    [
        8,
        -0.2,
        98989,
        10**400,
        float("nan"),
        float("inf"),
        True,
        False,
        None,
        "4/5",
        "80%",
        "0,8",
        "nan",
        "infinity",
        "1_0",
        "٠.٥",
        "",
        "0.8 or 0.9",
        "8",
        [0.8],
        {"value": 0.8},
    ],
)
def test_nothing_else_is(value: Any) -> None:
    with pytest.raises(JudgeError) as caught:
        score_in({"score": value})
    assert caught.value.cause is JudgeFailure.BAD_SCORE
    assert len(str(caught.value)) < 150


def test_a_verdict_without_a_score_says_so() -> None:
    with pytest.raises(JudgeError, match="the verdict has no 'score'"):
        score_in({"reasoning": "ok"})


def test_the_model_is_told_every_field_and_the_marker() -> None:
    told = SCORED.instructions("4f1a")
    assert '- "score": a number from 0.0 (worst) to 1.0 (best)' in told
    assert '- "check": exactly "4f1a"' in told


def test_the_schema_is_strict_and_the_same_for_every_marker() -> None:
    form = AnswerForm({"claims": {"type": "array", "items": {"type": "string"}}})
    assert form.schema["required"] == ["claims", "check"]
    assert form.schema["additionalProperties"] is False
    assert form.schema["properties"]["claims"]["type"] == "array"
    assert "array" in form.instructions("x")
