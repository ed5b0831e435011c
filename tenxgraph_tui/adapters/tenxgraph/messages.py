"""Messages of 10xGraph as those of the embedded runtime, and those of the port as 10xGraph's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from tenxgraph.core.state import Message as TheirMessage

from tenxgraph_tui.adapters.port import MessageDict
from tenxgraph_tui.adapters.replies import value_in
from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.graph.blocks import ContentBlock, TextBlock, ToolCallBlock, ToolResultBlock
from tenxgraph_tui.graph.messages import Message, TokenUsages


def ours(message: Any) -> Message:
    """The embedded runtime's message that says the same; media and thoughts are left out."""
    usages = message.usages
    return Message(
        message_id=message.message_id,
        role=message.role,
        content=[block for each in message.content if (block := _block(each)) is not None],
        tools_calls=message.tools_calls or None,
        metadata=dict(message.metadata or {}),
        usages=TokenUsages.model_validate(usages.model_dump()) if usages is not None else None,
        raw=message.raw,
    )


def _block(block: Any) -> ContentBlock | None:
    match block.type:
        case "text":
            return TextBlock(text=block.text)
        case "tool_call":
            return ToolCallBlock(id=block.id, name=block.name, args=block.args)
        case "tool_result":
            return ToolResultBlock(
                call_id=block.call_id, output=block.output, is_error=bool(block.is_error)
            )
    return None


def theirs(message: MessageDict) -> Any:
    """10xGraph's message for one of the port; the graph gives it an id of its own kind.

    Raises:
        TargetError: it holds a block that 10xGraph has none for.
    """
    content = message.get("content") or ""
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    role = message["role"]
    try:
        return TheirMessage.model_validate({"role": role, "content": [*map(_part, parts)]})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise TargetError(
            f"10xGraph takes no such message of the {role}: {where}: {first['msg']}"
        ) from error


MEDIA = frozenset({"image", "audio", "video", "document"})


def _part(part: Any) -> Any:
    """A content block in 10xGraph's words: texts, and what is written with a `url` of its own."""
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if not isinstance(part, Mapping):
        return part
    kind = part.get("type", "text")
    if kind == "image_url":  # as OpenAI writes it
        image = part.get("image_url")
        return _media("image", image.get("url") if isinstance(image, Mapping) else image)
    if kind in MEDIA and "media" not in part and "url" in part:
        return _media(kind, part["url"])
    return {**part, "type": kind}


def _media(kind: str, url: Any) -> dict[str, Any]:
    return {"type": kind, "media": {"kind": "url", "url": url}}


def result_of(output: Any) -> tuple[Any, str | None]:
    """The value that a tool returned, and the text of its error where it says that it failed."""
    if isinstance(output, TheirMessage):
        results = [block for block in output.content if block.type == "tool_result"]
        values = [_value(block.output) for block in results]
        if not values:
            return output.text(), None
        value = values[0] if len(values) == 1 else values
        return value, str(value) if any(block.is_error for block in results) else None
    if type(output).__name__ == "ToolResult" and hasattr(output, "message"):
        value = output.message
        return value, str(value) if getattr(output, "is_error", False) else None
    return output, None


def _value(output: Any) -> Any:
    """What is in the output of a result: of a tool server's one text block, the value in it."""
    if isinstance(output, list) and len(output) == 1 and isinstance(output[0], Mapping):
        block = output[0]
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            return value_in(block["text"])
    return output
