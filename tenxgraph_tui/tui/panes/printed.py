"""What was said while a case ran: our own warnings about it, and the last lines it printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.content import Content

from tenxgraph_tui.evaluation.events import Log
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.glyphs import MUTED, WARN
from tenxgraph_tui.tui.kit import text
from tenxgraph_tui.tui.panes.blocks import labelled, paragraph
from tenxgraph_tui.tui.panes.space import Space

OURS = "tenxgraph"
SHOWN_LINES = 10
SHOWN_NOTES = 3


def lines_of(key: CaseKey, log: Iterable[Log]) -> tuple[Log, ...]:
    """What of a run's log belongs to a case, oldest first."""
    return tuple(entry for entry in log if entry.case == key)


def notes(log: Iterable[Log], space: Space) -> list[Content]:
    """Our own warnings, each once, the newest last."""
    told = [entry.text for entry in log if entry.source == OURS]
    last = list(dict.fromkeys(reversed(told)))[:SHOWN_NOTES]
    found: list[Content] = []
    for note in reversed(last):
        label = "" if found else "note"
        found += paragraph(label, note, space.width, style=WARN, at_most=space.few)
    return found


def printed(log: Iterable[Log], space: Space) -> list[Content]:
    """The last lines of the agent, the newest last."""
    entries = [entry for entry in log if entry.source != OURS]
    lines = [line for entry in entries[-SHOWN_LINES:] for line in _lines(entry)]
    return labelled("printed", lines[-SHOWN_LINES:], space.width)


def _lines(entry: Log) -> Iterator[Content]:
    if entry.dropped:
        yield text(f"… {plural(entry.dropped, 'line')} left out", MUTED)
    yield text(entry.text)
