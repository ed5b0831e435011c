"""Messages of the embedded graph as the dicts that cross the port, and back."""

from __future__ import annotations

import json
from typing import Any

from tenxgraph_tui.adapters.port import MessageDict
from tenxgraph_tui.graph.blocks import ContentBlock, TextBlock, ToolResultBlock
from tenxgraph_tui.graph.exceptions import GraphError
from tenxgraph_tui.graph.messages import Message, TokenUsages, tool_requests


def to_dicts(message: Message) -> list[MessageDict]:
    """One dict, or for a tool message one for each result in it."""
    results = [block for block in message.content if isinstance(block, ToolResultBlock)]
    if message.role == "tool" and results:
        return [_tool_dict(message, result) for result in results]
    content = "".join(block.text for block in message.content if isinstance(block, TextBlock))
    found: MessageDict = {
        "id": str(message.message_id),
        "role": message.role,
        "content": content,
    }
    if requests := tool_requests(message):
        found["tool_calls"] = requests
    if message.role == "tool":
        found["tool_call_id"] = message.metadata.get("tool_call_id")
    if model := _model_of(message):
        found["model"] = model
    return [found]


def content_of(message: Message) -> tuple[object, ...]:
    """All of a message that a node may change in place."""
    said = [b.text if type(b) is TextBlock else vars(b).get("output") for b in message.content]
    return said, message.content, message.tools_calls, message.role


def _model_of(message: Message) -> str:
    """The model that gave an answer, where its node or the raw answer of its API tells."""
    named = message.metadata.get("model") or (message.raw or {}).get("model")
    return named if isinstance(named, str) else ""


def _tool_dict(message: Message, result: ToolResultBlock) -> MessageDict:
    output = result.output
    found: MessageDict = {
        "id": str(message.message_id),
        "role": "tool",
        "content": output if isinstance(output, str) else json.dumps(output, default=repr),
        "tool_call_id": result.call_id,
    }
    return {**found, "is_error": True} if result.is_error else found


def from_dict(message: MessageDict) -> Message:
    """The graph's message for one of the port.

    Raises:
        GraphError: it holds no text, only what the embedded graph has no block for.
    """
    found = Message(role=message["role"], content=_blocks(message))
    if message.get("id"):
        found.message_id = message["id"]
    if message.get("tool_calls"):
        found.tools_calls = list(message["tool_calls"])
    return found


def _blocks(message: MessageDict) -> list[ContentBlock]:
    content = message.get("content")
    if message["role"] == "tool":
        failed = bool(message.get("is_error"))
        call_id = str(message.get("tool_call_id") or "")
        return [ToolResultBlock(call_id=call_id, output=content, is_error=failed)]
    parts = content if isinstance(content, list) else [{"type": "text", "text": content or ""}]
    texts = [text for part in parts if (text := _text(part)) is not None]
    if parts and not texts:
        kinds = ", ".join(map(repr, other_blocks(message)))
        raise GraphError(
            f"the embedded graph takes text only, and the message holds a block {kinds}"
        )
    return [TextBlock(text=text) for text in texts]


def other_blocks(message: MessageDict) -> list[str]:
    """The kinds of those blocks of a message that the embedded graph cannot take."""
    content = message.get("content")
    parts = content if isinstance(content, list) and message["role"] != "tool" else []
    return [
        str(part.get("type") if isinstance(part, dict) else type(part).__name__)
        for part in parts
        if _text(part) is None
    ]


def _text(part: Any) -> str | None:
    if isinstance(part, str):
        return part
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else None


def usage_of(usages: TokenUsages | None) -> dict[str, int] | None:
    """Tokens under the names of `TokenUsage`."""
    if usages is None:
        return None
    return {
        "input_tokens": usages.prompt_tokens,
        "output_tokens": usages.completion_tokens,
        "cache_read_tokens": usages.cache_read_input_tokens,
        "cache_creation_tokens": usages.cache_creation_input_tokens,
    }
