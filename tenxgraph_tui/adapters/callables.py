"""A plain function as an agent under evaluation."""

from __future__ import annotations

import contextvars
import inspect
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from tenxgraph_tui.adapters.chat import for_api, last_text
from tenxgraph_tui.adapters.port import Answer, MessageDict, Observer
from tenxgraph_tui.adapters.telling import Reply
from tenxgraph_tui.adapters.threads import in_thread, is_async
from tenxgraph_tui.adapters.turns import ordinary_errors
from tenxgraph_tui.errors import TargetError


class CallableAgent:
    """Implements `Runnable` over a function of the messages, or of the last user's text.

    It gets a text when its first parameter is annotated `str`, else the list of all messages so far
    in OpenAI's style. It returns a text, a message, a list of messages, or an `ExecutionResult` of
    the turn; a generator yields texts, which are joined, and messages. Tool calls and tool messages
    in them are recorded. `async` code runs on the loop, anything else in a thread.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._name = getattr(function, "__name__", type(function).__name__)
        self._wants_text = _wants_text(function)
        self._on_loop = is_async(function)
        _check_parameters(function, self._name)

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
        reply = Reply(observer, self._name, given)
        with ordinary_errors():
            await self._answer(last_text(given) if self._wants_text else given, reply)
        return Answer(reply.messages())

    async def _answer(self, argument: Any, reply: Reply) -> None:
        if self._on_loop:
            returned = await self._function(argument)
        else:
            returned = await in_thread(self._function, argument)
            if inspect.isawaitable(returned):
                returned = await returned
        if isinstance(returned, AsyncIterator):
            await _drain(returned, reply)
        elif isinstance(returned, Iterator):
            await _drain_in_threads(returned, reply)
        else:
            reply.whole(returned)


async def _drain(stream: AsyncIterator[Any], reply: Reply) -> None:
    if not inspect.isasyncgen(stream):
        async for item in stream:
            reply.piece(item)
    else:
        async with aclosing(stream):
            async for item in stream:
                reply.piece(item)
    reply.end_text()


async def _drain_in_threads(stream: Iterator[Any], reply: Reply) -> None:
    """All steps in one context: what a generator sets there, it finds again after a `yield`."""
    context = contextvars.copy_context()

    def step() -> tuple[bool, Any]:
        try:
            return True, next(stream)
        except StopIteration as end:  # it cannot cross a future
            return False, end.value

    goes_on, item = await in_thread(context.run, step)
    while goes_on:
        reply.piece(item)
        goes_on, item = await in_thread(context.run, step)
    reply.result_of_stream(item)


def _check_parameters(function: Callable[..., Any], name: str) -> None:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some builtins have no signature
        return
    try:
        signature.bind(None)
    except TypeError as error:
        raise TargetError(
            f"{name}{signature} cannot be called with one argument, the messages ({error}): "
            "write a function of the messages, or of the text of the last one"
        ) from error


def _wants_text(function: Callable[..., Any]) -> bool:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # some builtins have no signature
        return False
    annotation = parameters[0].annotation if parameters else None
    return annotation is str or annotation in {"str", "builtins.str"}
