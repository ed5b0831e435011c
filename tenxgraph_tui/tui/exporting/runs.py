"""Which run an export is of: the one that is shown, or the last that is kept."""

from __future__ import annotations

from dataclasses import dataclass

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.tui.desk import Desk


@dataclass(frozen=True, slots=True)
class Exported:
    """A run by its number, and what is to know about it."""

    number: int
    about: str


def run_shown(desk: Desk) -> Exported | None:
    """The run that the screen shows; before one, the last one. None if none is kept."""
    state, last = desk.state, desk.last
    if state.started_at is None:
        if last is None:
            return None
        return Exported(last.number, f"the last one, {numbers.plural(last.total, 'case')}")
    if state.number is None:
        return None
    total = len(state.cases) - state.counts[CaseStatus.SKIPPED]
    if state.is_running:
        return Exported(state.number, f"it goes on: {state.done} of {total} cases are over")
    return Exported(state.number, numbers.plural(total, "case"))
