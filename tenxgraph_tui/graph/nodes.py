"""What a node may be, how it is called, and how its result becomes messages."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tenxgraph_tui.errors import kind_of
from tenxgraph_tui.graph.callbacks import CallbackContext, CallbackManager, InvocationType
from tenxgraph_tui.graph.exceptions import GraphError
from tenxgraph_tui.graph.messages import Message, added
from tenxgraph_tui.graph.state import AgentState, StateT
from tenxgraph_tui.graph.threads import call
from tenxgraph_tui.graph.tools import ToolNode

NodeFunction = Callable[..., Any]
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class FunctionNode:
    """A node that is a function of the state, or of the state and the config."""

    def __init__(self, name: str, function: NodeFunction) -> None:
        self.name = name
        self.function = function
        self.function_name = getattr(function, "__name__", type(function).__name__)
        self._roles = _roles(name, function)

    async def run(
        self, state: AgentState, config: dict[str, Any], callbacks: CallbackManager
    ) -> Any:
        given = {"state": state, "config": config}
        data = {parameter: given[role] for parameter, role in self._roles.items()}
        about = {"config": config, "step": config.get("_step")}
        context = CallbackContext(InvocationType.AI, self.name, self.function_name, about)
        try:
            data = await callbacks.execute_before_invoke(context, data)
            result = await call(self.function, **data)
            return await callbacks.execute_after_invoke(context, data, result)
        except Exception as error:
            recovery = await callbacks.execute_on_error(context, data, error)
            if recovery is None:
                raise
            return recovery


class ToolsNode:
    """A `ToolNode` in its place in a graph."""

    def __init__(self, name: str, tools: ToolNode) -> None:
        self.name = name
        self.tools = tools

    async def run(
        self, state: AgentState, config: dict[str, Any], callbacks: CallbackManager
    ) -> list[Message]:
        return await self.tools.answer(state, config, callbacks)


Node = FunctionNode | ToolsNode


def node_of(name: str, func: NodeFunction | ToolNode) -> Node:
    """The node for what a user gave.

    Raises:
        GraphError: it is not callable, or needs other parameters than state and config.
    """
    if isinstance(func, ToolNode):
        return ToolsNode(name, func)
    if not callable(func) or isinstance(func, type):
        raise GraphError(f"node {name!r} is {func!r}; a node is a function or a ToolNode")
    return FunctionNode(name, func)


def _roles(name: str, function: NodeFunction) -> dict[str, str]:
    """Which parameter gets what: by its name, else first the state, then the config."""
    roles: dict[str, str] = {}
    unnamed: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in {"state", "config"}:
            roles[parameter.name] = parameter.name
        elif parameter.default is inspect.Parameter.empty and parameter.kind not in _VARIADIC:
            unnamed.append(parameter.name)
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
            raise GraphError(f"node {name!r} takes {parameter.name!r} by position only")
    free = [role for role in ("state", "config") if role not in roles]
    if len(unnamed) > len(free):
        raise GraphError(
            f"node {name!r} needs the parameters {', '.join(unnamed)}; "
            "a node takes (state) or (state, config)"
        )
    return roles | dict(zip(unnamed, free, strict=False))


def absorb(
    node: str, state: StateT, before: list[Message], result: Any
) -> tuple[StateT, list[Message]]:
    """The state after a node, and the messages that are new in it.

    Raises:
        GraphError: the node returned something else than messages, texts, its state or None.
    """
    if isinstance(result, AgentState):
        if not isinstance(result, type(state)):
            raise GraphError(
                f"node {node!r} returned {kind_of(result)}, "
                f"but the state of this graph is {kind_of(state)}"
            )
        state = result
    elif result is not None:
        present = {id(message) for message in state.context}
        new = [m for m in _messages(node, result) if id(m) not in present]
        state.context = [*state.context, *new]
    return state, added(before, state.context)


def _messages(node: str, result: Any) -> list[Message]:
    items = result if isinstance(result, (list, tuple)) else [result]
    return [_message(node, item) for item in items]


def _message(node: str, item: Any) -> Message:
    if isinstance(item, Message):
        return item
    if isinstance(item, str):
        return Message.text_message(item, role="assistant")
    raise GraphError(
        f"node {node!r} returned {kind_of(item)}; "
        "a node returns a Message, a text, a list of them, the state, or None"
    )


async def chosen(condition: Callable[[Any], Any], state: AgentState) -> Any:
    """What a condition says. It runs on the loop, so it must not block."""
    answer = condition(state)
    return await answer if inspect.isawaitable(answer) else answer
