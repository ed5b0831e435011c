"""Files of other tools, recognised so that the message can say what they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

NOT_YET = "this is a Google ADK {what}: such files are not read yet"


def foreign_kind(data: Any) -> str | None:
    """A sentence about what the file is, if it is one that another tool wrote."""
    if isinstance(data, list):
        return NOT_YET.format(what="test file (a list of turns)") if _turns(data) else None
    if not isinstance(data, dict):
        return None
    if "evalSetId" in data or "evalCases" in data:
        return NOT_YET.format(what="eval set (camelCase keys)")
    if any(_adk_turn(turn) for turn in _conversations(data)):
        return NOT_YET.format(what="eval set (contents with parts)")
    return None


def _turns(items: list[Any]) -> bool:
    """The older generation: turns with a query, or sets of them under `data`."""
    return any(isinstance(item, dict) and ("query" in item or "data" in item) for item in items)


def _conversations(data: dict[str, Any]) -> Iterator[Any]:
    cases = data.get("eval_cases")
    for case in cases if isinstance(cases, list) else ():
        turns = case.get("conversation") if isinstance(case, dict) else None
        yield from turns if isinstance(turns, list) else ()


def _adk_turn(turn: Any) -> bool:
    if not isinstance(turn, dict):
        return False
    content = turn.get("user_content")
    return "userContent" in turn or (isinstance(content, dict) and "parts" in content)
