"""The steps of an agent: tool calls and visits, as they are expected and as they are recorded."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Self

from pydantic import Field, field_validator

from tenxgraph_tui.evaluation.matching import hashed, parse_args, same_args, same_value
from tenxgraph_tui.evaluation.models import Handwritten, PublicModel


class StepType(StrEnum):
    """What one step of a trajectory is; only nodes and tools are recorded."""

    NODE = "node"
    TOOL = "tool"
    MESSAGE = "message"
    CONDITIONAL = "conditional"


class ToolCall(Handwritten):
    """One call of a tool: expected in a file, or recorded from a run.

    `error` is set on recorded calls that raised, timed out or named an unknown tool. Equality and
    hash look at name and arguments only.
    """

    name: str
    args: dict[str, Any] = Field(default_factory=dict)
    call_id: str | None = None
    result: Any | None = None
    error: str | None = Field(default=None, exclude_if=lambda error: error is None)

    @field_validator("args", mode="before")
    @classmethod
    def _text_is_parsed_once(cls, args: Any) -> dict[str, Any]:
        return parse_args(args)

    def matches(
        self, other: ToolCall, check_args: bool = True, check_call_id: bool = False
    ) -> bool:
        """Whether `other` is the call that this one, the expected one, asks for.

        Expected arguments `{}` accept any; see `same_value` for numbers, lists and keys.
        """
        return (
            self.name == other.name
            and (not check_args or same_args(self.args, other.args))
            and (not check_call_id or self.call_id == other.call_id)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ToolCall):
            return NotImplemented
        return self.name == other.name and same_value(self.args, other.args)

    def __hash__(self) -> int:
        return hash((self.name, hashed(self.args)))


class TrajectoryStep(PublicModel):
    """One step an agent took. `timestamp` is in Unix seconds.

    Recorded steps carry `turn` (from 0), `node`, `seconds` (how long it took) and, where there is
    one, `error` in `metadata`.
    """

    step_type: StepType
    name: str
    args: dict[str, Any] = Field(default_factory=dict)
    timestamp: float | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def node(cls, name: str, timestamp: float | None = None, **metadata: Any) -> Self:
        """A visit of a node at `timestamp`, in Unix seconds."""
        return cls(step_type=StepType.NODE, name=name, timestamp=timestamp, metadata=metadata)

    @classmethod
    def tool(
        cls,
        name: str,
        args: dict[str, Any] | None = None,
        timestamp: float | None = None,
        **metadata: Any,
    ) -> Self:
        """A tool call at `timestamp`, in Unix seconds."""
        return cls(
            step_type=StepType.TOOL,
            name=name,
            args=args or {},
            timestamp=timestamp,
            metadata=metadata,
        )
