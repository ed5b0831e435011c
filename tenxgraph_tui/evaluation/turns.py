"""A turn as people write it: what is said, what is expected, and where a conversation starts."""

from __future__ import annotations

from typing import Any, ClassVar, Self
from uuid import uuid4

from pydantic import Field

from tenxgraph_tui.evaluation.models import Handwritten
from tenxgraph_tui.evaluation.steps import ToolCall

MARKER_NODES = frozenset({"__start__", "__end__"})
"""Nodes that only mark where a graph begins and ends: they count as no visit."""


def new_id() -> str:
    """The id of what was given none."""
    return str(uuid4())


class MessageContent(Handwritten):
    """A message as people write it: a text, or a list of content blocks."""

    role: str
    content: str | list[dict[str, Any]]
    metadata: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def user(cls, text: str) -> Self:
        """A message with the role `user`."""
        return cls(role="user", content=text)

    @classmethod
    def assistant(cls, text: str) -> Self:
        """A message with the role `assistant`."""
        return cls(role="assistant", content=text)

    def get_text(self) -> str:
        """The content as one text; text blocks are joined with spaces, thoughts left out."""
        return text_in(self.content)


def text_in(content: str | list[dict[str, Any]]) -> str:
    """The text of a message's content, as `MessageContent.get_text` defines it."""
    if isinstance(content, str):
        return content
    texts = (block.get("text") for block in content if not block.get("thought"))
    return " ".join(text for text in texts if isinstance(text, str))


class Invocation(Handwritten):
    """One turn of a conversation: what the user says and what is expected in return."""

    also_called: ClassVar[dict[str, str]] = {
        "query": "user_content",
        "expected_tools": "expected_tool_trajectory",
        "expected_tool_calls": "expected_tool_trajectory",
        "expected_nodes": "expected_node_order",
        "expected_response": "expected_final_response",
        "reference": "expected_final_response",
    }

    invocation_id: str = Field(default_factory=new_id)
    user_content: MessageContent
    expected_tool_trajectory: list[ToolCall] = Field(default_factory=list)
    expected_node_order: list[str] = Field(default_factory=list)
    expected_intermediate_responses: list[MessageContent] = Field(default_factory=list)
    expected_final_response: MessageContent | None = None

    @classmethod
    def simple(
        cls,
        user_query: str,
        expected_response: str | None = None,
        expected_tools: list[ToolCall] | None = None,
        expected_node_order: list[str] | None = None,
    ) -> Self:
        """A turn from plain values; an empty `expected_response` is no expectation."""
        return cls(
            user_content=MessageContent.user(user_query),
            expected_tool_trajectory=expected_tools or [],
            expected_node_order=expected_node_order or [],
            expected_final_response=(
                MessageContent.assistant(expected_response) if expected_response else None
            ),
        )

    def expected_nodes(self) -> list[str]:
        """The expected nodes of this turn, without those that only mark start and end."""
        return [node for node in self.expected_node_order if node not in MARKER_NODES]

    def expected_text(self) -> str | None:
        """The expected answer, or None where none is written down (absent, empty or blank)."""
        text = self.expected_final_response.get_text() if self.expected_final_response else ""
        return text if text.strip() else None


class SessionInput(Handwritten):
    """Where a case starts: the graph's initial `state`, and what is merged into the run config.

    Every attempt has a thread id of its own, unless `config` has `thread_id` and `share_thread`.
    """

    app_name: str = ""
    user_id: str = "test_user"
    state: dict[str, Any] = Field(default_factory=dict)
    config: dict[str, Any] = Field(default_factory=dict)
