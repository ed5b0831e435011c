"""The port between the evaluation and any agent: who runs a turn, and who is told what happened.

Messages that cross the port are plain dicts in the style of OpenAI's chat format:
`{"id", "role", "content"}`, plus `tool_calls` (`[{"id", "type": "function", "function":
{"name", "arguments"}}]`, arguments as JSON text or a dict) on requests of an assistant,
`tool_call_id` on tool messages, and `model` on an answer whose model is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

MessageDict = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a turn gave back.

    `messages` are the new messages of the turn, for targets without memory that get the whole
    history on the next one. The final text is read from what the observer was told.
    """

    messages: tuple[MessageDict, ...] = ()


class Observer(Protocol):
    """Told what an agent does in one attempt, while it does it; any thread may call it."""

    @property
    def run_id(self) -> str:
        """The id that the attempt's run config carries as `run_id`."""

    def visit(self, node: str, step: object = None) -> None:
        """A node was entered. A repeat with the same `step` is the same visit."""

    def step_started(
        self,
        node: str,
        *,
        tool: str | None = None,
        args: Mapping[str, Any] | None = None,
        call_id: str | None = None,
    ) -> None:
        """A node, or a tool in it, begins to work: for live views and for the time it took."""

    def message(
        self,
        node: str,
        message: MessageDict,
        *,
        usage: Mapping[str, int] | None = None,
        seen: Sequence[MessageDict] = (),
        aside: bool = False,
    ) -> None:
        """A node produced `message`; `usage` are the tokens of the model call, `seen` its input.

        `usage` has the keys of `TokenUsage`. Tool requests in the message open one record each. An
        `aside` is what a model said to the agent alone: it is no answer and asks for no tool.
        """

    def outcome(
        self,
        call_id: str | None,
        name: str,
        args: Mapping[str, Any],
        *,
        result: Any = None,
        error: str | None = None,
        node: str = "",
    ) -> None:
        """A tool call ended: fills the oldest open record with that id and name, or opens one."""

    def warn(self, text: str) -> None:
        """Something a person should know that changes no verdict."""


class Runnable(Protocol):
    """An agent that can answer one turn."""

    @property
    def has_memory(self) -> bool:
        """Whether earlier turns are kept under `config["thread_id"]`; else it gets the history."""

    async def invoke(
        self,
        messages: Sequence[MessageDict],
        config: Mapping[str, Any],
        observer: Observer,
        state: Mapping[str, Any],
    ) -> Answer:
        """Answer `messages`. `state` is the initial state, empty after the first turn."""


CURRENT: ContextVar[Observer | None] = ContextVar("tenxgraph_tui_attempt", default=None)
RUN_PREFIX = "tenx-"
_by_run_id: dict[str, Observer] = {}


def enrol(observer: Observer) -> None:
    """Let events that carry the observer's run id find it."""
    _by_run_id[observer.run_id] = observer


def dismiss(observer: Observer) -> None:
    _by_run_id.pop(observer.run_id, None)


def observer_of(run_id: object = None) -> Observer | None:
    """Whose event this is: by its run id where that is one of ours, else by the current context.

    An id of ours that is no longer enrolled belongs to an attempt that has ended; its late events
    belong to nobody, even if the current context is another attempt's.
    """
    if isinstance(run_id, str) and run_id.startswith(RUN_PREFIX):
        return _by_run_id.get(run_id)
    return CURRENT.get()
