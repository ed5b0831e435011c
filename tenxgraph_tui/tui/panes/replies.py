"""What a model was sent and what it sent back: tolerant of what a result does not hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

from tenxgraph_tui.evaluation.dataset import text_in
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.results import EvalCaseResult

Message = Mapping[str, Any]

LOOKED_AT = 200
"""Messages that are searched for an answer, after the one before it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of a model. `sent` is what the model got, where the target tells it.

    `at` is when it was complete, in Unix seconds. `message` is the answer among the messages of
    the case, `place` where it stands there, `turn` (from 0) that of the conversation.
    """

    index: int
    node: str
    sent: Sequence[object]
    text: str
    names: tuple[str, ...]
    at: float | None
    usage: TokenUsage
    model: str = ""
    message: Message = field(default_factory=dict)
    place: int | None = None
    turn: int | None = None

    @property
    def seen(self) -> list[Message]:
        """The messages that the model got."""
        return [message for message in self.sent if isinstance(message, Mapping)]

    @property
    def said(self) -> str:
        """Its text, also one beside requests for tools, which is no answer."""
        return self.text or message_text(self.message)


def replies_of(result: EvalCaseResult) -> list[Reply]:
    """Every answer of a model in a case, in order, each found again among the messages."""
    messages = result.messages
    turns = list(accumulate(message.get("role") == "user" for message in messages))
    found: list[Reply] = []
    start = 0
    for index, told in enumerate(result.node_responses):
        reply = _reply(index, told)
        near = range(start, min(len(messages), start + LOOKED_AT))
        at = next((at for at in near if _is_it(messages[at], reply)), None)
        if at is not None:
            start, turn = at + 1, turns[at] - 1 if turns[at] else None
            model = reply.model or str(messages[at].get("model") or "")
            reply = replace(reply, message=messages[at], place=at, turn=turn, model=model)
        found.append(reply)
    return found


def _reply(index: int, told: Message) -> Reply:
    at, usage, sent = (told.get(key) for key in ("timestamp", "token_usage", "input_messages"))
    return Reply(
        index,
        str(told.get("node_name") or ""),
        sent if isinstance(sent, list) else (),
        str(told.get("response_text") or ""),
        tuple(map(str, told.get("tool_call_names") or ())),
        float(at) if isinstance(at, int | float) and at else None,
        _usage(usage),
        str(told.get("model") or ""),
    )


def _usage(told: object) -> TokenUsage:
    try:
        return TokenUsage.from_mapping(told if isinstance(told, Mapping) else None)
    except (TypeError, ValueError):
        return TokenUsage()


def _is_it(message: Message, reply: Reply) -> bool:
    if message.get("role") == "tool":
        return False
    asked = tuple(name for name, _ in requests_in(message))
    return asked == reply.names and (bool(asked) or message_text(message) == reply.text)


def message_text(message: Message) -> str:
    """The text of a message; "" where it has none."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return text_in([block for block in content if isinstance(block, dict)])
    return "" if content is None else str(content)


def requests_in(message: Message) -> Iterator[tuple[str, Any]]:
    """The name and the arguments of every tool call that a message asks for."""
    requests = message.get("tool_calls")
    for request in requests if isinstance(requests, Iterable) else ():
        if isinstance(request, Mapping):
            function = request.get("function")
            held = function if isinstance(function, Mapping) else request
            yield str(held.get("name", "")), held.get("arguments", held.get("args"))
