"""The assertions fail when they should, and say which cases and why."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tenxgraph_tui.evaluation.results import (
    CriterionResult,
    EvalCaseResult,
    EvalReport,
    Score,
)
from tenxgraph_tui.evaluation.testing.assertions import (
    assert_criterion_passed,
    assert_eval_passed,
)


def scored(eval_id: str, *scores: float, name: str = "") -> EvalCaseResult:
    results = [
        CriterionResult.judged("rouge_match", Score(score, f"{score} of the words"), 0.5)
        for score in scores
    ]
    return EvalCaseResult.success(eval_id, results, name=name)


def report(*results: EvalCaseResult) -> EvalReport:
    return EvalReport.create("s", list(results))


MIXED = report(
    scored("a", 0.9), scored("b", 0.337), EvalCaseResult.failure("c", "boom", name="Boom")
)
TOOLS = report(
    *(
        EvalCaseResult.success(
            name,
            [
                CriterionResult.judged(
                    "tool_name_match_score", Score(0.0, f"missing: {name} / got: nothing"), 1.0
                )
            ],
        )
        for name in ("find", "read", "write")
    )
)


def failure_of(check: Callable[[], None]) -> str:
    with pytest.raises(AssertionError) as caught:
        check()
    return str(caught.value)


def test_a_failed_report_lists_names_or_ids_and_reasons() -> None:
    told = failure_of(lambda: assert_eval_passed(MIXED))
    assert told.splitlines() == [
        "Evaluation pass rate 33.3% below threshold 100.0%. Failed cases: b, Boom",
        "  - b: rouge_match 0.33, needs 0.50 (0.337 of the words)",
        "  - Boom: boom",
    ]


@pytest.mark.parametrize("least", [0.0, 0.3, 1 / 3, 0.1 + 0.2])
def test_a_pass_rate_that_is_enough_passes(least: float) -> None:
    assert_eval_passed(MIXED, least)


def test_a_pass_rate_just_below_fails() -> None:
    assert "33.3% below threshold 34.0%" in failure_of(lambda: assert_eval_passed(MIXED, 0.34))


def test_an_empty_report_has_not_passed() -> None:
    told = failure_of(lambda: assert_eval_passed(report()))
    assert told == "Evaluation pass rate 0.0% below threshold 100.0%. Failed cases: "
    assert_eval_passed(report(), 0.0)


@pytest.mark.parametrize("least", [math.nan, -0.1, 1.1, math.inf, "0.5"])
def test_a_threshold_that_would_let_everything_or_nothing_pass_is_refused(least: float) -> None:
    with pytest.raises(ValueError, match=r"min_pass_rate must be a number from 0\.0 to 1\.0"):
        assert_eval_passed(MIXED, least)
    with pytest.raises(ValueError, match=r"min_score must be a number from 0\.0 to 1\.0"):
        assert_criterion_passed(MIXED, "rouge_match", least)


def test_what_agents_said_is_made_visible_and_cut() -> None:
    hostile = EvalCaseResult.failure("x", "\x1b[2J" + "long " * 1000)
    told = failure_of(lambda: assert_eval_passed(report(hostile)))
    assert r"\x1b[2J" in told
    assert "\x1b" not in told
    assert len(told) < 600


def test_many_failures_are_counted_after_some() -> None:
    failed = report(*(EvalCaseResult.failure(f"case{i}", "boom") for i in range(80)))
    told = failure_of(lambda: assert_eval_passed(failed))
    assert told.splitlines()[-1] == "  … and 30 more"
    assert "case79" in told.splitlines()[0]


def test_b90_a_criterion_passes_or_lists_its_cases_worst_first() -> None:
    assert_criterion_passed(MIXED, "rouge_match")
    assert_criterion_passed(MIXED, "rouge_match", 0.6)
    told = failure_of(lambda: assert_criterion_passed(MIXED, "rouge_match", 0.9))
    assert told.splitlines() == [
        "Criterion 'rouge_match' average score 0.61 below minimum 0.90",
        "  - b: 0.33, needs 0.50 (0.337 of the words)",
        "  - a: 0.90 (0.9 of the words)",
    ]


def test_b90_with_a_minimum_a_criterion_that_failed_everywhere_fails_with_all_three_cases() -> None:
    assert_criterion_passed(TOOLS, "tool_name_match_score")  # the documented default asks for 0.0
    told = failure_of(lambda: assert_criterion_passed(TOOLS, "tool_name_match_score", 0.5))
    for name in ("find", "read", "write"):
        assert f"  - {name}: 0.00, needs 1.00 (missing: {name} / got: nothing)" in told


@pytest.mark.parametrize(
    ("given", "name", "told"),
    [
        pytest.param(
            MIXED,
            "trajectory",
            "Criterion 'trajectory' not found in report: it has 'rouge_match'",
            id="a name that is not there",
        ),
        pytest.param(
            TOOLS,
            "tool_name_match",
            "Criterion 'tool_name_match' not found in report: that is the slot of a config; its "
            "criterion reports as 'tool_name_match_score'",
            id="the slot instead of the name",
        ),
        pytest.param(
            report(),
            "rouge_match",
            "Criterion 'rouge_match' not found in report: nothing was checked",
            id="an empty report",
        ),
    ],
)
def test_a_criterion_that_is_not_in_the_report_fails(
    given: EvalReport, name: str, told: str
) -> None:
    assert failure_of(lambda: assert_criterion_passed(given, name)) == told


def test_a_criterion_that_errored_anywhere_fails_whatever_the_minimum() -> None:
    broken = EvalCaseResult.success("x", [CriterionResult.failure("rouge_match", "no judge")])
    told = failure_of(
        lambda: assert_criterion_passed(report(scored("a", 1.0), broken), "rouge_match")
    )
    assert told.splitlines() == [
        "Criterion 'rouge_match' could not be evaluated in 1 case",
        "  - x: no judge",
        "  - a: 1.00 (1.0 of the words)",
    ]


def test_a_criterion_that_scored_nothing_fails_whatever_the_minimum() -> None:
    nothing = CriterionResult.not_evaluated("rouge_match", "no expected response")
    told = failure_of(
        lambda: assert_criterion_passed(
            report(EvalCaseResult.success("x", [nothing])), "rouge_match"
        )
    )
    assert told.splitlines() == [
        "Criterion 'rouge_match' scored nothing: it was not evaluated in any case",
        "  - x: not evaluated: no expected response",
    ]


def test_d49_an_average_that_is_no_number_fails() -> None:
    foreign = report(scored("a", 0.9))
    stats = {"total": 1, "passed": 1, "failed": 0, "avg_score": math.nan, "pass_rate": 1.0}
    foreign.summary.criterion_stats["rouge_match"] = stats
    for least in (0.0, 0.9):
        told = failure_of(lambda: assert_criterion_passed(foreign, "rouge_match", least))  # noqa: B023 - called at once
        assert "average score is no number: nan" in told
