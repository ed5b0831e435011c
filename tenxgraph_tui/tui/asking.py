"""What a run would be asked for, if one was asked for now."""

from __future__ import annotations

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.board import UNTOLD
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.desk import Desk


def to_run(desk: Desk) -> int:
    """How many cases `r` runs; those that are skipped are not among them."""
    if desk.choices.wanted is None:
        return desk.catalog.runnable
    return desk.catalog.count_runnable(desk.choices.wanted)


def has_cases_to_run(desk: Desk) -> bool:
    """Whether there is anything that a run could be asked for."""
    wanted = desk.choices.wanted
    if wanted is None:
        return len(desk.catalog) > 0
    return any(case in desk.catalog for case in wanted)


def can_cancel(desk: Desk, key: CaseKey | None) -> bool:
    """Whether a case is part of the run that goes on, and not over yet."""
    case = desk.state.cases.get(key) if key is not None else None
    return case is not None and desk.state.is_running and case.status in UNTOLD


def failed_ids(desk: Desk) -> list[CaseId]:
    """The cases that did not pass when they last ran, in the order of the catalog."""
    failed = desk.standings.failed
    return [case for case in desk.catalog if case in failed]
