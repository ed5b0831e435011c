"""Finding the verdict in what a model said: the last whole JSON object that carries the marker.

Nothing is repaired: an object is read as JSON, else as JSON5, else it is none.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

from tenxgraph_tui.errors import JudgeError, JudgeFailure
from tenxgraph_tui.evaluation.judging.forms import CHECK

TRIED_BRACES = 20
"""Lone braces that prose may hold before the answer counts as cut off."""
SHOWN = 120
"""Characters of an answer that an error quotes."""
LONGEST_JSON5 = 20_000
"""Characters; json5 is written in Python and takes 6 µs for each."""
THOUGHT = "</think>"
OBJECT_BEGINS = re.compile(r"\{\s*[\"']")
CLOSES = {"}": "{", "]": "["}


def verdict_in(text: str, marker: str) -> dict[str, Any]:
    """The last object in `text` whose `check` is `marker`.

    Raises:
        JudgeError: there is none, or the text ends within an object.
    """
    try:
        objects = _objects(text)
    except ValueError:
        _, thought, tail = text.rpartition(THOUGHT)
        if not thought:
            raise JudgeError(_cut(text), JudgeFailure.TRUNCATED) from None
        try:
            objects = _objects(tail)
        except ValueError:
            raise JudgeError(_cut(text), JudgeFailure.TRUNCATED) from None
    if not objects:
        raise JudgeError(f"the judge answered without JSON: {_seen(text)}", JudgeFailure.NO_JSON)
    signed = [found for found in objects if found.get(CHECK) == marker]
    if not signed:
        raise JudgeError(
            f"no verdict of the judge's own (none carries this run's marker): {_seen(text)}",
            JudgeFailure.NO_VERDICT,
        )
    return signed[-1]


def _objects(text: str) -> list[dict[str, Any]]:
    """Every whole object, outermost ones only; ValueError if the text ends within one."""
    found: list[dict[str, Any]] = []
    at = misses = 0
    while (at := text.find("{", at)) >= 0:
        value, end = _read(text, at)
        if end is None:
            misses += 1
            if misses > TRIED_BRACES or OBJECT_BEGINS.match(text, at):
                raise ValueError("the text ends within an object")
            at += 1
            continue
        if isinstance(value, dict):
            found.append(value)
        at = end
    return found


def _read(text: str, at: int) -> tuple[Any, int | None]:
    """What begins at `at`, None if it cannot be read, and where it ends, None if it does not."""
    try:
        return _STRICT.raw_decode(text, at)
    except (ValueError, RecursionError):
        end = closing(text, at)
    if end is None or end - at > LONGEST_JSON5:
        return None, end
    import json5

    with suppress(ValueError, RecursionError):
        # Once through JSON: escaped surrogate pairs become characters.
        return json.loads(json.dumps(json5.loads(text[at:end], allow_duplicate_keys=False))), end
    return None, end


def closing(text: str, at: int) -> int | None:
    """The index after the bracket that closes the one at `at`; None if it stays open.

    Brackets within strings do not count. A double quote always opens one, a single quote only
    where a key or a value can begin: it is an apostrophe elsewhere.
    """
    open_ones: list[str] = []
    quote, before, index = "", "", at
    while index < len(text):
        char = text[index]
        if quote:
            if char == "\\":
                index += 1
            elif char == quote:
                quote = ""
        elif char == '"' or (char == "'" and before in "{[,:"):
            quote = char
        elif char in "{[":
            open_ones.append(char)
        elif char in CLOSES:
            if open_ones.pop() != CLOSES[char]:
                return None
            if not open_ones:
                return index + 1
        if not char.isspace():
            before = char
        index += 1
    return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key that stands twice makes it unclear what is meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _cut(text: str) -> str:
    return f"the judge's answer ends within an object: …{text.strip()[-60:]!r}"


def _seen(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…")


_STRICT = json.JSONDecoder(strict=False, object_pairs_hook=_once)
