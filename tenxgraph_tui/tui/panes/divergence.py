"""Why a case has no step at which it parts from what was expected."""

from __future__ import annotations

from tenxgraph_tui.evaluation.config import REPORTED_NAMES
from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import Verdict
from tenxgraph_tui.tui.panes.model import DetailModel

COMPARING = ("trajectory", "tool_name_match", "node_order")
"""The criteria that compare steps."""


def why_none(model: DetailModel | None) -> str:
    """One sentence for whoever asked for the first divergence of a case without one."""
    if model is None:
        return "There is no case to look at."
    if model.status is CaseStatus.RUNNING:
        return "The case still runs. It is compared when it has finished."
    if model.result is None:
        return "The case has no result to compare."
    if not _was_compared(model):
        return "No criterion of this run compared calls or nodes of this case."
    if model.result.is_error:
        return "The steps are as expected, as far as they go."
    return "All steps are as expected."


def _was_compared(model: DetailModel) -> bool:
    assert model.result is not None
    found = (model.result.get_criterion_result(REPORTED_NAMES[slot]) for slot in COMPARING)
    return any(one and one.verdict in {Verdict.PASSED, Verdict.FAILED} for one in found)
