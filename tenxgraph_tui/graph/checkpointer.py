"""Where a graph keeps the state of a conversation between two runs."""

from __future__ import annotations

import threading
from typing import Any, Generic, Protocol

from tenxgraph_tui.graph.exceptions import GraphError
from tenxgraph_tui.graph.state import StateT, copied


class Checkpointer(Protocol[StateT]):
    """What a compiled graph asks of its checkpointer."""

    async def aget_state(self, config: dict[str, Any]) -> StateT | None:
        """The state of `config["thread_id"]`, or None for a new thread."""

    async def aput_state(self, config: dict[str, Any], state: StateT) -> StateT:
        """Keep the state of `config["thread_id"]`."""


class InMemoryCheckpointer(Generic[StateT]):
    """Keeps states in memory, by `config["thread_id"]`.

    It holds nothing that belongs to an event loop, so one graph can run on several in turn. A state
    is copied on its way in and out; its messages are shared.
    """

    def __init__(self) -> None:
        self._states: dict[str, StateT] = {}
        self._lock = threading.Lock()

    def put_state(self, config: dict[str, Any], state: StateT) -> StateT:
        """Keep a copy of `state`.

        Raises:
            GraphError: the config names no thread, or the state cannot be copied.
        """
        thread, own = _thread(config), copied(state)
        with self._lock:
            self._states[thread] = own
        return state

    def get_state(self, config: dict[str, Any]) -> StateT | None:
        """A copy of the state that was put last, or None."""
        with self._lock:
            kept = self._states.get(_thread(config))
        return None if kept is None else copied(kept)

    def clear_state(self, config: dict[str, Any]) -> bool:
        """Forget a thread; whether there was one."""
        with self._lock:
            return self._states.pop(_thread(config), None) is not None

    async def aput_state(self, config: dict[str, Any], state: StateT) -> StateT:
        """As `put_state`."""
        return self.put_state(config, state)

    async def aget_state(self, config: dict[str, Any]) -> StateT | None:
        """As `get_state`."""
        return self.get_state(config)

    async def aclear_state(self, config: dict[str, Any]) -> bool:
        """As `clear_state`."""
        return self.clear_state(config)


def _thread(config: dict[str, Any]) -> str:
    thread = config.get("thread_id")
    if thread is None:
        raise GraphError('the config names no thread: give config["thread_id"]')
    return str(thread)
