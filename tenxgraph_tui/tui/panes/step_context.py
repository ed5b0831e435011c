"""What stood around a step: what was said before it, and what it was in the baseline."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from textual.content import Content

from tenxgraph_tui.evaluation.alignment import Mark
from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.tui.glyphs import FAINT, MUTED, SAME
from tenxgraph_tui.tui.kit import join, text
from tenxgraph_tui.tui.panes.calls import Side, call_line
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.node_calls import node_calls
from tenxgraph_tui.tui.panes.rows import REMEMBERED, mark
from tenxgraph_tui.tui.panes.step import Step
from tenxgraph_tui.tui.panes.steps import timeline
from tenxgraph_tui.tui.words import wrap


def said_before(step: Step, model: DetailModel, room: int, at_most: int) -> list[Content]:
    """What the node said that asked for a call, if it said anything beside that."""
    place = step.row.expected_index, step.row.actual_index
    for call in node_calls(model) if model.result is not None else ():
        asked = ((one.row.expected_index, one.row.actual_index) for one in call.asked)
        if call.reply is not None and call.reply.said.strip() and place in asked:
            told = f"{call.reply.node} said: “{call.reply.said.strip()}”"
            return [text(line) for line in wrap(told, room, at_most)]
    return []


def in_baseline(step: Step, model: DetailModel, room: int) -> list[Content]:
    """The same call in the run that this one is compared with."""
    if model.before is None or not step.is_tool:
        return []
    found = _counterpart(step, model)
    if found is None or not isinstance(found.row.actual, ToolCall):
        return [text(f"there was no {step.name}", MUTED)]
    now = step.row.actual
    if isinstance(now, ToolCall) and now.args == found.row.actual.args:
        note = text(f"   {SAME} as now", FAINT)
    elif found.row.expected is None:
        note = text("")
    elif found.row.mark is Mark.SAME:
        note = text(f"   {SAME} expected", FAINT)
    else:
        note = join("   ", mark(found.row))
    call = call_line(found.row.actual, max(1, room - note.cell_length), (), Side())
    return [join(call[: len(call.plain.rstrip())], note)]


def _counterpart(step: Step, model: DetailModel) -> Step | None:
    """The call beside the same expected one; of one that nobody expected, the one like it."""
    earlier = [one for one in _steps_before(model) if one.is_tool and one.row.actual is not None]
    wanted = step.row.expected_index
    if wanted is not None:
        return next((one for one in earlier if one.row.expected_index == wanted), None)
    alike = [one for one in earlier if one.name == step.name]
    number = _calls_before(step, model)
    return alike[number] if number < len(alike) else None


def _calls_before(step: Step, model: DetailModel) -> int:
    """How many calls of the same tool this run made before a step."""
    calls = model.result.actual_tool_calls if model.result is not None else []
    return sum(call.name == step.name for call in calls[: step.row.actual_index or 0])


@lru_cache(maxsize=REMEMBERED)
def _steps_before(model: DetailModel) -> tuple[Step, ...]:
    return timeline(replace(model, result=model.before, before=None, progress=None)).steps
