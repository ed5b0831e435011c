"""A graph of LangGraph as an agent under evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from langchain_core.messages import BaseMessage
from langgraph.graph import StateGraph
from langgraph.pregel import Pregel

from tenxgraph_tui.adapters.langgraph.messages import KEY, from_dict, messages_in, to_dict
from tenxgraph_tui.adapters.langgraph.turn import Turn
from tenxgraph_tui.adapters.langgraph.watching import Watch
from tenxgraph_tui.adapters.port import Answer, MessageDict, Observer
from tenxgraph_tui.adapters.turns import ordinary_errors, warn_of_unknown
from tenxgraph_tui.errors import TargetError

PAUSED = "__interrupt__"
OF_A_RUN = ("recursion_limit", "max_concurrency", "tags", "metadata", "run_name")
"""What of `session_input.config` is an option of the run; the rest is `configurable`."""


class LangGraph:
    """Implements `Runnable` over a graph whose state has `messages`; one to compile is compiled.

    Without a checkpointer the state of a turn is where the next turn of the attempt goes on.
    """

    def __init__(self, found: Any) -> None:
        self._app: Any = found.compile() if isinstance(found, StateGraph) else found
        self._fields = _fields_of(self._app)
        self._states: WeakKeyDictionary[Observer, dict[str, Any]] = WeakKeyDictionary()

    @property
    def has_memory(self) -> bool:
        """See `Runnable`: whether it was compiled with a checkpointer."""
        return bool(self._app.checkpointer)

    async def invoke(
        self,
        messages: Sequence[MessageDict],
        config: Mapping[str, Any],
        observer: Observer,
        state: Mapping[str, Any],
    ) -> Answer:
        """See `Runnable`.

        Raises:
            Exception: what a node raised; `SystemExit` and the like as a `RuntimeError`.
            TargetError: the graph paused for somebody to answer.
        """
        warn_of_unknown(state, self._fields, observer)
        given, sent = self._input(messages, observer, state)
        turn = Turn(observer, given[KEY])
        run_config = _run_config(config, Watch(turn))
        outcome: list[BaseMessage] = []
        try:
            with ordinary_errors():
                output = await self._app.ainvoke(given, run_config, context=config.get("context"))
            outcome = _after(messages_in(output), sent)
        finally:
            turn.finish(outcome)
        await self._refuse_pause(output, run_config)
        if not self.has_memory and isinstance(output, dict):
            self._states[observer] = output
        return Answer(tuple(to_dict(message) for message in outcome))

    def _input(
        self, messages: Sequence[MessageDict], observer: Observer, state: Mapping[str, Any]
    ) -> tuple[dict[str, Any], BaseMessage]:
        """What the graph is started with, and the user's message at the end of it."""
        sent = from_dict(messages[-1])
        before = self._states.pop(observer, None)
        if before is not None and before.get(KEY):
            return {**before, KEY: [*before[KEY], sent]}, sent
        earlier = [*messages_in(dict(state)), *map(from_dict, messages[:-1])]
        return {**state, **(before or {}), KEY: [*earlier, sent]}, sent

    async def _refuse_pause(self, output: Any, config: dict[str, Any]) -> None:
        """Interrupts are told in the output, the pauses that `compile` was asked for are not."""
        node = ""
        is_paused = isinstance(output, Mapping) and bool(output.get(PAUSED))
        if not is_paused and self._app.checkpointer and _has_pauses(self._app):
            waiting = (await self._app.aget_state(config)).next
            is_paused, node = bool(waiting), " before " + ", ".join(waiting)
        if is_paused:
            raise TargetError(
                f"the graph paused{node} and waits for somebody to answer: an evaluation cannot; "
                "compile it without interrupts for the evaluation"
            )


def graph_of(found: Any) -> LangGraph | None:
    """The agent that an object of LangGraph's is: a graph, compiled or not; else None.

    Raises:
        TargetError: it is a graph, but one whose state has no `messages`.
    """
    return LangGraph(found) if isinstance(found, (StateGraph, Pregel)) else None


def _fields_of(app: Any) -> frozenset[str]:
    """The fields that a graph can be started with."""
    builder = getattr(app, "builder", None)  # a workflow of functions has none
    fields = (
        frozenset(builder.schemas[builder.input_schema]) if builder is not None else frozenset()
    )
    if KEY not in fields:
        known = ", ".join(sorted(fields)) or "no fields"
        raise TargetError(
            f"the state of the graph {app.get_name()} has no messages (it has: {known}): name a "
            "function instead that takes the text, runs the graph and returns the answer"
        )
    return fields


def _has_pauses(app: Any) -> bool:
    return bool(app.interrupt_before_nodes or app.interrupt_after_nodes)


def _run_config(config: Mapping[str, Any], watch: Watch) -> dict[str, Any]:
    """The run config in LangGraph's form; `config` may have it already in parts.

    Without our run id: LangGraph takes what has the id of the turn before for its resumption.
    """
    chosen = {name: config[name] for name in OF_A_RUN if name in config}
    apart = {*OF_A_RUN, "configurable", "context", "callbacks", "run_id"}
    configurable = {name: value for name, value in config.items() if name not in apart}
    return {
        **chosen,
        "callbacks": [watch],
        "configurable": {**config.get("configurable", {}), **configurable},
    }


def _after(messages: Sequence[BaseMessage], sent: BaseMessage) -> list[BaseMessage]:
    """What follows the user's message; nothing if the graph has dropped that."""
    for index in range(len(messages) - 1, -1, -1):
        if messages[index] is sent or messages[index].id == sent.id:
            return list(messages[index + 1 :])
    return []
