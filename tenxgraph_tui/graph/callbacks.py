"""Callbacks around every call of a node or a tool, and the registry that a graph asks for them."""

from __future__ import annotations

import inspect
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from tenxgraph_tui.graph.lifecycle import GraphLifecycleContext, GraphLifecycleHook
from tenxgraph_tui.graph.messages import Message
from tenxgraph_tui.graph.state import AgentState, StateT

__all__ = [
    "AfterInvokeCallback",
    "BeforeInvokeCallback",
    "CallbackContext",
    "CallbackManager",
    "GraphLifecycleContext",
    "GraphLifecycleHook",
    "InvocationType",
    "OnErrorCallback",
]

log = logging.getLogger("tenxgraph_tui.graph")

T = TypeVar("T")
R = TypeVar("R")


class InvocationType(StrEnum):
    """What is called. The embedded runtime calls nodes (`AI`) and tools (`TOOL`)."""

    AI = "ai"
    TOOL = "tool"
    MCP = "mcp"
    INPUT_VALIDATION = "input_validation"
    SKILL = "skill"


@dataclass
class CallbackContext:
    """Which call a callback is told about.

    `metadata` holds `config` (with `run_id`, `thread_id` and `_node_name`) and `step`, which counts
    from 1 in every run; for tools also `args`, as the model gave them, and `tool_call_id`.
    """

    invocation_type: InvocationType
    node_name: str
    function_name: str | None = None
    metadata: dict[str, Any] | None = None


class BeforeInvokeCallback(ABC, Generic[T, R]):
    """Sees the arguments of a call and returns those that are used."""

    @abstractmethod
    async def __call__(self, context: CallbackContext, input_data: T) -> T | R:
        """Return the arguments by name, changed or not; raising makes the call fail."""


class AfterInvokeCallback(ABC, Generic[T, R]):
    """Sees what a call returned and returns what is used."""

    @abstractmethod
    async def __call__(self, context: CallbackContext, input_data: T, output_data: Any) -> Any | R:
        """Return the output, changed or not; raising makes the call fail."""


class OnErrorCallback(ABC):
    """Sees an exception and may recover from it."""

    @abstractmethod
    async def __call__(
        self, context: CallbackContext, input_data: Any, error: Exception
    ) -> Message | None:
        """Return the message to go on with, or None to let the error stand."""


BeforeInvoke = Callable[[CallbackContext, Any], Any | Awaitable[Any]]
AfterInvoke = Callable[[CallbackContext, Any, Any], Any | Awaitable[Any]]
OnError = Callable[[CallbackContext, Any, Exception], Any | Awaitable[Any]]


