"""The judge that asks models, through LiteLLM."""

from __future__ import annotations

import asyncio
import os
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tenxgraph_tui.errors import JudgeError, JudgeFailure
from tenxgraph_tui.evaluation.judging import library
from tenxgraph_tui.evaluation.judging.address import Address, address
from tenxgraph_tui.evaluation.judging.failures import AskingFailed, asking_failed
from tenxgraph_tui.evaluation.judging.hiding import hiding
from tenxgraph_tui.evaluation.judging.port import JudgeOptions, JudgeReply, JudgeRequest
from tenxgraph_tui.evaluation.judging.replies import reply_of
from tenxgraph_tui.evaluation.judging.tries import Tries, turn

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
            raise JudgeError(found.problem, found.cause)
        return await library.JUDGES.run(self._ask(request, found))

    async def _ask(self, request: JudgeRequest, found: Address) -> JudgeReply:
        """On the judges' loop: try until there is an answer, or no point or no time left."""
        library.litellm()

        async def attempt(deadline: asyncio.Timeout) -> JudgeReply:
            async with turn(self._slots, deadline):
                return await self._in_time(request, found)

        return await Tries(request.model, self.options).of(attempt)

    async def _in_time(self, request: JudgeRequest, found: Address) -> JudgeReply:
        """LiteLLM's own time-out never ends for a server that sends a byte now and then."""
        try:
            async with asyncio.timeout(self.options.timeout):
                return await self._send(request, found)
        except TimeoutError:
            told = f"judge {request.model}: it did not answer within {self.options.timeout:g} s"
            raise AskingFailed(told, JudgeFailure.TIMEOUT) from None

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
            "messages": [{"role": "user", "content": _sendable(request.prompt)}],
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


def _sendable(prompt: str) -> str:
    """Half a surrogate pair, which no request can carry, as it is written: `\\ud800`."""
    return prompt.encode("utf-8", "backslashreplace").decode("utf-8")


def _format(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "json_schema",
        "json_schema": {"name": "verdict", "strict": True, "schema": dict(schema)},
    }


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
