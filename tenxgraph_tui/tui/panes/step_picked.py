"""Everything that is known of a step, as it is opened and copied."""

from __future__ import annotations

from functools import partial
from typing import Any

from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.picked import Picked
from tenxgraph_tui.tui.panes.rows import pair_of
from tenxgraph_tui.tui.panes.step import Step
from tenxgraph_tui.tui.panes.step_calls import replies_of
from tenxgraph_tui.tui.panes.steps import timeline

MICROSECONDS = 6


def picked_of(step: Step, index: int) -> Picked:
    """A call with its arguments and its result, expected beside actual; of a node what it said."""
    name = f"the call of {step.name}" if step.is_tool else f"step {index + 1}, {step.name}"
    return Picked(name, partial(_find, index=index))


def _find(model: DetailModel, index: int) -> Any:
    steps = timeline(model).steps
    if index >= len(steps):
        return None
    step = steps[index]
    if step.is_tool:
        return _with_times(pair_of(step.row), step)
    return _with_times({"node": step.name}, step) | {"replies": replies_of(step, model)}


def _with_times(found: Any, step: Step) -> Any:
    """Seconds, without the digits that a clock of Unix seconds cannot tell."""
    times = (
        {"at": step.at, "took": step.took} if isinstance(step.row.actual, ToolCall | str) else {}
    )
    return found | {
        name: round(value, MICROSECONDS) for name, value in times.items() if value is not None
    }
