"""The blocks that the content of a message is made of."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Block(BaseModel):
    model_config = ConfigDict(defer_build=True)


class TextBlock(_Block):
    """Plain text."""

    type: Literal["text"] = "text"
    text: str


class ToolCallBlock(_Block):
    """A request for a tool, as content; `Message.tools_calls` says the same in OpenAI's style."""

    type: Literal["tool_call"] = "tool_call"
    id: str
    name: str
    args: dict[str, Any] = Field(default_factory=dict)


class ToolResultBlock(_Block):
    """What a tool gave back: any JSON value, or the text of the error when `is_error` is true."""

    type: Literal["tool_result"] = "tool_result"
    call_id: str
    output: Any = None
    is_error: bool = False
    status: Literal["completed", "failed"] | None = None


class ErrorBlock(_Block):
    """Something that went wrong, for people to read; it is no part of `Message.text()`."""

    type: Literal["error"] = "error"
    message: str
    code: str | None = None
    data: dict[str, Any] | None = None


ContentBlock = Annotated[
    TextBlock | ToolCallBlock | ToolResultBlock | ErrorBlock, Field(discriminator="type")
]
