"""The callbacks that a run of a LangGraph graph is observed with; a new one for every turn.

They are called in order and at once (`run_inline`), some of them in threads of synchronous nodes.
Whatever goes wrong in them is logged and changes nothing in the run.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage
from langgraph.errors import ParentCommand
from langgraph.graph import END, START

from tenxgraph_tui.adapters.langgraph.messages import messages_in, result_of
from tenxgraph_tui.adapters.langgraph.turn import ModelCall, Task, ToolRun, Turn
from tenxgraph_tui.errors import worded
from tenxgraph_tui.graph.values import json_value

log = logging.getLogger("tenxgraph_tui.adapters")

NODE, STEP, PLACE = "langgraph_node", "langgraph_step", "langgraph_checkpoint_ns"
MARKERS = (None, START, END)
WITHIN = "|"
"""Between the task of a graph and the task of a graph inside it, in the place of the latter."""

Told = TypeVar("Told", bound=Callable[..., None])


def _safely(tell: Told) -> Told:
    @functools.wraps(tell)
    def told(*args: Any, **named: Any) -> None:
        try:
            tell(*args, **named)
        except Exception:
            log.exception("a step could not be recorded; the run goes on")

    return told  # type: ignore[return-value]  # the same signature, which `wraps` does not know


class Watch(BaseCallbackHandler):  # type: ignore[misc]  # untyped: it may not be installed
    """Tells a `Turn` what happens in the run that has it among its callbacks."""

    run_inline = True

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._nodes: dict[UUID, tuple[str, Task | None]] = {}
        self._asked: dict[UUID, tuple[str, Sequence[BaseMessage]]] = {}
        self._tools: dict[UUID, ToolRun] = {}

    @_safely
    def on_chain_start(
        self,
        serialized: Any,
        inputs: Any,
        *,
        run_id: UUID,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        """A node, or a graph or an edge, which are left alone."""
        del serialized
        about = metadata or {}
        node = about.get(NODE)
        is_node = more.get("name") == node and any(t.startswith("graph:step:") for t in tags or ())
        if node in MARKERS or not is_node:
            return
        key, within, _ = _place(about).partition(WITHIN)
        task = None if within else Task(key, node, about[STEP], messages_in(inputs))
        self._nodes[run_id] = key, task
        if task is not None:
            self._turn.node_started(task)

    @_safely
    def on_chain_end(self, outputs: Any, *, run_id: UUID, **more: Any) -> None:
        """A node returned."""
        del more
        key, task = self._nodes.pop(run_id, ("", None))
        if task is not None:
            task.returned = messages_in(outputs)
        elif key:
            self._turn.inner_node_returned(key, messages_in(outputs))

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **more: Any) -> None:
        """A node raised, or handed over to a node of the graph around its own."""
        del more
        handed_over = error.args[0] if isinstance(error, ParentCommand) else None
        self.on_chain_end(handed_over, run_id=run_id)

    @_safely
    def on_chat_model_start(
        self,
        serialized: Any,
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        """A chat model is asked."""
        del serialized, more
        self._asked[run_id] = _key(metadata), messages[0] if messages else ()

    @_safely
    def on_llm_end(self, response: Any, *, run_id: UUID, **more: Any) -> None:
        """A model answered; one that is no chat model was not announced."""
        del more
        key, seen = self._asked.pop(run_id, ("", ()))
        generation = response.generations[0][0]
        message = getattr(generation, "message", None) or AIMessage(generation.text)
        self._turn.model_answered(ModelCall(key, message, seen))

    @_safely
    def on_tool_start(
        self,
        serialized: dict[str, Any] | None,
        input_str: str,
        *,
        run_id: UUID,
        metadata: dict[str, Any] | None = None,
        inputs: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        """A tool begins; `inputs` are the arguments without what was injected."""
        name = str((serialized or {}).get("name") or more.get("name") or "")
        args = inputs if inputs is not None else {"input": input_str}
        run = ToolRun(_key(metadata), name, json_value(args), more.get("tool_call_id"))
        self._tools[run_id] = self._turn.tool_started(run)

    @_safely
    def on_tool_end(self, output: Any, *, run_id: UUID, **more: Any) -> None:
        """A tool returned."""
        del more
        run = self._tools.pop(run_id, None)
        if run is not None:
            result, error = result_of(output, run.call_id)
            self._turn.tool_ended(run, result=json_value(result), error=error)

    @_safely
    def on_tool_error(self, error: BaseException, *, run_id: UUID, **more: Any) -> None:
        """A tool raised."""
        del more
        run = self._tools.pop(run_id, None)
        if run is not None:
            self._turn.tool_ended(run, error=worded(error))


def _place(metadata: dict[str, Any]) -> str:
    return str(metadata.get(PLACE) or metadata.get(NODE) or "")


def _key(metadata: dict[str, Any] | None) -> str:
    return _place(metadata or {}).partition(WITHIN)[0]
