from __future__ import annotations

from tenxgraph_tui.evaluation.events import CaseStarted, Log, RunFinished
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.trail import LONGEST, Trail

NOW, RUN = 0.0, "run-1"
A, B = CaseKey(0, "a"), CaseKey(0, "b")


def started(key: CaseKey) -> CaseStarted:
    return CaseStarted(seq=0, at=NOW, run_id=RUN, case=key)


def test_a_reader_sees_each_case_once_that_changed_since_its_mark() -> None:
    trail = Trail()
    trail.note(started(A))
    mark = trail.mark
    assert list(trail.since(mark) or ()) == []
    for key in (B, A, B):
        trail.note(started(key))
    assert list(trail.since(mark) or ()) == [B, A]
    assert list(trail.since(0) or ()) == [A, B]


def test_who_is_too_far_behind_looks_at_everything() -> None:
    trail = Trail()
    for _ in range(LONGEST + 1):
        trail.note(started(A))
    assert trail.since(0) is None
    assert trail.since(1) is not None


def test_what_a_case_prints_or_a_run_tells_changes_no_case() -> None:
    trail = Trail()
    trail.note(Log(seq=0, at=NOW, run_id=RUN, case=A, text="printed"))
    trail.note(RunFinished(seq=1, at=NOW, run_id=RUN))
    assert trail.mark == 0
