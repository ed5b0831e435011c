"""Messages as people write a conversation: who it is at the left, what was said beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.numbers import plural, tokens
from tenxgraph_tui.tui.glyphs import ELLIPSIS, MUTED, WARN
from tenxgraph_tui.tui.kit import Part, cell, clip, join, spread, text
from tenxgraph_tui.tui.panes.calls import call_line
from tenxgraph_tui.tui.panes.replies import Message, Reply, message_text, requests_in
from tenxgraph_tui.tui.words import shorten, wrap

ROLE = 11
ANSWER_LINES = 40
"""Of what a model said; a message it was sent gets fewer."""


@dataclass(frozen=True, slots=True)
class Fold:
    """How much of a conversation is drawn: lines of a message, and messages at both ends."""

    lines: int
    first: int
    last: int


def section(title: str, right: Part, width: int) -> Content:
    """The title of a part, with facts at the right as far as there is room for them."""
    name = clip(text(title, "bold"), width)
    facts = text(right, MUTED) if isinstance(right, str) else right
    return spread(name, clip(facts, width - name.cell_length - 2), width)


def spent(reply: Reply) -> str:
    """`27 tok, gpt-4o-mini`, as far as it is known."""
    out = reply.usage.output_tokens
    return ", ".join(part for part in (f"{tokens(out)} tok" if out else "", reply.model) if part)


def role_cells(width: int) -> int:
    """The width of the column of roles."""
    return min(ROLE, max(0, width // 3))


def beside(label: str, lines: Iterable[Content], width: int) -> list[Content]:
    """Lines in a column, the label beside the first of them."""
    column = role_cells(width)
    return [
        clip(join(cell(label if at == 0 else "", column, MUTED), line), width)
        for at, line in enumerate(lines)
    ]


def said(label: str, value: str, width: int, at_most: int, style: str = "") -> list[Content]:
    """A text beside its label, in at most `at_most` lines; the last one says that there is more."""
    room = max(1, width - role_cells(width))
    found = wrap(value, room, at_most + 1)
    if len(found) > at_most:
        last = shorten(found[at_most - 1], max(0, room - 2)).rstrip(f"{ELLIPSIS} ")
        found = [*found[: at_most - 1], f"{last} {ELLIPSIS}"]
    return beside(label, [text(line, style) for line in found], width)


def conversation(messages: Sequence[Message], width: int, fold: Fold) -> list[Content]:
    """All messages, or how they began and ended where there are too many."""
    left_out = len(messages) - fold.first - fold.last
    if left_out <= 1:
        return [line for message in messages for line in _lines(message, width, fold.lines)]
    first, last = messages[: fold.first], messages[-fold.last :]
    return [
        *(line for message in first for line in _lines(message, width, fold.lines)),
        *beside("", [text(f"{ELLIPSIS} {plural(left_out, 'message')} between", MUTED)], width),
        *(line for message in last for line in _lines(message, width, fold.lines)),
    ]


def _lines(message: Message, width: int, at_most: int) -> Iterator[Content]:
    """What one message says, then the calls that it asks for."""
    role = str(message.get("role") or "")
    value = message_text(message)
    style = MUTED if role == "system" else WARN if message.get("is_error") else ""
    if value.strip():
        yield from said(role, value, width, at_most, style)
        role = ""
    room = max(1, width - role_cells(width))
    calls = [call_line(asked_for(*request), room) for request in requests_in(message)]
    yield from beside(role, calls or ([text("–", MUTED)] if role else []), width)


def asked_for(name: str, arguments: object) -> ToolCall:
    """A request as a call; arguments that are none are shown as they are."""
    if isinstance(arguments, str | dict):
        try:
            return ToolCall.model_validate({"name": name, "args": arguments})
        except ValueError:
            pass
    return ToolCall(name=name, args={} if arguments is None else {"arguments": arguments})
