"""No answer of an agent may keep a result from being stored and read again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tenxgraph_tui.evaluation.encoding import as_json
from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseInfo,
    CaseStatus,
    CriterionInfo,
    RunStarted,
    SetInfo,
    VerdictPreview,
)
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.results import (
    CaseKey,
    CriterionResult,
    EvalCaseResult,
    Score,
    Verdict,
)
from tenxgraph_tui.evaluation.stream import parse_line
from tenxgraph_tui.session.lines import Lines


def circular() -> dict[str, Any]:
    inner: dict[str, Any] = {}
    inner["self"] = inner
    return inner


def bottomless() -> list[Any]:
    inner: list[Any] = []
    for _ in range(500):
        inner = [inner]
    return inner


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        pytest.param("ok\x00\x1b[31m 🚀 中文", "ok\x00\x1b[31m 🚀 中文", id="odd but valid text"),
        pytest.param("half \ud83d", "half \\ud83d", id="half a character"),
        pytest.param(b"\xff", "b'\\xff'", id="bytes"),
        pytest.param(float("nan"), None, id="no number"),
        pytest.param({1}, [1], id="a set"),
        pytest.param({(1, "\ud83d"): 1}, {"(1, '\\ud83d')": 1}, id="a key that is no text"),
    ],
)
def test_a_value_is_stored_as_a_person_would_see_it(value: Any, stored: Any) -> None:
    result = EvalCaseResult(eval_id="a", passed=True, metadata={"x": value, "y": b"\xff"})

    again = EvalCaseResult.model_validate_json(as_json(result))

    assert again.metadata["x"] == stored


@pytest.mark.parametrize("value", [circular(), bottomless(), object()])
def test_a_value_without_end_or_form_is_stored_up_to_a_point(value: Any) -> None:
    result = EvalCaseResult(eval_id="a", passed=True, metadata={"x": value})

    again = EvalCaseResult.model_validate_json(as_json(result))

    assert "x" in again.metadata


def test_the_rest_of_such_a_result_is_as_it_was() -> None:
    verdict = CriterionResult.judged("rouge_match", Score(0.25, "low"), 0.5)
    plain = EvalCaseResult.success("a", [verdict], token_usage=TokenUsage(3, 4))
    odd = plain.model_copy(update={"actual_response": "\ud83d"})

    again = EvalCaseResult.model_validate_json(as_json(odd))

    assert again == plain.model_copy(update={"actual_response": "\\ud83d"})


def test_an_event_with_half_a_character_can_be_read_again() -> None:
    finished = CaseFinished(
        seq=3,
        at=1.0,
        run_id="run",
        case=CaseKey(0, "a", 0),
        status=CaseStatus.FAILED,
        verdicts=(VerdictPreview("rouge_match", Verdict.FAILED, 0.25, 0.5, "half \ud83d"),),
        usage=TokenUsage(3, 4),
        response="half \ud83d",
    )

    again = parse_line(as_json(finished).encode())

    verdict = VerdictPreview("rouge_match", Verdict.FAILED, 0.25, 0.5, "half \\ud83d")
    told = {"verdicts": (verdict,), "response": "half \\ud83d"}
    assert again == finished.model_copy(update=told)


def test_the_start_of_a_run_with_half_a_character_can_be_read_again() -> None:
    case = CaseInfo("a", tags=("smoke",), skip="half \ud83d")
    criterion = CriterionInfo(slot="rouge_match", name="rouge_match", threshold=0.5)
    told = SetInfo(eval_set_id="s", criteria=(criterion,), cases=(case,))
    started = RunStarted(seq=0, at=1.0, run_id="run", sets=(told,))

    again = parse_line(as_json(started).encode())

    assert isinstance(again, RunStarted)
    assert again.sets[0].criteria == (criterion,)
    assert again.sets[0].cases == (CaseInfo("a", tags=("smoke",), skip="half \\ud83d"),)


def test_a_field_can_be_left_out_of_either_form() -> None:
    plain = EvalCaseResult(eval_id="a", passed=True)
    odd = plain.model_copy(update={"error": "\ud83d"})

    for result in (plain, odd):
        assert "eval_id" not in json.loads(as_json(result, without="eval_id"))
        assert "passed" in json.loads(as_json(result, without="eval_id"))


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_lines_are_the_same_however_they_arrive(size: int) -> None:
    text = b"one\n\ntwo\r\nthree \xff\nrest"
    lines = Lines()

    cut = [
        line
        for start in range(0, len(text), size)
        for line in lines.feed(text[start : start + size])
    ]

    assert cut == [b"one", b"", b"two\r", b"three \xff"]
    assert lines.rest() == b"rest"
    assert lines.rest() == b""


def test_a_line_without_end_is_cut() -> None:
    lines = Lines(longest=10)

    assert lines.feed(b"x" * 8) == []
    assert lines.feed(b"y" * 8) == [b"xxxxxxxxyyyyyyyy"]
    assert lines.feed(b"z\n") == [b"z"]
