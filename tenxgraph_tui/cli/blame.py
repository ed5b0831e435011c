"""What an error came from, taken apart for a screen: kind, message, place and the traceback."""

from __future__ import annotations

import linecache
import sys
import traceback
from typing import Any

from tenxgraph_tui.errors import StoreError, TargetError, TenxError, worded
from tenxgraph_tui.evaluation.places import users_frame

LONGEST_TRACEBACK = 400
"""Lines; of a recursion without end the beginning says nothing that the end does not."""


def blamed(error: BaseException) -> dict[str, Any]:
    """What `Reply.data` carries of an error. Places count lines from 1 and columns from 0.

    `column` and `end_column` are there only where a part of the line is to blame.
    """
    cause = error
    while isinstance(cause, TenxError) and cause.__cause__ is not None:
        cause = cause.__cause__
    if cause is error and isinstance(error, TenxError):
        return {}
    lines = "".join(traceback.format_exception(cause)).splitlines()
    if isinstance(error, StoreError):  # it names the file and the cure; SQLite knows neither
        return {"traceback": lines}
    data: dict[str, Any] = {
        "kind": type(cause).__name__,
        "message": _message(cause),
        "traceback": lines[-LONGEST_TRACEBACK:],
        **_place(cause),
    }
    if isinstance(error, TargetError):
        version = ".".join(str(part) for part in sys.version_info[:3])
        data["python"] = f"{sys.executable} ({version})"
    return data


def _message(cause: BaseException) -> str:
    if isinstance(cause, SyntaxError):
        return cause.msg
    return worded(cause).partition(": ")[2]


def _place(cause: BaseException) -> dict[str, Any]:
    if isinstance(cause, SyntaxError):
        return _of_syntax(cause)
    frame = users_frame(cause)
    if frame is None:
        return {}
    return {"file": frame.filename, "line": frame.lineno, **_of_frame(frame)}


def _of_syntax(cause: SyntaxError) -> dict[str, Any]:
    if not cause.filename or not cause.lineno:
        return {}
    data: dict[str, Any] = {"file": cause.filename, "line": cause.lineno}
    if cause.offset is None or cause.offset < 1:
        return data
    begin = cause.offset - 1
    is_same_line = cause.end_lineno in {None, cause.lineno}
    end = cause.end_offset - 1 if cause.end_offset and is_same_line else begin + 1
    return data | _part_of(cause.text or "", begin, max(end, begin + 1))


def _of_frame(frame: traceback.FrameSummary) -> dict[str, Any]:
    """The part of the line that was at work; nothing where that is all of it."""
    source = linecache.getline(frame.filename, frame.lineno or 0)
    if frame.colno is None or frame.end_colno is None or frame.end_lineno != frame.lineno:
        return {}
    begin, end = _characters(source, frame.colno), _characters(source, frame.end_colno)
    return _part_of(source, begin, end)


def _part_of(source: str, begin: int, end: int) -> dict[str, Any]:
    """Where in a line something stands, unless it is all of it."""
    if source and not source[:begin].strip() and not source[end:].strip():
        return {}
    return {"column": begin, "end_column": end}


def _characters(source: str, count: int) -> int:
    """How many characters `count` bytes of UTF-8 are."""
    return len(source.encode()[:count].decode(errors="replace"))
