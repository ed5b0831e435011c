"""What of a log can be had whole: a line, the traceback of an error, everything."""

from __future__ import annotations

from collections.abc import Iterable

from tenxgraph_tui.evaluation.events import Log
from tenxgraph_tui.tui.panes.journal import Entry, of_case, of_run, traceback_of
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.picked import Picked


def of_entry(entry: Entry) -> Picked | None:
    """What a row stands for; None for a note."""
    if entry.is_traced:
        return Picked("the traceback", traceback_of)
    if entry.seq is None:
        return None
    return Picked("the line", lambda model: _line(model, entry.seq))


def of_all(*, is_run: bool) -> Picked:
    """All rows as text, as they stand there."""
    return Picked("the log of the run" if is_run else "the log", _all_of_run if is_run else _all)


def _line(model: DetailModel, seq: int | None) -> str:
    lines: Iterable[Log] = (*model.log, *(model.run_log or ()))
    return next((line.text for line in lines if line.seq == seq), "")


def _all(model: DetailModel) -> str:
    return "\n".join(entry.whole for entry in of_case(model).entries)


def _all_of_run(model: DetailModel) -> str:
    return "\n".join(entry.whole for entry in of_run(model.run_log or ()).entries)
