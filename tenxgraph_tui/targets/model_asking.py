"""The requests of a model that is a target: asked as judges are, on the loop that they share."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tenxgraph_tui.adapters.chat import for_api
from tenxgraph_tui.adapters.messages import to_dicts
from tenxgraph_tui.errors import EndpointError, JudgeFailure
from tenxgraph_tui.evaluation.judging import library
from tenxgraph_tui.evaluation.judging.address import Address
from tenxgraph_tui.evaluation.judging.failures import asking_failed
from tenxgraph_tui.evaluation.judging.hiding import hiding
from tenxgraph_tui.evaluation.judging.replies import refusal_of, usage_of
from tenxgraph_tui.evaluation.retrying import retrying
from tenxgraph_tui.evaluation.secrets import Hiding
from tenxgraph_tui.evaluation.target_options import ModelOptions
from tenxgraph_tui.graph import Message
from tenxgraph_tui.graph.blocks import TextBlock
from tenxgraph_tui.graph.messages import TokenUsages

log = logging.getLogger(__name__)

CUT = "length"
FILTERED = "content_filter"


@dataclass(frozen=True, slots=True)
class ModelRequests:
    """Asks one model; `called` is the spec of the target, `tools` are in OpenAI's schema."""

    called: str
    address: Address
    options: ModelOptions
    tools: Sequence[dict[str, Any]]

    async def ask(self, context: Sequence[Message]) -> Message:
        """The model's next message after these.

        Raises:
            EndpointError: there is none, after as many tries as the options allow.
        """
        messages = [for_api(told) for message in context for told in to_dicts(message)]
        if self.options.system_prompt:
            messages.insert(0, {"role": "system", "content": self.options.system_prompt})
        response = await retrying(
            lambda: library.JUDGES.run(self._once(messages)),
            EndpointError,
            attempts=self.options.retries + 1,
            say=lambda error, seconds: log.warning("%s; again in %.1f s", error, seconds),
        )
        return self._message(response)

    async def _once(self, messages: list[dict[str, Any]]) -> Any:
        """LiteLLM's own time-out never ends for a server that sends a byte now and then."""
        try:
            async with asyncio.timeout(self.options.timeout):
                return await library.litellm().acompletion(**self._arguments(messages))
        except TimeoutError:
            told = f"target {self.called}: it did not answer within {self.options.timeout:g} s"
            raise EndpointError(told, is_transient=True) from None
        except Exception as error:  # noqa: BLE001 - providers raise what they like
            failed = asking_failed(error, self.called, self._hide, who="target")
            at = self.options.base_url if failed.cause is JudgeFailure.CONNECTION else None
            notes = [note for note in (at, self.address.hint) if note]
            told = f"{failed} ({'; '.join(notes)})" if notes else str(failed)
            raise EndpointError(
                told, is_transient=failed.is_transient, after=failed.after
            ) from None

    def _arguments(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        wanted = {
            "tools": list(self.tools) or None,
            "temperature": self.options.temperature,
            "max_tokens": self.options.max_tokens,
        }
        return {
            "model": self.address.model,
            "messages": messages,
            "timeout": self.options.timeout,
            "max_retries": 0,
            "num_retries": 0,
            "caching": False,
            **{name: value for name, value in wanted.items() if value is not None},
            **self.address.extra,
        }

    def _hide(self, text: str) -> str:
        own = Hiding([str(self.address.extra.get("api_key", ""))])
        return own(hiding(os.environ)(text))

    def _message(self, response: Any) -> Message:
        choices = getattr(response, "choices", None) or []
        if not choices:
            raise EndpointError(f"target {self.called}: its response has no choices")
        said, reason = choices[0].message, getattr(choices[0], "finish_reason", None)
        calls = [_request(call) for call in getattr(said, "tool_calls", None) or ()]
        text = getattr(said, "content", None) or refusal_of(said) or ""
        if not calls and not text and reason == CUT:
            raise EndpointError(
                f"target {self.called}: its answer was cut off before its first word "
                "(model.max_tokens)"
            )
        if not calls and not text and reason == FILTERED:
            raise EndpointError(f"target {self.called}: its answer was filtered out")
        return Message(
            role="assistant",
            content=[TextBlock(text=text)] if text else [],
            tools_calls=calls or None,
            usages=_usages(response),
            raw={"model": self.address.model},
        )


def _request(call: Any) -> dict[str, Any]:
    function = {"name": call.function.name or "", "arguments": call.function.arguments or "{}"}
    return {"id": call.id, "type": "function", "function": function}


def _usages(response: Any) -> TokenUsages | None:
    usage = usage_of(getattr(response, "usage", None))
    if usage is None:
        return None
    return TokenUsages(
        prompt_tokens=usage.input_tokens,
        completion_tokens=usage.output_tokens,
        total_tokens=usage.total_tokens,
        cache_read_input_tokens=usage.cache_read_tokens,
        cache_creation_input_tokens=usage.cache_creation_tokens,
    )