class CallbackManager:
    """The callbacks of one graph, or of several that shall be watched together."""

    def __init__(self) -> None:
        self._before: dict[InvocationType, list[BeforeInvoke]] = {k: [] for k in InvocationType}
        self._after: dict[InvocationType, list[AfterInvoke]] = {k: [] for k in InvocationType}
        self._errors: dict[InvocationType, list[OnError]] = {k: [] for k in InvocationType}
        self._hooks: list[GraphLifecycleHook[Any]] = []

    @property
    def has_lifecycle_hooks(self) -> bool:
        """Whether anybody asked to be told about whole runs."""
        return bool(self._hooks)

    def register_before_invoke(
        self,
        invocation_type: InvocationType,
        callback: BeforeInvokeCallback[Any, Any] | BeforeInvoke,
    ) -> None:
        """Call `callback` before every call of that type, after those registered earlier."""
        self._before[invocation_type].append(callback)

    def register_after_invoke(
        self, invocation_type: InvocationType, callback: AfterInvokeCallback[Any, Any] | AfterInvoke
    ) -> None:
        """Call `callback` after every successful call of that type, in the order of registering."""
        self._after[invocation_type].append(callback)

    def register_on_error(
        self, invocation_type: InvocationType, callback: OnErrorCallback | OnError
    ) -> None:
        """Call `callback` when a call of that type raised."""
        self._errors[invocation_type].append(callback)

    def register_lifecycle_hook(self, hook: GraphLifecycleHook[Any]) -> None:
        """Tell `hook` about whole runs."""
        self._hooks.append(hook)

    def clear_callbacks(self, invocation_type: InvocationType | None = None) -> None:
        """Forget the callbacks of one type, or of all; lifecycle hooks stay."""
        for kind in InvocationType if invocation_type is None else (invocation_type,):
            for registry in (self._before, self._after, self._errors):
                registry[kind].clear()

    def get_callback_counts(self) -> dict[str, dict[str, int]]:
        """How many callbacks are registered, by type and moment."""
        return {
            kind.value: {
                "before_invoke": len(self._before[kind]),
                "after_invoke": len(self._after[kind]),
                "on_error": len(self._errors[kind]),
            }
            for kind in InvocationType
        }

    async def execute_before_invoke(self, context: CallbackContext, input_data: Any) -> Any:
        """Pass the arguments through every callback; what one raises is raised."""
        for callback in self._before[context.invocation_type]:
            input_data = await _settled(callback(context, input_data))
        return input_data

    async def execute_after_invoke(
        self, context: CallbackContext, input_data: Any, output_data: Any
    ) -> Any:
        """Pass the output through every callback; what one raises is raised."""
        for callback in self._after[context.invocation_type]:
            output_data = await _settled(callback(context, input_data, output_data))
        return output_data

    def _is_message(self, answer: Any) -> bool:
        return isinstance(answer, Message)

    async def execute_on_error(
        self, context: CallbackContext, input_data: Any, error: Exception
    ) -> Message | None:
        """Ask every callback; the last message given wins, and one that gives none erases none."""
        recovery: Message | None = None
        for callback in self._errors[context.invocation_type]:
            try:
                answer = await _settled(callback(context, input_data, error))
            except Exception:
                log.exception("an on_error callback failed: %r", callback)
                continue
            if self._is_message(answer):
                recovery = answer
            elif answer is not None:
                log.warning("an on_error callback gave %r, which is no Message", answer)
        return recovery

    async def fire_on_graph_start(self, context: GraphLifecycleContext, state: StateT) -> StateT:
        """Tell every hook; returns the state to go on with."""
        for hook in self._hooks:
            state = await _told(hook.on_graph_start, context, state) or state
        return state

    async def fire_on_graph_end(
        self,
        context: GraphLifecycleContext,
        final_state: StateT,
        messages: list[Message],
        total_steps: int,
    ) -> StateT:
        """Tell every hook; returns the state to keep."""
        for hook in self._hooks:
            changed = await _told(hook.on_graph_end, context, final_state, messages, total_steps)
            final_state = changed or final_state
        return final_state

    async def fire_on_graph_error(
        self,
        context: GraphLifecycleContext,
        error: Exception,
        partial_state: StateT,
        messages: list[Message],
        step: int,
        node_name: str,
    ) -> tuple[StateT, str]:
        """Tell every hook; returns the state to keep and the text of the error."""
        state, text = partial_state, str(error)
        for hook in self._hooks:
            changed = await _told(
                hook.on_graph_error, context, error, state, messages, step, node_name
            )
            state, text = changed or (state, text)
        return state, text

    async def fire_on_node_start(
        self, context: GraphLifecycleContext, node_name: str, state: AgentState, step: int
    ) -> None:
        """Tell every hook that a node is about to run."""
        for hook in self._hooks:
            await _told(hook.on_node_start, context, node_name, state, step)

    async def fire_on_state_update(
        self,
        context: GraphLifecycleContext,
        node_name: str,
        old_state: StateT,
        new_state: StateT,
        step: int,
    ) -> StateT:
        """Tell every hook that a node has run; returns the state to go on with."""
        for hook in self._hooks:
            changed = await _told(
                hook.on_state_update, context, node_name, old_state, new_state, step
            )
            new_state = changed or new_state
        return new_state


async def _settled(answer: Any) -> Any:
    return await answer if inspect.isawaitable(answer) else answer


async def _told(hook: Callable[..., Awaitable[Any]], *facts: Any) -> Any:
    """What a lifecycle hook gave back; None when it raised, which changes nothing in the run."""
    try:
        return await hook(*facts)
    except Exception:
        log.exception("the lifecycle hook %r failed", hook)
        return None
