"""Answers that judges gave before: what they are known by, and the port to whoever keeps them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from tenxgraph_tui.evaluation.execution import Usage
from tenxgraph_tui.evaluation.judging.address import address
from tenxgraph_tui.evaluation.judging.port import JudgeOptions, JudgeReply, JudgeRequest
from tenxgraph_tui.evaluation.judging.providers import script_of

SERVER = ("_BASE_URL", "_API_BASE", "_API_VERSION")
"""How variables end that send a model's requests to another server."""
OURS = "TENXGRAPH_TUI_"


class KeptAnswers(Protocol):
    """Keeps texts by key, longer than one run. It never raises: what it cannot keep is asked again.

    Any thread may use it.
    """

    def get(self, key: str) -> str | None:
        """What was kept under the key, if it still is."""

    def put(self, key: str, answer: str) -> None:
        """Keep it, in place of what was there."""


class _Answer(BaseModel):
    """A reply as it is kept: its text in pieces, with the run's marker between them."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    pieces: tuple[str, ...]
    finish_reason: str
    usage: Usage | None
    cost: float | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """What judges said to the same question before, asked in the same way.

    The random marker of a run is no part of the question: prompt and answer are kept as the pieces
    around it, so that no text of an agent can pass for it. `options` and `environ` say where
    models are asked.
    """

    kept: KeptAnswers
    options: JudgeOptions = field(default_factory=JudgeOptions)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def known(self, request: JudgeRequest) -> JudgeReply | None:
        """The reply that was kept, with the marker of this request; it costs nothing now."""
        text = None
        if script_of(request.model) is None:  # a script may have been edited, and costs nothing
            text = self.kept.get(self._key(request)) if _is_of_a_model(request) else None
        if text is None:
            return None
        try:
            answer = _Answer.model_validate_json(text)
        except ValidationError:  # another version wrote it
            return None
        return JudgeReply(
            text=request.marker.join(answer.pieces),
            finish_reason=answer.finish_reason,
            usage=answer.usage,
            cost=answer.cost,
            notes=answer.notes,
            cached=True,
        )

    def keep(self, request: JudgeRequest, reply: JudgeReply) -> None:
        """Keep a reply that is a verdict: whoever calls this has read it as one."""
        if reply.cached or reply.text is None or script_of(request.model) is not None:
            return
        answer = _Answer(
            pieces=tuple(reply.text.split(request.marker)),
            finish_reason=reply.finish_reason,
            usage=reply.usage,
            cost=reply.cost,
            notes=reply.notes,
        )
        self.kept.put(self._key(request), answer.model_dump_json())

    def _key(self, request: JudgeRequest) -> str:
        asked: dict[str, Any] = {
            "prompt": request.prompt.split(request.marker),
            "schema": request.schema,
            "temperature": request.temperature,
            "sample": request.sample,
            "attempt": request.attempt,
            "max_tokens": self.options.max_tokens,
            **self._whom(request.model),
        }
        told = json.dumps(asked, sort_keys=True, default=repr)
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()

    def _whom(self, model: str) -> dict[str, Any]:
        """Who answers, as far as it can be told from here; no key is part of it."""
        found = address(model, self.options.base_url, self.environ)
        where = {name: value for name, value in found.extra.items() if name != "api_key"}
        servers = {
            name: value
            for name, value in self.environ.items()
            if name.endswith(SERVER) and not name.startswith(OURS)
        }
        return {"model": found.model, "where": where, "servers": servers}


def _is_of_a_model(request: JudgeRequest) -> bool:
    """A script costs nothing, and may say something else as soon as its file is saved."""
    return script_of(request.model) is None
