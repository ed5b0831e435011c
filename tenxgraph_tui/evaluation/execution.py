"""What a target did in one case, and the port through which it is run."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Protocol

from pydantic import BeforeValidator, Field, PlainSerializer

from tenxgraph_tui.evaluation.dataset import EvalCase, StepType, ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.models import PublicModel

if TYPE_CHECKING:
    from tenxgraph_tui.evaluation.recorder import Recorder


@dataclass(slots=True)
class TokenUsage:
    """Tokens of model calls. The total is input + output; cached tokens are part of the input."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_creation_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        """Input plus output."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: TokenUsage) -> TokenUsage:
        return TokenUsage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_creation_tokens + other.cache_creation_tokens,
        )

    def to_dict(self) -> dict[str, int]:
        """The four counts and `total_tokens`."""
        return {
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cache_read_tokens": self.cache_read_tokens,
            "cache_creation_tokens": self.cache_creation_tokens,
            "total_tokens": self.total_tokens,
        }

    @classmethod
    def from_mapping(cls, counts: Mapping[str, Any] | None) -> TokenUsage:
        """From any mapping with these keys; what is missing, null or no count of things is 0."""
        counts = counts or {}
        return cls(
            _count(counts.get("input_tokens")),
            _count(counts.get("output_tokens")),
            _count(counts.get("cache_read_tokens")),
            _count(counts.get("cache_creation_tokens")),
        )


def _count(value: Any) -> int:
    """Models say -1 or NaN of tokens that they cannot tell, and some say numbers as text."""
    if not value:
        return 0
    try:
        return max(int(value), 0)
    except (TypeError, ValueError, OverflowError):
        return 0


def _usage(value: Any) -> Any:
    return TokenUsage.from_mapping(value) if isinstance(value, Mapping) else value


Usage = Annotated[TokenUsage, BeforeValidator(_usage), PlainSerializer(TokenUsage.to_dict)]
"""A `TokenUsage` field of a model; in JSON it carries `total_tokens` too."""


class NodeResponseData(PublicModel):
    """One model call of a node.

    `response_text` is empty when the model asked for tools; what it said beside them stays in
    `messages`. `timestamp` is the Unix time at which the answer was complete. `model` is the name
    of the model, where the target tells it.
    """

    node_name: str = ""
    input_messages: list[dict[str, Any]] = Field(default_factory=list)
    response_text: str = ""
    has_tool_calls: bool = False
    tool_call_names: list[str] = Field(default_factory=list)
    is_final: bool = False
    timestamp: float = 0.0
    token_usage: Usage = Field(default_factory=TokenUsage)
    model: str = ""


class TurnExecution(PublicModel):
    """What one turn brought: its answer, its tool calls and the nodes it visited."""

    user_text: str = ""
    response: str = ""
    tool_calls: list[ToolCall] = Field(default_factory=list)
    node_visits: list[str] = Field(default_factory=list)
    duration_seconds: float = 0.0


class ExecutionResult(PublicModel):
    """What a target did in one case; every criterion gets it as `actual`.

    Tool calls are in the order of their requests, also those that failed; `messages` holds each
    message once, the final answer included. `duration_seconds` leaves out scoring and waiting.
    `turns` holds the same evidence turn by turn; a result made by hand may leave it empty.
    """

    tool_calls: list[ToolCall] = Field(default_factory=list)
    trajectory: list[TrajectoryStep] = Field(default_factory=list)
    messages: list[dict[str, Any]] = Field(default_factory=list)
    actual_response: str = ""
    node_responses: list[NodeResponseData] = Field(default_factory=list)
    node_visits: list[str] = Field(default_factory=list)
    duration_seconds: float = 0.0
    turns: list[TurnExecution] = Field(default_factory=list)

    @property
    def token_usage(self) -> TokenUsage:
        """The sum over `node_responses`."""
        return sum((reply.token_usage for reply in self.node_responses), TokenUsage())

    @property
    def tool_trajectory(self) -> list[TrajectoryStep]:
        """The tool steps of the trajectory."""
        return [step for step in self.trajectory if step.step_type is StepType.TOOL]

    def get_tool_names(self) -> list[str]:
        """The names of the called tools, in the order in which they were requested."""
        return [call.name for call in self.tool_calls]

    def responses(self) -> list[str]:
        """The answer of every turn; the final one alone where turns were not recorded."""
        return [turn.response for turn in self.turns] or [self.actual_response]

    def to_dict(self) -> dict[str, Any]:
        """Deprecated: use `model_dump()`."""
        warnings.warn("to_dict() is deprecated, use model_dump()", DeprecationWarning, stacklevel=2)
        return self.model_dump()


class Target(Protocol):
    """Something that can be evaluated, however it is reached."""

    async def run(self, case: EvalCase, recorder: Recorder) -> ExecutionResult:
        """Hold the conversation of `case`, tell `recorder` what happens, and return its evidence.

        Whatever it raises becomes the case's error; what was recorded until then is kept.
        """


class TargetSource(Protocol):
    """Where a target comes from; asked once a loop, so that loop-bound clients are made anew."""

    def load(self, *, afresh: bool = False) -> None:
        """Import what is needed, on the main thread; `afresh` imports the project's modules again.

        Raises:
            TargetError: it cannot be imported.
        """

    async def open(self) -> Target:
        """The target for the running loop.

        Raises:
            TargetError: it cannot be built or is nothing that can be evaluated.
        """

    @property
    def reloads(self) -> bool:
        """Whether `load(afresh=True)` gives a new target rather than the same object."""
