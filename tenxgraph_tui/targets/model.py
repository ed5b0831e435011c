"""The target `model:NAME`: a model with a prompt and Python tools, and nothing else around it."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tenxgraph_tui.adapters.embedded import EmbeddedGraph
from tenxgraph_tui.adapters.port import Answer, MessageDict, Observer
from tenxgraph_tui.errors import ConfigError, EndpointError, TargetError
from tenxgraph_tui.evaluation.conversation import Conversation
from tenxgraph_tui.evaluation.execution import Target
from tenxgraph_tui.evaluation.judging import library
from tenxgraph_tui.evaluation.judging.address import NO_KEY, Address, address
from tenxgraph_tui.evaluation.secrets import filled
from tenxgraph_tui.evaluation.target_options import ModelOptions
from tenxgraph_tui.graph import END, AgentState, GraphError, Message, StateGraph, ToolNode
from tenxgraph_tui.graph.messages import tool_requests
from tenxgraph_tui.targets.model_asking import ModelRequests
from tenxgraph_tui.targets.python import PythonSource

log = logging.getLogger(__name__)

MODEL, TOOLS = "MAIN", "TOOL"
"""Its nodes, as expectations name them."""
UNTYPED = {"title", "default"}
"""What the schema of a parameter has where its annotation says nothing."""

Import = Callable[[str], PythonSource]


class ModelSource:
    """A `TargetSource` for a model; `tool_at` is where a tool's spec leads."""

    reloads = True

    def __init__(self, name: str, options: ModelOptions, tool_at: Import) -> None:
        self._name, self._options, self._tool_at = name, options, tool_at
        self._address = Address(name)
        self._tools = ToolNode([])

    def load(self, *, afresh: bool = False) -> None:
        """See `TargetSource`. Also finds out that the model cannot be asked.

        Raises:
            ConfigError: the model has no key, or no provider.
        """
        self._address = self._asked_at()
        if missing := library.not_installed():
            raise TargetError(f"target model:{self._name}: pip install {' '.join(missing)}")
        library.import_all()  # before modules of the project can take the place of it
        tools = ToolNode([])
        for spec in self._options.tools:
            try:
                source = self._tool_at(spec)
                source.load(afresh=afresh and not tools.get_local_tool())
                tools.add_tool(source.found)
                _warn_of_undescribed(spec, tools.get_local_tool()[-1])
            except (TargetError, GraphError) as error:
                raise TargetError(f"model.tools: {error}") from error.__cause__
        self._tools = tools

    async def open(self) -> Target:
        """See `TargetSource`. Nothing is asked yet."""
        requests = ModelRequests(
            f"model:{self._name}", self._address, self._options, self._tools.get_local_tool()
        )
        return Conversation(ModelAgent(requests, self._tools, self._options.max_steps))

    def _asked_at(self) -> Address:
        options = self._options
        key = filled(options.api_key, os.environ, "model.api_key") if options.api_key else None
        if options.base_url is not None:
            key = key or NO_KEY  # the judges' key is for their server alone
        found = address(self._name, options.base_url, os.environ, who="target", key=key)
        if key is not None and options.base_url is None:
            return Address(found.model, {**found.extra, "api_key": key})
        if found.problem:
            raise ConfigError(found.problem)
        return found


class ModelAgent:
    """Implements `Runnable`: a graph of the model and its tools, with a limit to their loop."""

    def __init__(self, requests: ModelRequests, tools: ToolNode, max_steps: int) -> None:
        self._requests, self._limit = requests, max_steps
        graph = StateGraph[AgentState]()
        graph.add_node(MODEL, self._step)
        graph.set_entry_point(MODEL)
        graph.add_node(TOOLS, tools)
        graph.add_conditional_edges(MODEL, _next, {TOOLS: TOOLS, END: END})
        graph.add_edge(TOOLS, MODEL)
        self._graph = EmbeddedGraph(graph)

    @property
    def has_memory(self) -> bool:
        """See `Runnable`."""
        return self._graph.has_memory

    async def invoke(
        self,
        messages: Sequence[MessageDict],
        config: Mapping[str, Any],
        observer: Observer,
        state: Mapping[str, Any],
    ) -> Answer:
        """See `Runnable`.

        Raises:
            EndpointError: the model gave no answer, or asked for tools without end.
        """
        steps = {"recursion_limit": 2 * self._limit + 2}
        return await self._graph.invoke(messages, {**config, **steps}, observer, state)

    async def _step(self, state: AgentState) -> Message:
        answer = await self._requests.ask(state.context)
        asked = _requests_since_user(state.context) + 1
        if tool_requests(answer) and asked >= self._limit:
            raise EndpointError(
                f"target {self._requests.called} asked for tools {asked} times without an answer, "
                "and model.max_steps allows no more"
            )
        return answer


def _warn_of_undescribed(spec: str, schema: Mapping[str, Any]) -> None:
    told = schema["function"]
    untyped = [
        name
        for name, about in told["parameters"].get("properties", {}).items()
        if about.keys() <= UNTYPED
    ]
    if not told.get("description"):
        log.warning("model.tools: %s has no docstring: the model is told its name alone", spec)
    if untyped:
        names = ", ".join(untyped)
        log.warning("model.tools: %s: the model is told no type for %s: annotate it", spec, names)


def _next(state: AgentState) -> str:
    return TOOLS if tool_requests(state.context[-1]) else END


def _requests_since_user(context: Sequence[Message]) -> int:
    count = 0
    for message in reversed(context):
        if message.role == "user":
            break
        count += message.role == "assistant"
    return count
