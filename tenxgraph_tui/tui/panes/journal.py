"""What was said, as the rows of *Log*: lines, notes of lines that are missing, and a traceback."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tenxgraph_tui.evaluation.events import Log
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.printed import OURS
from tenxgraph_tui.tui.words import clean

SHORT = {"warning": "warn", "critical": "crit"}
LOUD = frozenset({"warning", "error", "critical", "fatal"})
QUIET = frozenset({"debug", "info"})
_SAYS_SO = re.compile(
    r"\b(?:WARN|WARNING|ERROR|CRITICAL|FATAL)\b|\w(?:Warning|Error|Exception): |^Traceback \(most"
)
"""A line that was printed calls itself a warning or worse, as handlers of `logging` write it."""
_PLACE = re.compile(r"^(?P<origin>\S.*?:\d+): (?P<text>.*)$", re.S)
_LOGGER = re.compile(r"^(?P<origin>[^\s:]+): (?P<text>.*)$", re.S)
_ORIGINS = {"warnings": _PLACE, "logging": _LOGGER}


@dataclass(frozen=True, slots=True)
class Entry:
    """A row. `label` says where it came from; "" for a note, which is no line of anybody's.

    `at` is in Unix seconds, `origin` a logger or a file with a line. `is_loud` marks warnings and
    worse, `is_quiet` what is there for completeness.
    """

    text: str
    label: str = ""
    origin: str = ""
    at: float | None = None
    case: CaseKey | None = None
    seq: int | None = None
    is_loud: bool = False
    is_quiet: bool = False

    @property
    def is_traced(self) -> bool:
        """Whether it is a line of the traceback of an error."""
        return self.seq is None and not self.is_quiet

    @property
    def whole(self) -> str:
        """All of the line, where its origin has no column of its own."""
        return f"{self.origin}: {self.text}" if self.origin else self.text


@dataclass(frozen=True, slots=True, eq=False)
class Journal:
    """All rows, oldest first. `begin` is when it began, in Unix seconds."""

    entries: Sequence[Entry] = ()
    begin: float = 0.0
    loud: list[int] = field(default_factory=list)
    """Where the warnings are; a traceback counts as one."""

    @property
    def said(self) -> int:
        """How many lines were said; notes and tracebacks are not."""
        return sum(entry.seq is not None for entry in self.entries)

    def matches(self, pattern: re.Pattern[str] | None) -> list[int]:
        """The rows in which a pattern is found."""
        if pattern is None:
            return []
        return [at for at, entry in enumerate(self.entries) if pattern.search(clean(entry.whole))]


class Known:
    """The rows of lines that were seen before: of a log that grows only what is new is read."""

    def __init__(self) -> None:
        self._rows: dict[int, tuple[Log, Entry]] = {}

    def rows(self, lines: Iterable[Log]) -> Iterator[Entry]:
        """The rows of these lines; those of others are forgotten."""
        seen, self._rows = self._rows, {}
        for line in lines:
            row = seen.get(id(line)) or (line, _said(line))
            self._rows[id(line)] = row
            if line.dropped:
                yield Entry(f"… {plural(line.dropped, 'line')} left out", is_quiet=True)
            yield row[1]


def of_case(model: DetailModel, known: Known | None = None) -> Journal:
    """What was said while a case ran, then the traceback if it is an error.

    Times count from where those of its steps do, or from the first line if that came before.
    """
    rows = (known or Known()).rows(model.log)
    return _journal([*rows, *_traced(traceback_of(model))], _begin_of(model))


def traceback_of(model: DetailModel) -> str:
    """Where an error came from, "" where there is none."""
    return str(model.result.metadata.get("traceback") or "") if model.result is not None else ""


def of_run(lines: Sequence[Log], known: Known | None = None) -> Journal:
    """What was said in a whole run."""
    return _journal([*(known or Known()).rows(lines)], lines[0].at if lines else 0.0)


def _journal(entries: Sequence[Entry], begin: float) -> Journal:
    return Journal(entries, begin, [at for at, entry in enumerate(entries) if entry.is_loud])


def _begin_of(model: DetailModel) -> float:
    progress, result = model.progress, model.result
    known = [model.log[0].at] if model.log else []
    if progress is not None and progress.started_at is not None:
        known.append(progress.started_at)
    if result is not None:
        known += [step.timestamp for step in result.actual_trajectory if step.timestamp is not None]
    elif progress is not None and progress.live is not None:
        known += [step.at for step in progress.live]
    return min(known, default=0.0)


def _said(line: Log) -> Entry:
    level, source = line.level.lower(), line.source
    found = _ORIGINS[source].match(line.text) if source in _ORIGINS else None
    levelled = source in _ORIGINS
    label = SHORT.get(level, level) if levelled else "note" if source == OURS else source
    return Entry(
        found["text"] if found else line.text,
        label,
        found["origin"] if found else "",
        line.at,
        line.case,
        line.seq,
        is_loud=level in LOUD or (not levelled and _SAYS_SO.search(line.text) is not None),
        is_quiet=levelled and level in QUIET,
    )


def _traced(traceback: str) -> Iterator[Entry]:
    """The lines of a traceback; the first has the label and counts as a warning."""
    for number, line in enumerate(traceback.rstrip().splitlines()):
        yield Entry(line, "" if number else "error", is_loud=not number)
