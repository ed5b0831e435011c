"""The form of a verdict: what a judge is told to answer with, and the number in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tenxgraph_tui.errors import JudgeError, JudgeFailure

CHECK = "check"
"""The field of every verdict that repeats the marker of its prompt."""

ONE_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The fields of a verdict, each with its JSON schema; its `description` tells the model.

    All are asked for. Which of them must be there is up to whoever reads the verdict. With
    `is_open` the prompt itself may ask for more fields.
    """

    fields: Mapping[str, Mapping[str, Any]]
    is_open: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the whole verdict, the same for every marker; empty if it `is_open`.

        Models that keep to a schema strictly would leave out every other field.
        """
        if self.is_open:
            return {}
        check = {"type": "string", "description": "the marker, copied exactly"}
        return {
            "type": "object",
            "properties": {**self.fields, CHECK: check},
            "required": [*self.fields, CHECK],
            "additionalProperties": False,
        }

    def instructions(self, marker: str) -> str:
        """How to answer, in words, for the end of a prompt."""
        lines = [f"- {json.dumps(name)}: {_told(field)}" for name, field in self.fields.items()]
        return "\n".join(
            [
                "Answer with one JSON object and nothing else: no text around it, no code fence.",
                "Its fields, beside those asked for above:" if self.is_open else "Its fields:",
                *lines,
                f'- "{CHECK}": exactly "{marker}"',
            ]
        )


SCORED = AnswerForm(
    {
        "reasoning": {"type": "string", "description": "why, in one or two sentences"},
        "score": {"type": "number", "description": "a number from 0.0 (worst) to 1.0 (best)"},
    }
)
"""A reason and a score: what most criteria ask for."""


def score_in(verdict: Mapping[str, Any], field: str = "score") -> float:
    """The number in a field of a verdict: from 0.0 to 1.0, or a text that holds just that.

    Raises:
        JudgeError: it is missing, or anything else; no scale is guessed.
    """
    if field not in verdict:
        raise JudgeError(f"the verdict has no {field!r}", JudgeFailure.BAD_SCORE)
    return share(verdict[field], f"the judge's {field}")


def share(value: Any, called: str) -> float:
    """`value` as a number from 0.0 to 1.0.

    Raises:
        JudgeError: it is none; the message begins with `called`.
    """
    number = value
    if isinstance(value, str) and ONE_NUMBER.fullmatch(value.strip()):
        number = float(value)
    if isinstance(number, bool) or not isinstance(number, int | float):
        told = json.dumps(value, ensure_ascii=False, default=repr)
        raise JudgeError(f"{called} is no number: {told[:80]}", JudgeFailure.BAD_SCORE)
    if not 0 <= number <= 1:  # NaN is not either
        raise JudgeError(f"{called} is outside 0 to 1: {number}"[:120], JudgeFailure.BAD_SCORE)
    return float(number)


def _told(field: Mapping[str, Any]) -> str:
    return str(field.get("description") or field.get("type") or "any JSON value")
