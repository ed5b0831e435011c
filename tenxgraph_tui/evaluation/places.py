"""Where in somebody's code an error came from."""

from __future__ import annotations

import traceback
from traceback import FrameSummary

from tenxgraph_tui.errors import grouped
from tenxgraph_tui.evaluation.heldtime import from_here, is_ours, is_users


def users_frame(error: BaseException) -> FrameSummary | None:
    """The innermost frame of the user's own code; None where no line of it is known.

    Of an exception group it is that of the first error in it that has one: the group itself comes
    from where the tasks were waited for.
    """
    if isinstance(error, BaseExceptionGroup):
        found = (users_frame(one) for one in grouped(error))
        within = next((frame for frame in found if frame is not None), None)
        if within is not None:
            return within
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if is_users(frame.filename) and frame.lineno is not None]
    return theirs[-1] if theirs else None


def place_in_code(error: BaseException) -> str:
    """`file:line` of the user's code that raised, or that cannot be compiled; "" if it is none."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    frame = users_frame(error)
    return f"{frame.filename}:{frame.lineno}" if frame is not None else ""


def place_of(error: BaseException) -> str:
    """`file:line` of the innermost frame of the user's own code, else of the library that raised.

    The file as it is called from here. Where an error stands for what a user's code raised, that
    is looked at. "" if it is we who raised it, whatever libraries we were called through.
    """
    cause = error.__cause__
    frame = (users_frame(cause) if cause is not None else None) or users_frame(error)
    if frame is None:
        raised = cause if cause is not None and cause.__traceback__ is not None else error
        frame = next(reversed(traceback.extract_tb(raised.__traceback__)), None)
        if frame is not None and is_ours(frame.filename):
            return ""
    return f"{from_here(frame.filename)}:{frame.lineno}" if frame is not None else ""
