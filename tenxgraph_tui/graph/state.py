"""The state that a graph carries from node to node."""

from __future__ import annotations

import copy
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypeVar

from tenxgraph_tui.graph.constants import START
from tenxgraph_tui.graph.exceptions import GraphError
from tenxgraph_tui.graph.messages import Message


class ExecutionStatus(StrEnum):
    """How far a run is."""

    RUNNING = "running"
    COMPLETED = "completed"
    ERROR = "error"


class ExecutionState(BaseModel):
    """What the runtime notes about the run: bookkeeping for people, never read by it."""

    model_config = ConfigDict(defer_build=True)

    current_node: str = START
    step: int = 0
    status: ExecutionStatus = ExecutionStatus.RUNNING
    thread_id: str | int | None = None
    internal_data: dict[str, Any] = Field(default_factory=dict)


class AgentState(BaseModel):
    """The state of a graph; subclass it to add fields of your own.

    `context` is the conversation so far. Everything in a state must be copyable, because each
    thread of conversation has a state of its own.
    """

    model_config = ConfigDict(defer_build=True)

    context: list[Message] = Field(default_factory=list)
    context_summary: str | None = None
    execution_meta: ExecutionState = Field(default_factory=ExecutionState)

    def set_current_node(self, node: str) -> None:
        """Note the node that runs."""
        self.execution_meta.current_node = node

    def advance_step(self) -> None:
        """Count one step more."""
        self.execution_meta.step += 1

    def complete(self) -> None:
        """Note that the run reached the end."""
        self.execution_meta.status = ExecutionStatus.COMPLETED

    def error(self, error_msg: str) -> None:
        """Note that the run failed; `error_msg` is kept in `execution_meta.internal_data`."""
        self.execution_meta.status = ExecutionStatus.ERROR
        self.execution_meta.internal_data["error"] = error_msg

    def is_running(self) -> bool:
        """Whether the run is neither completed nor failed."""
        return self.execution_meta.status is ExecutionStatus.RUNNING


StateT = TypeVar("StateT", bound=AgentState, default=AgentState)


def copied(state: StateT) -> StateT:
    """A state of its own with the same messages in it.

    Raises:
        GraphError: a field holds something that cannot be copied, such as a lock or a client.
    """
    shared: dict[int, Any] = {id(message): message for message in state.context}
    meta = state.execution_meta
    try:
        if state.__pydantic_private__ or state.__pydantic_extra__:
            return copy.deepcopy(state, shared)
        fields = {name: value for name, value in state if name not in AgentState.model_fields}
        own = copy.deepcopy(fields, shared) if fields else fields
        notes = copy.deepcopy(meta.internal_data) if meta.internal_data else {}
    except Exception as error:
        raise GraphError(
            f"the state {type(state).__name__} cannot be copied ({error}); "
            "keep clients, locks and files outside of the state"
        ) from error
    # field by field, because copying the whole model deeply takes most of the time of a short run
    own |= {
        "context": list(state.context),
        "execution_meta": meta.model_copy(update={"internal_data": notes}),
    }
    return state.model_copy(update=own)
