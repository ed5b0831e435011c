"""Everything about one call: what a model was sent, what it said and what it asked for."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from tenxgraph_tui.evaluation.alignment import Mark
from tenxgraph_tui.evaluation.numbers import plural, seconds, tokens
from tenxgraph_tui.tui.glyphs import BAD, GOOD, MUTED, SAME
from tenxgraph_tui.tui.kit import BLANK, between, clip, join, text
from tenxgraph_tui.tui.panes import states
from tenxgraph_tui.tui.panes.calls import Side
from tenxgraph_tui.tui.panes.chat_lines import (
    ANSWER_LINES,
    Fold,
    beside,
    conversation,
    role_cells,
    said,
    section,
    spent,
)
from tenxgraph_tui.tui.panes.comparison import item
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.node_before import before_lines
from tenxgraph_tui.tui.panes.node_call import Kind, NodeCall
from tenxgraph_tui.tui.panes.replies import Message, Reply
from tenxgraph_tui.tui.panes.rows import mark
from tenxgraph_tui.tui.panes.step import Step
from tenxgraph_tui.tui.panes.step_detail import step_lines

ERROR_LINES = 12
_LATER = "Known when the case has finished."


def call_lines(model: DetailModel, call: NodeCall, width: int, fold: Fold) -> list[Content]:
    """Each at most `width` cells; of what the model was sent as much as `fold` lets."""
    blocks = [block for block in _blocks(model, call, width, fold) if block]
    found: list[Content] = []
    for block in blocks:
        found += [BLANK, *block] if found else block
    return [clip(line, width) for line in found]


def _blocks(model: DetailModel, call: NodeCall, width: int, fold: Fold) -> Iterator[list[Content]]:
    if call.reply is not None:
        yield _sent(model, call.reply, width, fold)
        yield _answered(call.reply, width)
        yield _requested(call, width)
    elif call.kind is Kind.TOOL and call.step is not None:
        yield _tool(model, call.step, width)
    else:
        yield _node(model, call, width)
    yield before_lines(model, call, width)


def _sent(model: DetailModel, reply: Reply, width: int, fold: Fold) -> list[Content]:
    """What the model was sent; where the target does not tell it, what was said before."""
    seen: list[Message] = reply.seen
    title, cached = "Messages in", reply.usage.cache_read_tokens
    facts = [plural(len(seen), "message")]
    if not seen and reply.place is not None and model.result is not None:
        seen = list(model.result.messages[: reply.place])
        title, facts = "Said before", ["the target does not tell what the model was sent"]
    if count := reply.usage.input_tokens:
        facts.append(f"{tokens(count)} tok")
    if cached:
        facts.append(f"{tokens(cached)} cached")
    return [section(title, ", ".join(facts), width), *conversation(seen, width, fold)]


def _answered(reply: Reply, width: int) -> list[Content]:
    """The text of the answer, or what was said beside the requests for tools."""
    value = reply.said
    if not value.strip() and reply.names:
        return []
    title = "Said while calling" if reply.names else "Text out"
    shown = said(str(reply.message.get("role") or "assistant"), value, width, ANSWER_LINES)
    if not value.strip():
        shown = beside("assistant", [text("an empty text", MUTED)], width)
    return [section(title, "" if reply.names else spent(reply), width), *shown]


def _requested(call: NodeCall, width: int) -> list[Content]:
    """The calls that a model asked for, each beside the one that was expected of it."""
    reply = call.reply
    assert reply is not None
    if not call.asked and not reply.names:
        return []
    worst = next((step for step in call.asked if step.diverges), None)
    count = plural(len(reply.names), "call") if reply.names else "no call"
    facts = [text(", ".join([count, spent(reply)]).rstrip(", ") if reply.names else count, MUTED)]
    if worst is not None:
        facts.append(mark(worst.row))
    found = [section("Asked for", between(facts), width)]
    for step in call.asked:
        found += _compared(step, width)
    if len(call.asked) < len(reply.names):
        names = ", ".join(reply.names) if not call.asked else "more than was recorded"
        found += beside("call", [text(names, MUTED)], width)
    return found


def _compared(step: Step, width: int) -> list[Content]:
    """A call that was made, and what was expected instead; or one that was not made."""
    row, room = step.row, max(1, width - role_cells(width))
    made, wanted = Side("", BAD), Side("", GOOD)
    if row.actual is None:
        return beside(row.mark.value, [item(row.expected, room, row, wanted)], width)
    if step.is_context:
        return beside("call", [item(row.actual, room, row, made)], width)
    if row.mark is not Mark.DIFFERS:
        sign = text(SAME, MUTED) if row.mark is Mark.SAME else mark(row)
        shown = item(row.actual, max(1, room - sign.cell_length - 2), row, made).rstrip()
        return beside("call", [join(shown, "  ", sign)], width)
    found = beside("call", [item(row.actual, room, row, made)], width)
    return found + beside("expected", [item(row.expected, room, row, wanted)], width)


def _tool(model: DetailModel, step: Step, width: int) -> list[Content]:
    """The arguments and the result of a tool, as the trajectory shows them."""
    facts = [f"took {seconds(step.took)}" if step.took is not None else ""]
    if step.node:
        facts.insert(0, f"asked for by {step.node}")
    told = text(", ".join(fact for fact in facts if fact), MUTED)
    right = between([told] if step.is_context else [told, mark(step.row)])
    return [section(step.name, right, width), *step_lines(step, 0, model, width)[1:]]


def _node(model: DetailModel, call: NodeCall, width: int) -> list[Content]:
    took = f"took {seconds(call.took)}" if call.took is not None else ""
    found = [section(call.label, took, width)]
    if call.broke and model.result is not None:
        return found + states.error_lines(model.result, width, ERROR_LINES)
    is_live = call.step is not None and call.step.is_live
    told = _LATER if is_live else "No model call was recorded here."
    return [*found, text(told, MUTED)]
