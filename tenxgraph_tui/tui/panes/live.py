"""The steps of a case that runs: what it did so far, and what is expected after that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tenxgraph_tui.evaluation.alignment import Mark, Row
from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.live import LiveStep
from tenxgraph_tui.evaluation.preview import read_args
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.step import Step

Expected = list[tuple[int, ToolCall]]
"""The calls that have not come yet: where each stands among all, and the call."""


def live_steps(model: DetailModel) -> list[Step]:
    """What happened, each call beside the next expected one of its name; then what is missing.

    Nothing is marked: what is missing may come yet. Empty where nothing happened so far.
    """
    live = model.progress.live if model.progress is not None else None
    if live is None or not len(live):
        return []
    calls = [call for turn in model.turns for call in turn.expected_tool_trajectory]
    left: Expected = list(enumerate(calls))
    begin = next(iter(live)).at
    found = [_step(step, number, begin, model.now, left) for step, number in _numbered(live)]
    found += [Step(Row(Mark.SAME, call, None, at), True, is_context=True) for at, call in left]
    return found


def _numbered(live: Iterable[LiveStep]) -> Iterator[tuple[LiveStep, int]]:
    """Each step with its number among those of its kind."""
    counts = {True: 0, False: 0}
    for step in live:
        is_tool = step.tool is not None
        yield step, counts[is_tool]
        counts[is_tool] += 1


def _step(step: LiveStep, number: int, begin: float, now: float, left: Expected) -> Step:
    is_open = step.seconds is None
    took = step.seconds if step.seconds is not None else max(0.0, now - step.at)
    return Step(
        _call_row(step, step.tool, number, left) if step.tool else _node_row(step, number),
        step.tool is not None,
        is_context=True,
        is_live=True,
        is_open=is_open,
        at=max(0.0, step.at - begin),
        took=took,
        turn=step.turn,
        node=step.node if step.tool is not None else "",
    )


def _node_row(step: LiveStep, number: int) -> Row[str]:
    return Row(Mark.SAME, None, step.node, None, number)


def _call_row(step: LiveStep, tool: str, number: int, left: Expected) -> Row[ToolCall]:
    actual = ToolCall(name=tool, args=read_args(step.args), error=step.error)
    same = next((entry for entry in left if entry[1].name == tool), None)
    if same is None:
        return Row(Mark.SAME, None, actual, None, number)
    left.remove(same)
    return Row(Mark.SAME, same[1], actual, same[0], number)
