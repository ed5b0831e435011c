"""A judge that answers from a script: for tests, and for judged criteria without a model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tenxgraph_tui.errors import JudgeError
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.judging.forms import CHECK
from tenxgraph_tui.evaluation.judging.port import JudgeReply, JudgeRequest

MARKER = "$MARKER"
"""Stands for the marker of the request in scripted texts."""

Answer = str | Mapping[str, Any] | JudgeReply | Exception
"""A mapping is a verdict, and signed with the marker; a text is said as it is written."""


class ScriptedJudge:
    """Gives one answer after the other, the last one for ever, or asks `answers` for each.

    `usage` is what every answer takes, `cost` the dollars for it. `requests` holds what was asked,
    in order.
    """

    def __init__(
        self,
        answers: Iterable[Answer] | Callable[[JudgeRequest], Answer],
        usage: TokenUsage | None = None,
        cost: float | None = None,
    ) -> None:
        self._answer = answers if callable(answers) else _in_turn(answers)
        self._usage, self._cost = usage, cost
        self.requests: list[JudgeRequest] = []

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        """See `Judge`; an exception in the script is raised."""
        self.requests.append(request)
        answer = self._answer(request)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, JudgeReply):
            return answer
        if not isinstance(answer, str):
            answer = json.dumps({**answer, CHECK: MARKER}, ensure_ascii=False)
        return JudgeReply(
            answer.replace(MARKER, request.marker), usage=self._usage, cost=self._cost
        )


def _in_turn(answers: Iterable[Answer]) -> Callable[[JudgeRequest], Answer]:
    script = iter(answers)
    last: Answer = JudgeError("the script of the judge has no answer")

    def following(_: JudgeRequest) -> Answer:
        nonlocal last
        last = next(script, last)
        return last

    return following
