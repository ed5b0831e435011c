"""What became of a case follows from its two verdicts."""

from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.events import CaseFinished, CaseInfo, CaseStatus, RunStarted, SetInfo
from tenxgraph_tui.evaluation.progress import RunState
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.watching.flips import Kind, flips, kind_of, results

PASSED, FAILED, ERROR = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR
CANCELLED, SKIPPED = CaseStatus.CANCELLED, CaseStatus.SKIPPED


@pytest.mark.parametrize(
    ("before", "now", "kind"),
    [
        (PASSED, PASSED, Kind.UNCHANGED),
        (PASSED, FAILED, Kind.BROKE),
        (PASSED, ERROR, Kind.ERRORED),
        (FAILED, PASSED, Kind.FIXED),
        (FAILED, FAILED, Kind.STILL_FAILING),
        (FAILED, ERROR, Kind.ERRORED),
        (ERROR, PASSED, Kind.FIXED),
        (ERROR, FAILED, Kind.STILL_FAILING),
        (ERROR, ERROR, Kind.STILL_FAILING),
        (None, FAILED, Kind.NEW),
        (CANCELLED, PASSED, Kind.NEW),
        (SKIPPED, FAILED, Kind.NEW),
    ],
)
def test_two_verdicts_make_one_word(before: CaseStatus | None, now: CaseStatus, kind: Kind) -> None:
    assert kind_of(before, now) is kind


def finished(*statuses: CaseStatus) -> RunState:
    cases = tuple(CaseInfo(eval_id=str(number)) for number in range(len(statuses) + 1))
    state = RunState()
    sets = (SetInfo(eval_set_id="s", file="evals/s.evalset.json", cases=cases),)
    state.apply(RunStarted(seq=0, at=1.0, run_id="r", sets=sets))
    for number, status in enumerate(statuses):
        key = CaseKey(0, str(number))
        state.apply(CaseFinished(seq=1, at=2.0, run_id="r", case=key, status=status))
    return state


def test_cases_without_a_verdict_are_left_out() -> None:
    state = finished(PASSED, FAILED, CANCELLED)
    found = [(name, case.status) for name, case in results(state, lambda file: f"/p/{file}")]
    path = "/p/evals/s.evalset.json"
    assert found == [((path, "0"), PASSED), ((path, "1"), FAILED)]


def test_flips_keep_the_order_of_the_run_and_count_by_kind() -> None:
    state = finished(FAILED, PASSED, ERROR, PASSED)
    path = "evals/s.evalset.json"
    before = {(path, "0"): PASSED, (path, "1"): FAILED, (path, "2"): PASSED, (path, "3"): PASSED}
    found = flips(before, results(state))
    assert [flip.kind for flip in found.cases] == ["broke", "fixed", "errored", "unchanged"]
    assert [flip.name[1] for flip in found.of(Kind.BROKE, Kind.ERRORED)] == ["0", "2"]
    assert found.cases[0].now.status is FAILED
    assert found.has_any


def test_nothing_flipped_where_all_is_as_it_was() -> None:
    path = "evals/s.evalset.json"
    assert not flips({(path, "0"): FAILED}, results(finished(FAILED, PASSED))).has_any
