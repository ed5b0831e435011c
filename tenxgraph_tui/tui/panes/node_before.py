"""A call beside the same call in the baseline."""

from __future__ import annotations

from textual.content import Content

from tenxgraph_tui.evaluation.numbers import seconds
from tenxgraph_tui.tui.glyphs import MUTED
from tenxgraph_tui.tui.kit import text
from tenxgraph_tui.tui.panes.calls import Side
from tenxgraph_tui.tui.panes.chat_lines import (
    ANSWER_LINES,
    beside,
    role_cells,
    said,
    section,
    spent,
)
from tenxgraph_tui.tui.panes.comparison import item
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.node_call import Kind, NodeCall
from tenxgraph_tui.tui.panes.node_calls import calls_before, counterpart
from tenxgraph_tui.tui.panes.replies import Reply
from tenxgraph_tui.tui.panes.step import Step

UNMARKED = Side("", "")
"""A baseline is nothing to be marked: it is what a call is seen beside."""


def before_lines(model: DetailModel, call: NodeCall, width: int) -> list[Content]:
    """What the call was in the baseline; empty where its result is not there."""
    if model.before is None or model.before_number is None or call.kind is Kind.NODE:
        return []
    title = f"Same call in #{model.before_number}"
    other = counterpart(call, calls_before(model))
    if other is None:
        return [section(title, "", width), text(f"There was no {call.name}.", MUTED)]
    if other.reply is not None and call.reply is not None:
        return _reply(title, call, other.reply, _made(other), width)
    if other.step is not None and call.step is not None:
        return _tool(title, call.step, other.step, width)
    return []


def _made(call: NodeCall) -> list[Step]:
    return [step for step in call.asked if step.row.actual is not None]


def _reply(title: str, call: NodeCall, reply: Reply, made: list[Step], width: int) -> list[Content]:
    found = [section(title, spent(reply), width)]
    is_same = call.reply is not None and reply.said == call.reply.said
    if is_same and _calls(made) == _calls(_made(call)):
        return [*found, text("It said and asked for the same.", MUTED)]
    if reply.said.strip():
        found += said("assistant", reply.said, width, ANSWER_LINES)
    for step in made:
        found += beside("call", [_call(step, width)], width)
    return found


def _calls(steps: list[Step]) -> list[object]:
    return [step.row.actual for step in steps]


def _tool(title: str, now: Step, then: Step, width: int) -> list[Content]:
    facts = [f"took {seconds(then.took)}"] if then.took is not None else []
    if then.row.actual == now.row.actual:
        facts.append("same arguments")
    found = [section(title, ", ".join(facts), width)]
    return found + beside("call", [_call(then, width)], width)


def _call(step: Step, width: int) -> Content:
    return item(step.row.actual, max(1, width - role_cells(width)), step.row, UNMARKED)
