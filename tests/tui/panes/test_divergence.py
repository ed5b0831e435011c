"""Who asks for the first divergence of a case without one is told why there is none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.tui.panes.divergence import why_none
from tenxgraph_tui.tui.panes.model import DetailModel
from tests.tui.panes.conftest import Progress


def test_steps_that_are_as_expected(tokyo: DetailModel) -> None:
    assert why_none(tokyo) == "All steps are as expected."


def test_a_case_that_broke_off_is_only_as_expected_so_far(tokyo: DetailModel) -> None:
    assert tokyo.result is not None
    tokyo.result.error = "TimeoutError"
    assert why_none(tokyo) == "The steps are as expected, as far as they go."


def test_a_run_that_compares_no_steps(tokyo: DetailModel) -> None:
    assert tokyo.result is not None
    tokyo.result.criterion_results = tokyo.result.criterion_results[3:]
    assert why_none(tokyo).startswith("No criterion of this run compared")


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (CaseStatus.RUNNING, "The case still runs. It is compared when it has finished."),
        (CaseStatus.WAITING, "The case has no result to compare."),
        (CaseStatus.CANCELLED, "The case has no result to compare."),
    ],
)
def test_a_case_without_a_result(unfinished: Progress, status: CaseStatus, told: str) -> None:
    assert why_none(unfinished(status)) == told


def test_no_case_at_all(tokyo: DetailModel) -> None:
    assert why_none(None) == "There is no case to look at."
    assert why_none(replace(tokyo, result=None)) == "The case has no result to compare."
