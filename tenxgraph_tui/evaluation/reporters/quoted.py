"""Texts that a report leaves out, so that they are found where something quotes them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from tenxgraph_tui.evaluation.dataset import text_in
from tenxgraph_tui.evaluation.results import EvalCaseResult

GONE = "…"
LEAST = 4
"""Shorter texts are too common to be taken out of a sentence."""

GIVEN_ROLES = frozenset({"user", "system", "developer", "tool", "function"})

Told = TypeVar("Told", str, None, str | None)


@dataclass(frozen=True, slots=True)
class Quoted:
    """What a result may quote of the answers and calls that are left out, longest first."""

    answers: frozenset[str]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, result: EvalCaseResult, *, answers: bool, calls: bool) -> Quoted:
        """Of what is named; nothing is quoted of the rest."""
        said = frozenset(_answers(result) if answers else ())
        made = set(_calls(result) if calls else ())
        texts = (text for text in said | made if len(text) >= LEAST)
        asked = {str(turn.get("user_query", "")).strip() for turn in result.turn_results}
        return cls(said - asked, tuple(sorted(texts, key=len, reverse=True)))

    def gone(self, text: Told) -> Told:
        """`text` without the quotations."""
        if text is None:
            return text
        for quotation in self.texts:
            text = text.replace(quotation, GONE)
        return text

    def gone_from(self, facts: Mapping[str, Any], name: str) -> dict[str, Any]:
        """`facts` with the text `name`, where there is one, freed of quotations."""
        return {
            key: self.gone(value) if key == name and isinstance(value, str) else value
            for key, value in facts.items()
        }

    def is_answer(self, message: Mapping[str, Any]) -> bool:
        """Whether a message says exactly what the agent answered."""
        return _text(message) in self.answers


def _answers(result: EvalCaseResult) -> Iterator[str]:
    texts = [result.actual_response]
    texts += [str(turn.get("actual_response") or "") for turn in result.turn_results]
    texts += [str(reply.get("response_text") or "") for reply in result.node_responses]
    texts += [node.response_text for node in result.node_details]
    texts += [_text(each) for each in result.messages if each.get("role") not in GIVEN_ROLES]
    yield from (text for text in map(str.strip, texts) if text)


def _calls(result: EvalCaseResult) -> Iterator[str]:
    for call in result.actual_tool_calls:
        for value in (call.args, call.result):
            yield from _leaves(value)
        yield json.dumps(call.args, ensure_ascii=False, default=repr)
    for message in result.messages:
        if message.get("role") in {"tool", "function"}:
            yield _text(message)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        content = [block for block in content if isinstance(block, dict)]
    return text_in(content).strip() if isinstance(content, str | list) else ""
