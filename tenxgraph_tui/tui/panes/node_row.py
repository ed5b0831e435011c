"""One row of the list of calls: who, how long, what went in and out, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.numbers import seconds, tokens
from tenxgraph_tui.tui.glyphs import ACCENT, ERROR, MUTED, NOTHING, RUNNING, WARN
from tenxgraph_tui.tui.kit import cell, join, text
from tenxgraph_tui.tui.panes.node_call import Kind, NodeCall
from tenxgraph_tui.tui.panes.rows import mark, mark_cells, name_of
from tenxgraph_tui.tui.panes.step import Step
from tenxgraph_tui.tui.words import cells as width_of
from tenxgraph_tui.tui.words import clean, shorten

NAME, TOOK, COUNT = 8, 7, 3
ASKS = "→"
COUNTS_FROM, TOOK_FROM = 30, 20


@dataclass(frozen=True, slots=True)
class Columns:
    """How wide each column is; 0 where it is not shown."""

    name: int
    took: int
    sent: int
    out: int
    rest: int

    @classmethod
    def of(cls, calls: Sequence[NodeCall], width: int) -> Columns:
        """The columns of a list of `width` cells; what came of a call gets what is left."""
        longest = max((width_of(clean(call.name)) for call in calls), default=0) + 2
        name = min(max(NAME, longest), max(NAME, width // 3), width)
        took = TOOK if width >= TOOK_FROM else 0
        sent, out = _counts(calls) if width >= COUNTS_FROM else (0, 0)
        return cls(name, took, sent, out, max(0, width - name - took - sent - out - 2))


def _counts(calls: Sequence[NodeCall]) -> tuple[int, int]:
    """The cells for tokens in and out: as many as the totals need, and a gap."""
    total = spent_by(calls)
    counts = (total.input_tokens, total.output_tokens)
    sent, out = (max(COUNT, len(tokens(count)) + 2) for count in counts)
    return sent, out


def spent_by(calls: Sequence[NodeCall]) -> TokenUsage:
    """The tokens of all model calls together."""
    return sum((call.reply.usage for call in calls if call.reply is not None), TokenUsage())


def head(columns: Columns) -> Content:
    return join(
        cell("node", columns.name, MUTED),
        cell("took", columns.took, MUTED, align="right"),
        cell("in", columns.sent, MUTED, align="right"),
        cell("out", columns.out, MUTED, align="right"),
    )


def row(call: NodeCall, columns: Columns) -> Content:
    """`MAIN 2  480ms  128  27  → get_forecast  ≠ city`."""
    style = MUTED if call.kind is Kind.TOOL else ""
    usage = call.reply.usage if call.reply is not None else TokenUsage()
    return join(
        _named(call, columns.name, style),
        cell(_took(call), columns.took, MUTED, align="right"),
        cell(_count(usage.input_tokens), columns.sent, style, align="right"),
        cell(_count(usage.output_tokens), columns.out, style, align="right"),
        "  " if columns.rest else "",
        _what(call, columns.rest),
    )


def total(calls: Sequence[NodeCall], took: float, columns: Columns) -> Content:
    usage = spent_by(calls)
    return join(
        cell("total", columns.name, "bold"),
        cell(seconds(took), columns.took, "bold", align="right"),
        cell(_count(usage.input_tokens), columns.sent, "bold", align="right"),
        cell(_count(usage.output_tokens), columns.out, "bold", align="right"),
    )


def _named(call: NodeCall, cells: int, style: str) -> Content:
    """The number stays when the name is cut."""
    number = f" {call.number}"
    name = shorten(clean(call.label), max(0, cells - len(number) - 1), "middle")
    return cell(f"{name}{number}", cells, style)


def _took(call: NodeCall) -> str:
    return seconds(call.took) if call.took is not None else NOTHING


def _count(count: int) -> str:
    return tokens(count) if count else NOTHING


def _what(call: NodeCall, cells: int) -> Content:
    """What a model asked for or which tool ran; what is wrong with it keeps its room."""
    shown, wrong = _news(call)
    room = cells - wrong.cell_length - 2 if wrong else cells
    if room < 1:
        return wrong
    told = shorten(clean(shown), room)
    return join(text(told, MUTED), "  " if told and wrong else "", wrong)


def _news(call: NodeCall) -> tuple[str, Content]:
    if call.broke:
        return "", text(f"{ERROR} broke off here", WARN)
    if call.kind is Kind.MODEL and call.reply is not None:
        asked = f"{ASKS} {', '.join(call.reply.names)}" if call.reply.names else "answers"
        return asked, _wrong(call.asked)
    step = call.step
    if step is not None and step.is_open:
        return step.name if step.is_tool else "", text(f"{RUNNING} now", ACCENT)
    if call.kind is Kind.NODE or step is None:
        return "" if step is not None and step.is_live else "no model call", text("")
    happened = step.row.actual
    failed = isinstance(happened, ToolCall) and happened.error
    return step.name, text(f"{ERROR} error", WARN) if failed else text("")


def _wrong(asked: Sequence[Step]) -> Content:
    """The mark of the first call that costs, with the name of one that was not made."""
    first = next((step for step in asked if step.diverges), None)
    if first is None:
        return text("")
    if first.row.actual is None:
        return join(mark(first.row), " ", text(name_of(first.row), MUTED))
    return mark(first.row, mark_cells(first.row))
