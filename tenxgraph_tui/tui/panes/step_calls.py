"""Which model calls a step of the trajectory made."""

from __future__ import annotations

from typing import Any

from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.step import Step

CLOCK_NOISE = 0.005


def replies_of(step: Step, model: DetailModel) -> list[dict[str, Any]]:
    """The model calls of this visit: those of the node that ended while it ran."""
    result = model.result
    if result is None or step.at is None:
        return []
    stamps = [s.timestamp for s in result.actual_trajectory if s.timestamp is not None]
    begin = min(stamps, default=0.0) + step.at - CLOCK_NOISE
    end = begin + (step.took or 0.0) + 2 * CLOCK_NOISE
    return [
        reply
        for reply in result.node_responses
        if reply.get("node_name") == step.name
        and begin <= float(reply.get("timestamp") or 0) <= end
    ]
