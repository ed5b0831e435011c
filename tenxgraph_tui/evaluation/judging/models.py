"""The judge that asks models, through LiteLLM."""

from __future__ import annotations

import asyncio
import logging
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from tenxgraph_tui.errors import JudgeError, JudgeFailure
from tenxgraph_tui.evaluation.judging import library
from tenxgraph_tui.evaluation.judging.address import Address, address
from tenxgraph_tui.evaluation.judging.failures import AskingFailed, asking_failed
from tenxgraph_tui.evaluation.judging.hiding import hiding
from tenxgraph_tui.evaluation.judging.port import JudgeOptions, JudgeReply, JudgeRequest
from tenxgraph_tui.evaluation.judging.replies import reply_of

log = logging.getLogger(__name__)

LONGEST_WAIT = 60.0
"""Seconds. A server that asks for more is not waited for."""
FIRST_WAIT, MOST_WAIT = 0.5, 8.0
REFUSED = {400, 422}
OPTIONAL = {
    "response_format": ("response_format", "json_schema", "response schema", "output_format"),
    "temperature": ("temperature",),
    "max_tokens": ("max_tokens", "max_output_tokens", "maxoutputtokens"),
}
"""What a request can do without, and the words by which a refusal of it is known."""


class LiteLLMJudge:
    """Asks any model that LiteLLM reaches, or one behind `options.base_url`.

    One object is the judge of a whole run: what it has under way never exceeds the options' limit.
    Any loop may ask, also several at once. `environ` is where keys are looked for.
    """

    def __init__(
        self, options: JudgeOptions | None = None, environ: Mapping[str, str] = os.environ
    ) -> None:
        self.options = options or JudgeOptions()
        self._environ = environ
        self._slots = asyncio.Semaphore(self.options.max_concurrency)
        self._refused: defaultdict[str, set[str]] = defaultdict(set)

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        """See `Judge`."""
        found = address(request.model, self.options.base_url, self._environ)
        if found.problem:
            raise JudgeError(found.problem, JudgeFailure.NO_KEY)
        return await library.JUDGES.run(self._ask(request, found))

    async def _ask(self, request: JudgeRequest, found: Address) -> JudgeReply:
        """On the judges' loop: try until there is an answer, or no point or no time left."""
        from tenacity import (
            AsyncRetrying,
            RetryCallState,
            retry_if_exception,
            stop_after_attempt,
            wait_random_exponential,
        )

        library.litellm()
        back_off = wait_random_exponential(multiplier=FIRST_WAIT, max=MOST_WAIT)
        last: list[AskingFailed] = []

        def wait(state: RetryCallState) -> float:
            told = last[-1].after
            return back_off(state) if told is None else told

        def say(state: RetryCallState) -> None:
            seconds = state.next_action.sleep if state.next_action is not None else 0.0
            log.warning("%s; again in %.1f s", last[-1], seconds)

        retrying = AsyncRetrying(
            stop=stop_after_attempt(self.options.attempts),
            wait=wait,
            retry=retry_if_exception(_makes_sense_again),
            before_sleep=say,
            reraise=True,
        )
        try:
            async with asyncio.timeout(self.options.total) as deadline:
                async for attempt in retrying:
                    with attempt:
                        try:
                            return await self._attempt(request, found, deadline)
                        except AskingFailed as error:
                            last.append(error)
                            raise
        except AskingFailed as error:
            raise JudgeError(_tries(str(error), len(last)), error.cause) from None
        except TimeoutError:
            raise self._too_late(request, last) from None
        raise AssertionError("tenacity returns or raises")

    async def _attempt(
        self, request: JudgeRequest, found: Address, deadline: asyncio.Timeout
    ) -> JudgeReply:
        async with self._turn(deadline):
            try:
                async with asyncio.timeout(self.options.timeout):
                    return await self._send(request, found)
            except TimeoutError:
                told = f"judge {request.model}: it did not answer within {self.options.timeout:g} s"
                raise AskingFailed(told, JudgeFailure.TIMEOUT) from None

    @asynccontextmanager
    async def _turn(self, deadline: asyncio.Timeout) -> AsyncIterator[None]:
        """One of the slots. Waiting for it does not count against the deadline."""
        loop, until = asyncio.get_running_loop(), deadline.when()
        began = loop.time()
        deadline.reschedule(None)
        async with self._slots:
            deadline.reschedule(None if until is None else until + loop.time() - began)
            yield

    async def _send(self, request: JudgeRequest, found: Address) -> JudgeReply:
        """One request, repeated without what the model refuses to take."""
        refused = self._refused[found.model]
        while True:
            arguments = self._arguments(request, found)
            try:
                response = await library.litellm().acompletion(**arguments)
            except Exception as error:  # noqa: BLE001 - providers raise what they like
                named = _named_in(error, arguments)
                if not named:
                    failed = asking_failed(error, request.model, hiding(self._environ))
                    raise _hinted(failed, found.hint) from None
                refused |= named
                continue
            return reply_of(response, request.model, sorted(refused))

    def _arguments(self, request: JudgeRequest, found: Address) -> dict[str, Any]:
        """All per call: nothing of the library's own state is changed or relied on."""
        model = library.litellm()
        wanted: dict[str, Any] = {"temperature": request.temperature}
        wanted["max_tokens"] = self._max_tokens(found.model)
        with suppress(Exception):
            if request.schema and model.supports_response_schema(model=found.model):
                wanted["response_format"] = _format(request.schema)
        for name in self._refused[found.model]:
            wanted.pop(name, None)
        return {
            "model": found.model,
            "messages": [{"role": "user", "content": request.prompt}],
            "timeout": self.options.timeout,
            "max_retries": 0,
            "num_retries": 0,
            "caching": False,
            "no-log": True,  # an agent's callbacks would count these tokens as its own
            **wanted,
            **found.extra,
        }

    def _max_tokens(self, model: str) -> int:
        """Of an answer: no more than the model can, where that is known."""
        with suppress(Exception):
            most = library.litellm().get_model_info(model).get("max_output_tokens")
            if isinstance(most, int) and most > 0:
                return min(most, self.options.max_tokens)
        return self.options.max_tokens

    def _too_late(self, request: JudgeRequest, last: list[AskingFailed]) -> JudgeError:
        told = f"judge {request.model}: no answer within {self.options.total:g} s"
        if last:
            told = f"{last[-1]} (given up after {self.options.total:g} s)"
        return JudgeError(told, last[-1].cause if last else JudgeFailure.TIMEOUT)


def _format(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "json_schema",
        "json_schema": {"name": "verdict", "strict": True, "schema": dict(schema)},
    }


def _makes_sense_again(error: BaseException) -> bool:
    if not isinstance(error, AskingFailed) or not error.is_transient:
        return False
    return error.after is None or error.after <= LONGEST_WAIT


def _named_in(error: Exception, arguments: Mapping[str, Any]) -> set[str]:
    """Which of the optional arguments a refusal complains about."""
    is_refusal = type(error).__name__ == "UnsupportedParamsError"
    if not is_refusal and getattr(error, "status_code", None) not in REFUSED:
        return set()
    text = str(error).lower()
    return {
        name
        for name, words in OPTIONAL.items()
        if name in arguments and any(word in text for word in words)
    }


def _hinted(failed: AskingFailed, hint: str) -> AskingFailed:
    if not hint or failed.cause is not JudgeFailure.CONNECTION:
        return failed
    return AskingFailed(f"{failed} ({hint})", failed.cause, failed.after)


def _tries(told: str, tries: int) -> str:
    return f"{told} ({tries} tries)" if tries > 1 else told
