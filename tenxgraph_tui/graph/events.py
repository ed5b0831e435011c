"""The events that publishers receive while a graph runs."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from enum import StrEnum
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from tenxgraph_tui.graph.blocks import ContentBlock
from tenxgraph_tui.graph.ids import new_id


class Event(StrEnum):
    """What an event is about."""

    GRAPH_EXECUTION = "graph_execution"
    NODE_EXECUTION = "node_execution"
    LLM_CALL = "llm_call"
    TOOL_EXECUTION = "tool_execution"
    STREAMING = "streaming"
    REALTIME = "realtime"


class EventType(StrEnum):
    """The phase that an event marks."""

    START = "start"
    PROGRESS = "progress"
    RESULT = "result"
    END = "end"
    UPDATE = "update"
    ERROR = "error"
    INTERRUPTED = "interrupted"


class ContentType(StrEnum):
    """What an event carries."""

    TEXT = "text"
    MESSAGE = "message"
    REASONING = "reasoning"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    IMAGE = "image"
    AUDIO = "audio"
    TRANSCRIPT = "transcript"
    VIDEO = "video"
    DOCUMENT = "document"
    DATA = "data"
    STATE = "state"
    UPDATE = "update"
    ERROR = "error"


class EventModel(BaseModel):
    """One event of a run. `run_id` and `thread_id` say whose it is; `timestamp` is Unix seconds."""

    model_config = ConfigDict(use_enum_values=True, defer_build=True)

    event: Event
    event_type: EventType
    content: str = ""
    content_blocks: list[ContentBlock] | None = None
    data: dict[str, Any] = Field(default_factory=dict)
    content_type: list[ContentType] | None = None
    node_name: str = ""
    run_id: str = Field(default_factory=new_id)
    thread_id: str | int = ""
    user_id: str | int | None = None
    timestamp: float = Field(default_factory=time.time)
    is_error: bool = False
    metadata: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def default(
        cls,
        base_config: dict[str, Any],
        data: dict[str, Any],
        content_type: list[ContentType],
        event: Event = Event.GRAPH_EXECUTION,
        event_type: EventType = EventType.START,
        node_name: str = "",
        extra: dict[str, Any] | None = None,
    ) -> Self:
        """An event whose run, thread and user are those of `base_config`; `extra` is metadata."""
        return cls(
            event=event,
            event_type=event_type,
            content_type=content_type,
            data=data,
            node_name=node_name,
            run_id=base_config.get("run_id", ""),
            thread_id=base_config.get("thread_id", ""),
            user_id=base_config.get("user_id"),
            metadata={
                "run_timestamp": base_config.get("timestamp", ""),
                "is_stream": base_config.get("is_stream", False),
                **(extra or {}),
            },
        )


class BasePublisher(ABC):
    """Receives events; `config` is whatever the subclass needs."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.config = config

    @abstractmethod
    async def publish(self, event: EventModel) -> Any:
        """Take one event."""

    @abstractmethod
    async def close(self) -> None:
        """Release what the publisher holds."""

    @abstractmethod
    def sync_close(self) -> None:
        """The same for callers without an event loop."""
