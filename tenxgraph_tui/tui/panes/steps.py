"""The timeline of a case: expected and actual steps merged into one order, with their times."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tenxgraph_tui.evaluation.alignment import Mark, Row
from tenxgraph_tui.evaluation.config import REPORTED_NAMES
from tenxgraph_tui.evaluation.dataset import MARKER_NODES, StepType, ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.results import EvalCaseResult, Verdict
from tenxgraph_tui.tui.panes.live import live_steps
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.rows import AnyRow, call_rows, failed, node_rows
from tenxgraph_tui.tui.panes.step import Step

Order = tuple[float, int, int, int]


@dataclass(frozen=True, slots=True)
class Timeline:
    """All steps in order; `divergence` is the position of the first that costs score.

    `current` is what a case that runs did last.
    """

    steps: tuple[Step, ...]
    divergence: int | None
    seconds: float
    current: int | None = None


def timeline(model: DetailModel) -> Timeline:
    """The steps of a case; of one that runs those so far, of one that waits those expected."""
    if model.result is not None:
        steps = _merged(model, model.result)
    else:
        steps = live_steps(model) or _planned(model)
    happened = [at for at, step in enumerate(steps) if step.is_live]
    first = next((at for at, step in enumerate(steps) if step.diverges), None)
    ends = [step.at + (step.took or 0.0) for step in steps if step.at is not None]
    return Timeline(tuple(steps), first, max(ends, default=0.0), max(happened, default=None))


def _planned(model: DetailModel) -> list[Step]:
    found: list[Step] = []
    for index, turn in enumerate(model.turns):
        nodes = (Row(Mark.SAME, node) for node in turn.expected_nodes())
        found += [Step(row, False, True, turn=index) for row in nodes]
        calls = (Row(Mark.SAME, call) for call in turn.expected_tool_trajectory)
        found += [Step(row, True, True, turn=index) for row in calls]
    return found


def _merged(model: DetailModel, result: EvalCaseResult) -> list[Step]:
    trajectory = result.actual_trajectory or [
        TrajectoryStep.tool(call.name, call.args) for call in result.actual_tool_calls
    ]
    nodes = [
        position
        for position, step in enumerate(trajectory)
        if step.step_type is StepType.NODE and step.name not in MARKER_NODES
    ]
    started = [step.timestamp for step in trajectory if step.timestamp is not None]
    begin = min(started, default=0.0)
    entries = [
        *_entries(_node_rows(model, trajectory, nodes), nodes, is_tool=False),
        *_entries(_call_rows(model, result), _places(trajectory, result), is_tool=True),
    ]
    entries.sort(key=lambda entry: entry[0])
    found: list[Step] = []
    for (place, *_), step in entries:
        happened = trajectory[int(place)] if place < len(trajectory) else None
        if step.row.actual is None or happened is None:
            found.append(replace(step, turn=found[-1].turn if found else None))
            continue
        found.append(_timed(step, happened, begin))
    return found


def _timed(step: Step, happened: TrajectoryStep, begin: float) -> Step:
    took, turn = happened.metadata.get("seconds"), happened.metadata.get("turn")
    return replace(
        step,
        at=None if happened.timestamp is None else happened.timestamp - begin,
        took=float(took) if isinstance(took, int | float) else None,
        turn=turn if isinstance(turn, int) else None,
        node=str(happened.metadata.get("node") or ""),
    )


def _entries(
    rows: Sequence[tuple[AnyRow, bool]], places: Sequence[int], *, is_tool: bool
) -> Iterator[tuple[Order, Step]]:
    """Each row with its place: what is missing stands before the next row that happened."""
    following = math.inf
    found: list[tuple[Order, Step]] = []
    for index, (row, is_context) in reversed(list(enumerate(rows))):
        at = row.actual_index
        happened = at is not None and at < len(places)
        if at is not None and happened:
            following = places[at]
        order = (following, int(happened), 0 if is_tool else 1, index)
        found.append((order, Step(row, is_tool, is_context)))
    return reversed(found)


def _node_rows(
    model: DetailModel, trajectory: Sequence[TrajectoryStep], nodes: Sequence[int]
) -> list[tuple[AnyRow, bool]]:
    """The nodes beside those that are expected; without an expectation they are context."""
    if model.case is not None and model.case.expected_nodes():
        counts = _was_checked(model.result, "node_order")
        return [(row if counts else replace(row, costs=False), False) for row in node_rows(model)]
    names = [trajectory[position].name for position in nodes]
    return [(Row(Mark.SAME, None, name, None, index), True) for index, name in enumerate(names)]


def _call_rows(model: DetailModel, result: EvalCaseResult) -> list[tuple[AnyRow, bool]]:
    """The calls beside those that are expected, as the criterion that looked compares them."""
    calls = result.actual_tool_calls
    blamed = failed(result, "trajectory") or failed(result, "tool_name_match")
    if model.case is None or not (model.case.expected_calls() or blamed):
        return [(Row(Mark.SAME, None, call, None, index), True) for index, call in enumerate(calls)]
    slot = next((s for s in ("trajectory", "tool_name_match") if _was_checked(result, s)), None)
    rows = call_rows(model, slot or "trajectory")
    return [(row if slot else replace(row, costs=False), False) for row in rows]


def _was_checked(result: EvalCaseResult | None, slot: str) -> bool:
    found = result.get_criterion_result(REPORTED_NAMES[slot]) if result is not None else None
    return found is not None and found.verdict in {Verdict.PASSED, Verdict.FAILED}


def _places(trajectory: Sequence[TrajectoryStep], result: EvalCaseResult) -> list[int]:
    """For each call of the result its position in the trajectory, which may order them otherwise.

    A call that is not there stands at the end.
    """
    free = [at for at, step in enumerate(trajectory) if step.step_type is StepType.TOOL]
    found: list[int] = []
    for call in result.actual_tool_calls:
        tests = (_is_exactly(call), _is_named(call))
        at = next((i for test in tests for i in free if test(trajectory[i])), None)
        if at is not None:
            free.remove(at)
        found.append(len(trajectory) if at is None else at)
    return found


def _is_exactly(call: ToolCall) -> Callable[[TrajectoryStep], bool]:
    return lambda step: step.name == call.name and step.args == call.args


def _is_named(call: ToolCall) -> Callable[[TrajectoryStep], bool]:
    return lambda step: step.name == call.name
