"""The node that runs the tools which a model asked for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tenxgraph_tui.errors import worded
from tenxgraph_tui.graph.blocks import ErrorBlock, TextBlock, ToolResultBlock
from tenxgraph_tui.graph.callbacks import CallbackContext, CallbackManager, InvocationType
from tenxgraph_tui.graph.exceptions import GraphError
from tenxgraph_tui.graph.messages import Message, tool_requests
from tenxgraph_tui.graph.state import AgentState
from tenxgraph_tui.graph.threads import as_error, call, is_cancelled
from tenxgraph_tui.graph.tool_function import Injected, ToolFunction
from tenxgraph_tui.graph.values import json_value


class ToolNode:
    """Runs the tools that the last message of the context asks for.

    Calls of one message run concurrently and their messages come in the order of the requests. A
    call that cannot be made or that raises gives a tool message with `is_error`; the run goes on.
    Functions that are not async run in threads of their own.
    """

    def __init__(self, tools: Iterable[Callable[..., Any]]) -> None:
        self._tools: dict[str, ToolFunction] = {}
        for tool in tools:
            self.add_tool(tool)

    def add_tool(self, tool: Callable[..., Any]) -> None:
        """Offer one tool more, under the name of the function.

        Raises:
            GraphError: it is not callable, or another tool has that name.
        """
        if not callable(tool):
            raise GraphError(f"a tool is a function, not {tool!r}")
        function = ToolFunction(tool)
        if function.name in self._tools:
            raise GraphError(f"two tools are called {function.name!r}; rename one")
        self._tools[function.name] = function

    def get_local_tool(self) -> list[dict[str, Any]]:
        """The tools in OpenAI's schema, injected parameters left out."""
        from tenxgraph_tui.graph.tool_schema import schema_of

        return [schema_of(tool) for tool in self._tools.values()]

    async def all_tools(self) -> list[dict[str, Any]]:
        """As `get_local_tool`; the embedded runtime has no remote tools."""
        return self.get_local_tool()

    def all_tools_sync(self) -> list[dict[str, Any]]:
        """As `get_local_tool`."""
        return self.get_local_tool()

    async def invoke(
        self,
        name: str,
        args: dict[str, Any],
        tool_call_id: str,
        config: dict[str, Any],
        state: AgentState,
        callback_manager: CallbackManager | None = None,
    ) -> Message:
        """Run one tool and return its message; a tool that raises gives one with `is_error`."""
        callbacks = callback_manager or CallbackManager()
        context = _context(name, args, tool_call_id, config)
        data: dict[str, Any] = dict(args)
        try:
            tool = self._tool(name)
            data = tool.arguments(args, Injected(state, config, tool_call_id))
            data = await callbacks.execute_before_invoke(context, data)
            result = await call(tool.function, **data)
            result = await callbacks.execute_after_invoke(context, data, result)
        except asyncio.CancelledError as error:
            if is_cancelled():
                raise
            return await _failed(callbacks, context, data, error)
        except (Exception, SystemExit, KeyboardInterrupt) as error:  # noqa: BLE001 - told to the model
            # and a task that raises SystemExit would end the whole loop
            return await _failed(callbacks, context, data, error)
        return _message(context, result)

    async def answer(
        self, state: AgentState, config: dict[str, Any], callbacks: CallbackManager
    ) -> list[Message]:
        """The tool messages for the last message of the context, one a call.

        Raises:
            GraphError: that message asks for no tool.
        """
        requests = tool_requests(state.context[-1]) if state.context else []
        if not requests:
            raise GraphError(
                "the tool node was entered, but the last message asks for no tool; "
                "route to it only when the message has tools_calls"
            )
        calls = [self._requested(request, state, config, callbacks) for request in requests]
        if len(calls) == 1:
            return [await calls[0]]
        return list(await asyncio.gather(*calls))

    async def _requested(
        self,
        request: Mapping[str, Any],
        state: AgentState,
        config: dict[str, Any],
        callbacks: CallbackManager,
    ) -> Message:
        function = request.get("function") or {}
        name, call_id = str(function.get("name", "")), str(request.get("id") or "")
        written = function.get("arguments")
        try:
            args = _parsed(written)
        except ValueError as error:
            context = _context(name, {}, call_id, config)
            return await _failed(callbacks, context, {"arguments": written}, error)
        return await self.invoke(name, args, call_id, config, state, callbacks)

    def _tool(self, name: str) -> ToolFunction:
        try:
            return self._tools[name]
        except KeyError:
            known = ", ".join(sorted(self._tools)) or "none"
            raise LookupError(f"there is no tool {name!r}; the tools are: {known}") from None


def _context(
    name: str, args: Mapping[str, Any], call_id: str, config: dict[str, Any]
) -> CallbackContext:
    return CallbackContext(
        InvocationType.TOOL,
        str(config.get("_node_name", "")),
        name,
        {"config": config, "args": args, "tool_call_id": call_id, "step": config.get("_step")},
    )


def _parsed(written: Any) -> dict[str, Any]:
    if isinstance(written, Mapping):
        return dict(written)
    try:
        args = json.loads(written or "{}")
    except (TypeError, ValueError) as error:
        raise ValueError(f"the arguments are not valid JSON: {error}") from None
    if not isinstance(args, dict):
        raise ValueError(f"the arguments must be a JSON object, not {written!r}")  # noqa: TRY004 - the value of a text
    return args


async def _failed(
    callbacks: CallbackManager, context: CallbackContext, data: Any, raised: BaseException
) -> Message:
    error = as_error(raised)
    recovery = await callbacks.execute_on_error(context, data, error)
    if recovery is not None:
        return _message(context, recovery)
    text = worded(error)
    return _tool_message(
        context,
        [
            ToolResultBlock(call_id=_call_id(context), output=text, is_error=True, status="failed"),
            ErrorBlock(message=text),
        ],
    )


def _message(context: CallbackContext, result: Any) -> Message:
    if isinstance(result, Message):
        if any(isinstance(block, ToolResultBlock) for block in result.content):
            return result.model_copy(update={"metadata": {**_meta(context), **result.metadata}})
        result = "".join(b.text for b in result.content if isinstance(b, TextBlock))
    block = ToolResultBlock(
        call_id=_call_id(context), output=json_value(result), status="completed"
    )
    return _tool_message(context, [block])


def _tool_message(context: CallbackContext, content: list[ToolResultBlock | ErrorBlock]) -> Message:
    return Message.tool_message(content, meta=_meta(context))


def _meta(context: CallbackContext) -> dict[str, Any]:
    about = context.metadata or {}
    return {
        "function_name": context.function_name,
        "function_argument": about["args"],
        "tool_call_id": about["tool_call_id"],
    }


def _call_id(context: CallbackContext) -> str:
    return str((context.metadata or {})["tool_call_id"])
