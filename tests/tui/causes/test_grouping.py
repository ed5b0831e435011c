from __future__ import annotations

from collections.abc import Mapping

from tenxgraph_tui.evaluation.events import CaseInfo, CaseStatus, VerdictPreview
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey, Verdict
from tenxgraph_tui.tui.causes.failure import Failure
from tenxgraph_tui.tui.causes.finding import Finding
from tenxgraph_tui.tui.causes.grouping import ERROR, Cause, called, causes
from tenxgraph_tui.tui.causes.steps import TOOL_NAMES, TRAJECTORY

JUDGED = "final_response_match_v2"


def failed(
    name: str, score: float = 0.0, reason: str = "", threshold: float = 1.0
) -> VerdictPreview:
    return VerdictPreview(name, Verdict.FAILED, score, threshold, reason)


def failure(eval_id: str, *verdicts: VerdictPreview, error: str = "") -> Failure:
    return Failure(CaseKey(0, eval_id), verdicts, error)


def grouped(
    *failures: Failure, known: Mapping[str, Mapping[str, Finding]] | None = None
) -> list[Cause]:
    return causes(failures, lambda key: (known or {}).get(key.eval_id, {}))


def titles(found: list[Cause]) -> list[tuple[str, list[str]]]:
    return [(one.title, [key.eval_id for key in one.keys]) for one in found]


CITY = Finding(("arguments", "f", "city"), "f got another city")


def test_the_largest_group_comes_first_and_cases_keep_their_order() -> None:
    found = grouped(
        failure("a", failed("rouge_match", 0.45, threshold=0.5)),
        failure("b", failed(TRAJECTORY)),
        failure("c", failed(TRAJECTORY)),
        known={"b": {TRAJECTORY: CITY}, "c": {TRAJECTORY: CITY}},
    )
    assert titles(found) == [
        ("f got another city", ["b", "c"]),
        ("rouge_match less than 0.10 below the threshold", ["a"]),
    ]


def test_a_wrong_call_comes_before_what_it_led_to() -> None:
    (found,) = grouped(
        failure("a", failed("rouge_match"), failed(TOOL_NAMES), failed(TRAJECTORY)),
        known={"a": {TRAJECTORY: CITY}},
    )
    assert found.title == "f got another city"
    assert found.criteria == (TRAJECTORY, TOOL_NAMES, "rouge_match")
    assert called(found.criteria) == "trajectory, tool_name_match, rouge_match"


def test_the_same_step_is_one_cause_whichever_criterion_saw_it() -> None:
    missing = Finding(("call", "missing", "f"), "f was not called")
    (found,) = grouped(
        failure("a", failed(TRAJECTORY), failed("rouge_match")),
        failure("b", failed(TOOL_NAMES)),
        known={"a": {TRAJECTORY: missing}, "b": {TOOL_NAMES: missing}},
    )
    assert found.criteria == (TRAJECTORY, TOOL_NAMES)


def test_scores_are_near_or_far() -> None:
    found = grouped(
        failure("a", failed("rouge_match", 0.45, threshold=0.5)),
        failure("b", failed("rouge_match", 0.2, threshold=0.5)),
        failure("c", failed("rouge_match", 0.1, threshold=0.5)),
    )
    assert titles(found) == [
        ("rouge_match at least 0.10 below the threshold", ["b", "c"]),
        ("rouge_match less than 0.10 below the threshold", ["a"]),
    ]


def test_a_reason_of_a_judge_is_a_cause_once_it_is_shared() -> None:
    source = "the answer names no source"
    found = grouped(
        failure("a", failed(JUDGED, 0.2, source)),
        failure("b", failed(JUDGED, 0.1, source)),
        failure("c", failed(JUDGED, 0.3, "rude")),
        failure("d", failed(JUDGED, 0.3, "wrong")),
    )
    assert titles(found) == [
        (source, ["a", "b"]),
        (f"{called([JUDGED])} at least 0.10 below the threshold", ["c", "d"]),
    ]


def test_words_that_differ_are_no_shared_reason() -> None:
    same = "8 of 15 words differ"
    found = grouped(
        failure("a", failed("rouge_match", 0.4, same, 0.5)),
        failure("b", failed("rouge_match", 0.4, same, 0.5)),
    )
    assert [one.title for one in found] == ["rouge_match at least 0.10 below the threshold"]


def test_missing_keywords_and_missing_answers_are_causes() -> None:
    found = grouped(
        failure("a", failed("contains_keywords", 0.5, "missing: refund")),
        failure("b", failed("rouge_match", 0.0, "no response")),
    )
    assert [one.title for one in found] == ["no answer contains refund", "there was no answer"]


def test_what_was_not_looked_at_yet_is_told_by_its_reason() -> None:
    (found,) = grouped(failure("a", failed(TRAJECTORY, 0.5, "first divergence: call 2, city")))
    assert found.title == "first divergence: call 2, city"


def test_errors_are_apart_from_failures() -> None:
    known = {"b": {ERROR: Finding(("raised", "KeyError"), "KeyError in agents.py line 3")}}
    found = grouped(
        failure("a", failed(TRAJECTORY), error="timed out after 2 s"),
        failure("b", error="KeyError: 1"),
        known=known,
    )
    assert [(one.title, one.is_error, one.criteria) for one in found] == [
        ("timed out after 2 s", True, ()),
        ("KeyError in agents.py line 3", True, ()),
    ]


def test_a_case_in_error_has_no_criterion_that_decided() -> None:
    progress = CaseProgress(CaseKey(0, "a"), CaseInfo("a"), CaseStatus.ERROR, error=None)
    assert Failure.of(progress).error == "error"


def test_nothing_failed_and_there_are_no_causes() -> None:
    assert grouped() == []
