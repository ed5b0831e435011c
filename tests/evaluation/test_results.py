"""Verdicts and case results: what is an error, what failed, what passed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.results import (
    CriterionResult,
    EvalCaseResult,
    EvalReport,
    NotEvaluated,
    Score,
    Verdict,
    error_of,
)

PASSED = CriterionResult.judged("good", Score(1.0), 0.5)
FAILED = CriterionResult.judged("bad", Score(0.2), 0.5)
ERROR = CriterionResult.failure("broken", "boom", 0.5)
UNKNOWN = CriterionResult.not_evaluated("unknown", "no expected response", 0.5)


class TestCriterionResult:
    def test_what_was_not_evaluated_has_no_score_and_says_why(self) -> None:
        assert (UNKNOWN.score, UNKNOWN.passed, UNKNOWN.is_error) == (0.0, False, False)
        assert UNKNOWN.error == "not evaluated: no expected response"
        assert UNKNOWN.reason == "no expected response"

    def test_what_could_not_be_made_is_an_error(self) -> None:
        assert (ERROR.verdict, ERROR.is_error, ERROR.reason) == (Verdict.ERROR, True, "boom")

    def test_the_documented_short_form_compares_with_the_threshold(self) -> None:
        result = CriterionResult.success("c", 0.5, 0.5, {"a": 1}, TokenUsage(1, 2))

        assert (result.passed, result.details, result.token_usage.total_tokens) == (
            True,
            {"a": 1},
            3,
        )
        assert not CriterionResult.success("c", 0.4, 0.5).passed

    @pytest.mark.parametrize(
        ("fields", "verdict"),
        [
            pytest.param({"score": 1.0, "passed": True}, Verdict.PASSED, id="passed"),
            pytest.param({"score": 0.2, "passed": False}, Verdict.FAILED, id="failed"),
            pytest.param({"score": 0.0, "passed": False, "error": "x"}, Verdict.ERROR, id="error"),
            pytest.param({"score": math.nan, "passed": False}, Verdict.ERROR, id="NaN"),
        ],
    )
    def test_a_file_of_10xgraph_has_no_verdict_and_gets_one(
        self, fields: dict[str, Any], verdict: Verdict
    ) -> None:
        result = CriterionResult(criterion="c", **fields)

        assert result.verdict is verdict
        assert math.isfinite(result.score)

    @pytest.mark.parametrize("result", [PASSED, FAILED, ERROR, UNKNOWN])
    def test_a_result_survives_json(self, result: CriterionResult) -> None:
        assert CriterionResult.model_validate_json(result.model_dump_json()) == result

    @pytest.mark.parametrize("result", [ERROR, UNKNOWN])
    def test_what_has_no_score_is_not_judged_again(self, result: CriterionResult) -> None:
        assert result.judged_again(0.0).verdict is result.verdict

    def test_the_same_score_is_judged_by_another_threshold(self) -> None:
        again = CriterionResult.success("c", 0.6, 0.5, {"reason": "r"}).judged_again(0.7)

        assert (again.verdict, again.threshold, again.reason) == (Verdict.FAILED, 0.7, "r")

    def test_not_evaluated_is_a_value(self) -> None:
        assert NotEvaluated("a") == NotEvaluated("a")


@pytest.mark.parametrize(
    ("criteria", "error", "passed"),
    [
        pytest.param([PASSED], None, True, id="one passed"),
        pytest.param([PASSED, FAILED], None, False, id="one failed"),
        pytest.param([PASSED, UNKNOWN], None, True, id="one passed, one was not evaluated"),
        pytest.param([FAILED, UNKNOWN], None, False, id="one failed, one was not evaluated"),
        pytest.param([PASSED, ERROR], "broken: boom", False, id="one is broken"),
        pytest.param([FAILED, ERROR], "broken: boom", False, id="broken wins over failed"),
        pytest.param(
            [UNKNOWN, UNKNOWN], "nothing to check: no expected response", False, id="none evaluated"
        ),
        pytest.param([], "nothing to check", False, id="no criteria"),
    ],
)
def test_the_verdicts_decide_what_a_case_is(
    criteria: list[CriterionResult], error: str | None, passed: bool
) -> None:
    result = EvalCaseResult.success("c", criteria)

    assert (result.error, result.passed) == (error, passed)
    assert result.is_error is (error is not None)
    assert error_of(criteria) == error


def test_failed_criteria_are_those_that_failed_or_are_broken() -> None:
    result = EvalCaseResult.success("c", [PASSED, FAILED, ERROR, UNKNOWN])

    assert [each.criterion for each in result.failed_criteria] == ["bad", "broken"]
    assert [each.criterion for each in result.passed_criteria] == ["good"]
    assert result.get_criterion_result("unknown") == UNKNOWN
    assert result.get_criterion_result("nope") is None


def test_a_case_that_could_not_run_is_an_error() -> None:
    result = EvalCaseResult.failure("c", "boom", "C", 1.5)

    assert (result.is_error, result.passed, result.duration_seconds) == (True, False, 1.5)


class TestReport:
    report = EvalReport.create(
        "s",
        [EvalCaseResult.success("a", [PASSED]), EvalCaseResult.success("b", [FAILED])],
        "Set",
    )

    def test_it_passes_where_every_case_passed(self) -> None:
        assert not self.report.passed
        assert EvalReport.create("s", self.report.results[:1]).passed

    def test_b03_an_empty_report_does_not_pass(self) -> None:
        assert not EvalReport.create("s", []).passed

    def test_cases_are_found_and_sorted(self) -> None:
        assert [each.eval_id for each in self.report.passed_cases] == ["a"]
        assert [each.eval_id for each in self.report.failed_cases] == ["b"]
        assert self.report.get_case_result("b") is self.report.results[1]
        assert self.report.get_case_result("c") is None
        assert list(self.report.iter_results()) == self.report.results

    def test_it_reads_back_the_same(self, tmp_path: Path) -> None:
        path = str(tmp_path / "report.json")

        self.report.to_file(path)

        assert EvalReport.from_file(path) == self.report
