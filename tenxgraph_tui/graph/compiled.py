"""A graph that can run: it finds the state of a thread, runs to the end, and keeps the state."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any, Generic, Self

from tenxgraph_tui.errors import kind_of
from tenxgraph_tui.graph.callbacks import CallbackManager
from tenxgraph_tui.graph.checkpointer import Checkpointer
from tenxgraph_tui.graph.constants import DEFAULT_RECURSION_LIMIT, START, ResponseGranularity
from tenxgraph_tui.graph.exceptions import GraphError
from tenxgraph_tui.graph.execution import Execution
from tenxgraph_tui.graph.ids import new_id
from tenxgraph_tui.graph.messages import Message, with_input
from tenxgraph_tui.graph.nodes import Node, NodeFunction, node_of
from tenxgraph_tui.graph.routes import Routes
from tenxgraph_tui.graph.state import AgentState, ExecutionState, StateT, copied
from tenxgraph_tui.graph.tools import ToolNode

_OWN_FIELDS = frozenset(AgentState.model_fields)


class CompiledGraph(Generic[StateT]):
    """What `StateGraph.compile()` makes. It shares nothing with other compiled graphs."""

    def __init__(
        self,
        state: StateT,
        checkpointer: Checkpointer[StateT] | None,
        *,
        nodes: Mapping[str, Node],
        routes: Routes,
        callback_manager: CallbackManager,
    ) -> None:
        self._prototype = state
        self._nodes = dict(nodes)
        self._routes = routes
        self.checkpointer = checkpointer
        self.callback_manager = callback_manager

    @property
    def state_fields(self) -> frozenset[str]:
        """The fields that `input_data["state"]` may set: those that a state class adds."""
        return frozenset(type(self._prototype).model_fields) - _OWN_FIELDS

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes, in the order in which they were added."""
        return tuple(self._nodes)

    async def ainvoke(
        self,
        input_data: dict[str, Any],
        config: dict[str, Any] | None = None,
        response_granularity: ResponseGranularity = ResponseGranularity.LOW,
    ) -> dict[str, Any]:
        """Run from the beginning to the end.

        `input_data` holds `messages` (a list of `Message`) and optionally `state` (a dict of fields
        to set). Of `config` the graph reads `thread_id`, `run_id` (both made up when absent) and
        `recursion_limit` (25; the beginning counts as a step); nodes see all of it. The answer
        holds `messages`: those sent, then the new ones; and what `response_granularity` asks for.

        Raises:
            GraphError: the input is not as described, or the graph leads nowhere.
            GraphRecursionError: the end was not reached within the limit.
            Exception: whatever a node raised, with the node's name in its notes.
        """
        settings = _settings(config)
        messages = _messages(input_data)
        state = await self._state(settings, messages, input_data.get("state"))
        run = Execution(state, settings, self._nodes, self._routes, self.callback_manager, messages)
        try:
            await run.to_end(settings["recursion_limit"])
        finally:
            if self.checkpointer is not None:
                await self.checkpointer.aput_state(settings, run.state)
        return _answer(run.state, run.messages, response_granularity)

    def invoke(
        self,
        input_data: dict[str, Any],
        config: dict[str, Any] | None = None,
        response_granularity: ResponseGranularity = ResponseGranularity.LOW,
    ) -> dict[str, Any]:
        """As `ainvoke`, for callers without an event loop.

        Raises:
            RuntimeError: an event loop runs in this thread.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
                return runner.run(self.ainvoke(input_data, config, response_granularity))
        raise RuntimeError("an event loop is running here: write `await graph.ainvoke(…)` instead")

    async def aclose(self) -> dict[str, Any]:
        """Nothing is open between two runs; a graph can be used again afterwards."""
        return {"status": "closed"}

    def override_node(self, name: str, func: NodeFunction | ToolNode) -> Self:
        """Put another function in the place of a node, for tests.

        Raises:
            GraphError: there is no such node.
        """
        if name not in self._nodes:
            raise GraphError(f"there is no node {name!r}; the nodes are: {', '.join(self._nodes)}")
        self._nodes[name] = node_of(name, func)
        return self

    async def _state(self, config: dict[str, Any], messages: list[Message], fields: Any) -> StateT:
        kept = None if self.checkpointer is None else await self.checkpointer.aget_state(config)
        state = copied(self._prototype) if kept is None else kept
        state.execution_meta = ExecutionState(current_node=START, thread_id=config["thread_id"])
        state.context = with_input(state.context, messages)
        if isinstance(fields, Mapping):
            for name in self.state_fields.intersection(fields):
                setattr(state, name, fields[name])
        return state


def _settings(config: dict[str, Any] | None) -> dict[str, Any]:
    settings = dict(config or {})
    for key in ("thread_id", "run_id"):
        if settings.get(key) is None:
            settings[key] = new_id()
    settings.setdefault("recursion_limit", DEFAULT_RECURSION_LIMIT)
    settings.setdefault("timestamp", time.time())
    limit = settings["recursion_limit"]
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise GraphError(f'config["recursion_limit"] must be a whole number ≥ 1, not {limit!r}')
    return settings


def _messages(input_data: dict[str, Any]) -> list[Message]:
    messages = input_data.get("messages")
    if not messages:
        raise GraphError('the input needs "messages": a list of at least one Message')
    for position, message in enumerate(messages):
        if not isinstance(message, Message):
            raise GraphError(
                f"messages[{position}] is {kind_of(message)}, not a Message; "
                "write Message.text_message(…)"
            )
    return list(messages)


def _answer(
    state: AgentState, messages: list[Message], granularity: ResponseGranularity
) -> dict[str, Any]:
    answer: dict[str, Any] = {"messages": messages}
    if granularity == ResponseGranularity.FULL:
        answer["state"] = state
    elif granularity == ResponseGranularity.PARTIAL:
        answer |= {"context": state.context, "summary": state.context_summary}
    return answer
