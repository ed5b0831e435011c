"""The messages that flow through a graph, and how two lists of them are compared."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from tenxgraph_tui.graph.blocks import ContentBlock, TextBlock, ToolCallBlock, ToolResultBlock
from tenxgraph_tui.graph.ids import new_id

Role = Literal["user", "assistant", "system", "tool"]


class TokenUsages(BaseModel):
    """Tokens of one model call; cached tokens are part of `prompt_tokens`."""

    model_config = ConfigDict(defer_build=True)

    completion_tokens: int
    prompt_tokens: int
    total_tokens: int
    reasoning_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    image_tokens: int | None = 0
    audio_tokens: int | None = 0


class Message(BaseModel):
    """One message of a conversation.

    `tools_calls` holds requests in OpenAI's style: `{"id", "type": "function", "function":
    {"name", "arguments"}}` with the arguments as JSON text.
    """

    model_config = ConfigDict(defer_build=True)

    message_id: str | int = Field(default_factory=new_id)
    role: Role
    content: Sequence[ContentBlock]
    delta: bool = False
    tools_calls: list[dict[str, Any]] | None = None
    reasoning: str | None = None
    timestamp: float | None = Field(default_factory=time.time)
    metadata: dict[str, Any] = Field(default_factory=dict)
    usages: TokenUsages | None = None
    raw: dict[str, Any] | None = None
    parsed_content: dict[str, Any] | BaseModel | None = None

    @classmethod
    def text_message(cls, content: str, role: Role = "user", message_id: str | None = None) -> Self:
        """A message of one text; note that the role is `user` unless you say otherwise."""
        message = cls(role=role, content=[TextBlock(text=content)])
        return message._named(message_id)

    @classmethod
    def tool_message(
        cls,
        content: Sequence[ContentBlock],
        message_id: str | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Self:
        """A message of role `tool`; `content` holds a `ToolResultBlock` a call."""
        message = cls(role="tool", content=list(content), metadata=meta or {})
        return message._named(message_id)

    def _named(self, message_id: str | None) -> Self:
        if message_id is not None:
            self.message_id = message_id
        return self

    def text(self) -> str:
        """The texts of all blocks, joined; the output of a tool that is no text appears as JSON."""
        return "".join(_text_of(block) for block in self.content)


def _text_of(block: ContentBlock) -> str:
    if isinstance(block, TextBlock):
        return block.text
    if isinstance(block, ToolResultBlock):
        return block.output if isinstance(block.output, str) else json.dumps(block.output)
    return ""


def tool_requests(message: Message) -> list[dict[str, Any]]:
    """The tool calls that a message asks for, in OpenAI's style, wherever they are written."""
    if message.tools_calls:
        return message.tools_calls
    return [
        {"id": b.id, "type": "function", "function": {"name": b.name, "arguments": b.args}}
        for b in message.content
        if isinstance(b, ToolCallBlock)
    ]


def with_input(context: Iterable[Message], new: Iterable[Message]) -> list[Message]:
    """A context with the messages a caller sends; one whose id is there already is not repeated."""
    merged = list(context)
    seen = {message.message_id for message in merged}
    for message in new:
        if message.message_id not in seen:
            seen.add(message.message_id)
            merged.append(message)
    return merged


def added(before: Sequence[Message], after: Sequence[Message]) -> list[Message]:
    """The messages of `after` that are new.

    They are the tail where a context only grew: ids may repeat, as some models' do. In a context
    that was shortened or rearranged, a message is new when neither it nor its id was there before.
    """
    size = len(before)
    if len(after) >= size and all(map(_same, before, after)):
        return list(after[size:])
    objects = {id(message) for message in before}
    ids = {message.message_id for message in before}
    return [m for m in after if id(m) not in objects and m.message_id not in ids]


def _same(one: Message, other: Message) -> bool:
    return one is other or one.message_id == other.message_id
