from __future__ import annotations

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.trail import LONGEST, Trail

A, B = CaseKey(0, "a"), CaseKey(0, "b")


def test_a_reader_sees_each_case_once_that_changed_since_its_mark() -> None:
    trail = Trail()
    trail.add(A)
    mark = trail.mark
    assert list(trail.since(mark) or ()) == []
    for key in (B, A, B):
        trail.add(key)
    assert list(trail.since(mark) or ()) == [B, A]
    assert list(trail.since(0) or ()) == [A, B]


def test_who_is_too_far_behind_looks_at_everything() -> None:
    trail = Trail()
    for _ in range(LONGEST + 1):
        trail.add(A)
    assert trail.since(0) is None
    assert trail.since(1) is not None


def test_after_a_change_of_everything_nobody_knows_which_cases() -> None:
    trail = Trail()
    trail.add(A)
    mark = trail.mark
    trail.all_changed()
    assert trail.since(mark) is None
    assert list(trail.since(trail.mark) or ()) == []
