"""The word for a change follows from the two statuses, and is counted as cases finish."""

from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.session.history import Baseline, Name
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.changes import SIGNS, Change, Comparison, change
from tenxgraph_tui.tui.words import cells

PASSED, FAILED, ERROR = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR
KNOWN, BROKEN = CaseId("a.json", "known"), CaseId("a.json", "broken")
FIRST, ELSEWHERE = CaseId("a.json", "first"), CaseId("a.json", "elsewhere")


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (PASSED, FAILED, Change.REGRESSED),
        (PASSED, ERROR, Change.REGRESSED),
        (FAILED, PASSED, Change.FIXED),
        (ERROR, PASSED, Change.FIXED),
        (PASSED, PASSED, Change.SAME),
        (FAILED, ERROR, Change.SAME),
        (ERROR, FAILED, Change.SAME),
    ],
)
def test_what_became_of_a_case(before: CaseStatus, now: CaseStatus, expected: Change) -> None:
    assert change(before, now) is expected


@pytest.mark.parametrize("now", [CaseStatus.WAITING, CaseStatus.RUNNING, CaseStatus.CANCELLED])
def test_a_case_without_a_verdict_has_not_changed(now: CaseStatus) -> None:
    assert change(PASSED, now) is None
    assert change(None, now, is_first=True) is None


def test_only_a_case_that_no_run_has_is_new() -> None:
    assert change(None, PASSED, is_first=True) is Change.NEW
    assert change(None, PASSED) is None


def test_every_change_has_a_sign_of_one_cell_and_a_word() -> None:
    assert SIGNS.keys() == set(Change)
    assert all(cells(sign.glyph) == 1 and sign.word == one.value for one, sign in SIGNS.items())


def test_a_run_is_counted_against_its_baseline() -> None:
    cases: dict[Name, CaseStatus] = {KNOWN: PASSED, BROKEN: FAILED}
    comparison = Comparison(Baseline("run", 17, cases, frozenset({FIRST})))

    comparison.count([(KNOWN, ERROR), (BROKEN, PASSED)])
    comparison.count([(FIRST, PASSED), (ELSEWHERE, PASSED)])

    assert comparison.number == 17
    assert comparison.before(KNOWN) is PASSED
    assert comparison.before(ELSEWHERE) is None
    assert comparison.of(KNOWN, FAILED) is Change.REGRESSED
    assert comparison.of(ELSEWHERE, FAILED) is None
    assert comparison.counts == {Change.REGRESSED: 1, Change.FIXED: 1, Change.NEW: 1}


def test_without_a_baseline_nothing_has_changed() -> None:
    comparison = Comparison()
    comparison.count([(KNOWN, PASSED)])
    assert comparison.number is None
    assert comparison.of(KNOWN, FAILED) is None
    assert not comparison.counts
