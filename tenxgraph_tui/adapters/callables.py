"""A plain function as an agent under evaluation."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tenxgraph_tui.adapters.chat import for_api, last_text
from tenxgraph_tui.adapters.port import Answer, MessageDict, Observer
from tenxgraph_tui.adapters.replies import messages_of, usage_in, value_in
from tenxgraph_tui.adapters.threads import as_error, in_thread, is_async, is_cancelled


class CallableAgent:
    """Implements `Runnable` over a function of the messages, or of the last user's text.

    It gets a text when its first parameter is annotated `str`, else the list of all messages so far
    in OpenAI's style. It returns a text, a message, or a list of messages; tool calls and tool
    messages in them are recorded. `async def` runs on the loop, anything else in a thread.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._name = getattr(function, "__name__", type(function).__name__)
        self._wants_text = _wants_text(function)
        self._on_loop = is_async(function)

    @property
    def has_memory(self) -> bool:
        """See `Runnable`: a function remembers nothing that we know of."""
        return False

    async def invoke(
        self,
        messages: Sequence[MessageDict],
        config: Mapping[str, Any],
        observer: Observer,
        state: Mapping[str, Any],
    ) -> Answer:
        """See `Runnable`.

        Raises:
            Exception: what the function raised; `SystemExit` and the like as a `RuntimeError`.
            TypeError: it returned something that is no answer.
        """
        del config
        if state:
            observer.warn("session_input.state is set, but a plain function has no state to put it")
        observer.step_started(self._name)
        given = [for_api(message) for message in messages]
        shown = [dict(message) for message in given]
        returned = await self._answer(last_text(given) if self._wants_text else given)
        names: dict[Any, list[str]] = {}
        for message in messages_of(returned, shown):
            usage = usage_in(message.pop("usage", None))
            self._tell(observer, message, usage, shown, names)
            shown.append(message)
        return Answer(tuple(shown[len(given) :]))

    async def _answer(self, argument: Any) -> Any:
        try:
            if self._on_loop:
                return await self._function(argument)
            returned = await in_thread(self._function, argument)
            return await returned if inspect.isawaitable(returned) else returned
        except asyncio.CancelledError as error:
            if is_cancelled():
                raise
            raise as_error(error) from error
        except (SystemExit, KeyboardInterrupt) as error:
            raise as_error(error) from error

    def _tell(
        self,
        observer: Observer,
        message: MessageDict,
        usage: Mapping[str, int] | None,
        seen: Sequence[MessageDict],
        names: dict[Any, list[str]],
    ) -> None:
        """Report a message; `names` are the tools asked for so far by call id, oldest first."""
        for call in message.get("tool_calls") or ():
            names.setdefault(call.get("id"), []).append(call["function"]["name"])
        if message["role"] == "tool":
            asked = names.get(message.get("tool_call_id"))
            if asked:
                _tell_result(observer, message, asked.pop(0), self._name)
        from_model = message["role"] == "assistant"
        told = tuple(seen) if from_model else ()
        observer.message(self._name, message, usage=usage, seen=told)


def _tell_result(observer: Observer, message: MessageDict, tool: str, node: str) -> None:
    value = value_in(message.get("content"))
    failure = {"error": str(value)} if message.get("is_error") else {"result": value}
    observer.outcome(message.get("tool_call_id"), tool, {}, node=node, **failure)


def _wants_text(function: Callable[..., Any]) -> bool:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # some builtins have no signature
        return False
    annotation = parameters[0].annotation if parameters else None
    return annotation is str or annotation in {"str", "builtins.str"}
