"""Counts: they add up, whatever the results are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.results import (
    CriterionResult,
    EvalCaseResult,
    EvalReport,
    EvalSummary,
    Score,
)


def scored(name: str, value: float, threshold: float = 0.5) -> CriterionResult:
    return CriterionResult.judged(name, Score(value), threshold)


def result(
    eval_id: str, *criteria: CriterionResult, seconds: float = 1.0, usage: TokenUsage | None = None
) -> EvalCaseResult:
    return EvalCaseResult.success(
        eval_id, list(criteria), duration_seconds=seconds, token_usage=usage
    )


def test_the_measured_example() -> None:
    usage = TokenUsage(10, 5, 2, 1)
    results = [
        result("a", scored("x", 1.0), scored("y", 0.4), usage=usage),
        result("b", scored("x", 0.75), scored("y", 0.9), seconds=2.0, usage=usage),
        EvalCaseResult.failure("c", "boom", duration_seconds=0.5),
    ]

    summary = EvalSummary.from_results(results)

    assert summary.model_dump(
        include={"total_cases", "passed_cases", "failed_cases", "error_cases"}
    ) == {"total_cases": 3, "passed_cases": 1, "failed_cases": 1, "error_cases": 1}
    assert summary.pass_rate == pytest.approx(1 / 3)
    assert (summary.avg_duration_seconds, summary.total_duration_seconds) == (3.5 / 3, 3.5)
    assert summary.criterion_stats == {
        "x": {"total": 2, "passed": 2, "failed": 0, "avg_score": 0.875, "pass_rate": 1.0}
        | {"errors": 0, "not_evaluated": 0},
        "y": {"total": 2, "passed": 1, "failed": 1, "avg_score": 0.65, "pass_rate": 0.5}
        | {"errors": 0, "not_evaluated": 0},
    }
    assert summary.total_token_usage == TokenUsage(20, 10, 4, 2)
    assert summary.per_case_token_usage["c"] == TokenUsage()
    assert summary.avg_tokens_per_case == 10.0


def test_errors_and_what_was_not_evaluated_are_left_out_of_averages() -> None:
    summary = EvalSummary.from_results(
        [
            result("a", scored("x", 0.5)),
            result("b", CriterionResult.failure("x", "oops")),
            result("c", CriterionResult.not_evaluated("x", "nothing"), scored("y", 1.0)),
        ]
    )

    assert summary.criterion_stats["x"] == {
        "total": 1,
        "passed": 1,
        "failed": 0,
        "avg_score": 0.5,
        "pass_rate": 1.0,
        "errors": 1,
        "not_evaluated": 1,
    }


def test_an_error_wins_over_passed() -> None:
    both = EvalCaseResult(eval_id="p", passed=True, error="but errored")

    summary = EvalSummary.from_results([both])

    assert (summary.passed_cases, summary.failed_cases, summary.error_cases) == (0, 0, 1)


def test_d20_attempts_of_one_case_add_up() -> None:
    summary = EvalSummary.from_results(
        [
            result("d", scored("x", 1.0), usage=TokenUsage(100)),
            result("d", scored("x", 0.0), usage=TokenUsage(1)),
        ]
    )

    assert summary.per_case_token_usage == {"d": TokenUsage(101)}


def test_nothing_counts_as_nothing() -> None:
    assert EvalSummary.from_results([]) == EvalSummary()


criteria = st.one_of(
    st.builds(scored, st.sampled_from("xy"), st.floats(0, 1), st.floats(0, 1)),
    st.builds(CriterionResult.failure, st.sampled_from("xy"), st.just("boom")),
    st.builds(CriterionResult.not_evaluated, st.sampled_from("xy"), st.just("nothing")),
)
results = st.lists(
    st.one_of(
        st.builds(
            EvalCaseResult.success, eval_id=st.just("a"), criterion_results=st.lists(criteria)
        ),
        st.builds(EvalCaseResult.failure, st.just("b"), st.just("boom")),
    ),
    max_size=8,
)


@settings(max_examples=100, deadline=None)
@given(results=results)
def test_the_counts_add_up(results: list[EvalCaseResult]) -> None:
    summary = EvalSummary.from_results(results)

    assert summary.total_cases == len(results)
    assert summary.total_cases == (
        summary.passed_cases + summary.failed_cases + summary.error_cases
    )
    assert summary.passed_cases == sum(each.passed for each in results)
    for name, stats in summary.criterion_stats.items():
        seen = [one for each in results for one in each.criterion_results if one.criterion == name]
        assert stats["total"] == stats["passed"] + stats["failed"]
        assert stats["total"] + stats["errors"] + stats["not_evaluated"] == len(seen)
        assert 0.0 <= stats["avg_score"] <= 1.0


def test_the_text_lists_what_failed_and_by_how_much() -> None:
    report = EvalReport.create(
        "s",
        [
            result("a", scored("x", 1.0), scored("y", 0.4)),
            result("b", scored("x", 1.0)),
            EvalCaseResult.failure("c", "boom"),
        ],
        "Set",
    )

    assert report.format_summary().splitlines() == [
        "Evaluation Report: Set",
        "=" * 60,
        "Total Cases: 3",
        "Passed:      1 (33.3%)",
        "Failed:      1",
        "Errors:      1",
        "Duration:    2.00s",
        "",
        "Per-Criterion Results:",
        "-" * 40,
        "  x: 2/2 passed, avg score: 1.00",
        "  y: 0/1 passed, avg score: 0.40",
        "",
        "Failed Cases:",
        "-" * 40,
        "  - a: ",
        "      y: 0.40 < 0.5",
        "  - c: boom",
    ]
