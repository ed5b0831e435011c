"""Where a case stands in its file, so that an editor can be opened there.

The cases are read over one by one with the parser itself: what looks like an id inside of a text,
an id that is written with escapes, and a file that was edited since, are all taken for what they
are. Only the one case is walked through word by word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from tenxgraph_tui.evaluation.formats.positions import line_at, walk

CASES, ID = "eval_cases", "eval_id"
_BLANK = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder(strict=False)


def case_line(text: str, eval_id: str) -> int | None:
    """The line, from 1, of the id of a case, or of the case where it is called after its place.

    None where there is no such case, or the text is not JSON up to it.
    """
    try:
        for number, (start, case, end) in enumerate(_cases(text), start=1):
            if isinstance(case, dict) and case.get(ID, f"case-{number}") == eval_id:
                return line_at(text, start + _id_in(text[start:end]))
    except (ValueError, IndexError, RecursionError):
        return None
    return None


def _cases(text: str) -> Iterator[tuple[int, object, int]]:
    """Every case, between where it begins and ends. Of two lists of them the last one counts."""
    lists = [start for key, start in _members(text) if key == CASES and text[start] == "["]
    at = _skip(text, lists[-1] + 1) if lists else -1
    while lists and text[at] != "]":
        case, end = _DECODER.raw_decode(text, at)
        yield at, case, end
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)


def _members(text: str) -> Iterator[tuple[str, int]]:
    """The keys of the outermost object, and where the value of each begins."""
    at = _skip(text, 0)
    if text[at] != "{":
        return
    at = _skip(text, at + 1)
    while text[at] == '"':
        key, at = _DECODER.raw_decode(text, at)
        start = _after_colon(text, at)
        yield key, start
        _, at = _DECODER.raw_decode(text, start)
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)


def _id_in(case: str) -> int:
    """Where the id of a case stands in it; of two the last one counts."""
    return max((found.offset for found in walk(case) if found.path == (ID,)), default=0)


def _after_colon(text: str, at: int) -> int:
    at = _skip(text, at)
    if text[at] != ":":
        raise ValueError("a colon is missing")
    return _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at
