"""The judge port: one prompt in, one reply out, whoever answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tenxgraph_tui.evaluation.execution import TokenUsage

ENOUGH_FOR_A_VERDICT = 8_192
"""Tokens of one answer. A ceiling, not a price: models that think count their thoughts too."""


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How judges of a run are asked, whatever its criteria want of them.

    `model` and `base_url` None leave the model to each criterion and the address to its provider;
    with `base_url` every model is asked there, as an OpenAI-compatible server is. `prompts_dir` has
    prompts that take the place of ours. `timeout` is for
    one request, `total` for one sample with its retries but without waiting for its turn, both in
    seconds. At most `max_concurrency` requests are under way at once.
    """

    model: str | None = None
    base_url: str | None = None
    timeout: float = 60.0
    total: float = 180.0
    attempts: int = 4
    max_concurrency: int = 8
    max_tokens: int = ENOUGH_FOR_A_VERDICT
    prompts_dir: str | None = None


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One sample that a judge is asked for.

    `prompt` is all that the model reads. `marker` is the random text in it that the verdict must
    repeat as `check`; text of an agent cannot know it. `schema` is the JSON schema of the verdict,
    `sample` counts from 1. `criterion`, `eval_id`, the position of the `turn` and the `attempt`
    (from 0) say what it is asked for.
    """

    prompt: str
    marker: str
    model: str
    schema: Mapping[str, Any] = field(default_factory=dict)
    temperature: float = 0.0
    sample: int = 1
    criterion: str = ""
    eval_id: str = ""
    turn: int = 0
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """What a model said; whether that is a verdict is not decided here.

    `usage` and `cost` (US dollars) are None where they are unknown. `notes` say what of the request
    the model did not take, a temperature for example. A `cached` reply cost nothing now.
    """

    text: str | None
    finish_reason: str = "stop"
    refusal: str | None = None
    usage: TokenUsage | None = None
    cost: float | None = None
    notes: tuple[str, ...] = ()
    cached: bool = False


class Judge(Protocol):
    """Whoever answers prompts: a model, a script, a cache before another judge."""

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        """The model's answer to one request.

        Raises:
            JudgeError: there is none; the message says why in one sentence.
        """
