"""From LiteLLM's response object to a reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tenxgraph_tui.errors import JudgeFailure
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.judging.failures import AskingFailed
from tenxgraph_tui.evaluation.judging.port import JudgeReply


def reply_of(response: Any, model: str, without: Sequence[str] = ()) -> JudgeReply:
    """What `model` said; `without` are the arguments that it did not take.

    Raises:
        AskingFailed: the response holds no answer at all.
    """
    choices = getattr(response, "choices", None) or []
    if not choices:
        told = f"judge {model}: its response has no choices"
        raise AskingFailed(told, JudgeFailure.NO_CHOICES)
    message = choices[0].message
    usage = usage_of(getattr(response, "usage", None))
    hidden = getattr(response, "_hidden_params", None) or {}
    text = getattr(message, "content", None)
    return JudgeReply(
        text=text if isinstance(text, str) else None,
        finish_reason=str(getattr(choices[0], "finish_reason", None) or "unknown"),
        refusal=refusal_of(message),
        usage=usage,
        cost=hidden.get("response_cost") if usage is not None else None,
        notes=tuple(f"asked without {name}: the model does not take it" for name in without),
    )


def usage_of(usage: Any) -> TokenUsage | None:
    """The tokens; None where the response does not tell them, which LiteLLM makes zeros."""
    if not _count(usage, "total_tokens"):
        return None
    details = getattr(usage, "prompt_tokens_details", None)
    created = _count(details, "cache_creation_tokens")
    return TokenUsage(
        input_tokens=_count(usage, "prompt_tokens"),
        output_tokens=_count(usage, "completion_tokens"),
        cache_read_tokens=_count(details, "cached_tokens"),
        cache_creation_tokens=created or _count(usage, "cache_creation_input_tokens"),
    )


def refusal_of(message: Any) -> str | None:
    """What a model says where it refuses, apart from its answer."""
    said = getattr(message, "refusal", None)
    if said is None:
        extra = getattr(message, "provider_specific_fields", None)
        said = extra.get("refusal") if isinstance(extra, dict) else None
    return said if isinstance(said, str) and said else None


def _count(holder: Any, name: str) -> int:
    found = getattr(holder, name, None)
    if not isinstance(found, int):
        return 0
    return max(found, 0)  # some say -1 where they cannot tell
