"""The single things that an agent does in an attempt: a visit, a call, a turn."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from tenxgraph_tui.evaluation.dataset import StepType, ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.models import built


@dataclass(slots=True)
class Visit:
    """A stay in a node; `step` tells a repeat of the same visit from a new one."""

    node: str
    step: object
    turn: int
    at: float
    began: float
    seconds: float | None = None
    tokens: int = 0

    def to_step(self) -> TrajectoryStep:
        return built(
            TrajectoryStep,
            step_type=StepType.NODE,
            name=self.node,
            args={},
            timestamp=self.at,
            metadata={"turn": self.turn, "seconds": self.seconds, "tokens": self.tokens},
        )


@dataclass(slots=True)
class Call:
    """One request for a tool, the `number`-th of all.

    `message` counts the messages that asked, `visit` is where it ran.
    """

    name: str
    args: dict[str, Any]
    call_id: str | None
    node: str
    turn: int
    at: float
    message: int
    visit: int
    number: int
    began: float | None = None
    seconds: float | None = None
    result: Any = None
    error: str | None = None

    def to_tool_call(self) -> ToolCall:
        return built(
            ToolCall,
            name=self.name,
            args=self.args,
            call_id=self.call_id,
            result=self.result,
            error=self.error,
        )

    def to_step(self) -> TrajectoryStep:
        metadata: dict[str, Any] = {"node": self.node, "turn": self.turn, "seconds": self.seconds}
        if self.error is not None:
            metadata["error"] = self.error
        return built(
            TrajectoryStep,
            step_type=StepType.TOOL,
            name=self.name,
            args=self.args,
            timestamp=self.at,
            metadata=metadata,
        )


@dataclass(slots=True)
class Turn:
    """What one turn brought."""

    user_text: str
    began: float
    response: str = ""
    ended: float | None = None
    visits: list[str] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        return (self.ended if self.ended is not None else time.monotonic()) - self.began
