"""One row of *Log*: when, from where, and the line; the one with the cursor is shown whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation.numbers import clock
from tenxgraph_tui.tui.glyphs import ACCENT, ERROR, MUTED, WARN
from tenxgraph_tui.tui.kit import cell, clip, join, text
from tenxgraph_tui.tui.panes.journal import Entry
from tenxgraph_tui.tui.words import cells as width_of
from tenxgraph_tui.tui.words import clean, wrap

AT, LABEL, ORIGIN, CASE = 8, 10, 22, 26
LEAST = 8
"""The cells of `source` with the gap after it."""
LABELS_FROM, TIMES_FROM, CASES_FROM, ORIGINS_FROM = 30, 40, 60, 96
LOOKED_AT = 200
"""Rows that decide how wide a column is."""
LONG = 100
"""Seconds from which minutes are told."""


@dataclass(frozen=True, slots=True)
class Columns:
    """How wide each column is; 0 where it is not shown."""

    at: int
    label: int
    origin: int
    case: int
    text: int

    @classmethod
    def of(cls, width: int, entries: Sequence[Entry], *, with_cases: bool) -> Columns:
        """The columns of a pane of `width` cells."""
        some = entries[-LOOKED_AT:]
        at = AT if width >= TIMES_FROM else 0
        label = LABEL if width >= LABELS_FROM else 0
        origins = (entry.origin for entry in some) if width >= ORIGINS_FROM else ()
        shows_cases = with_cases and width >= CASES_FROM
        cases = (entry.case.eval_id for entry in some if entry.case is not None)
        origin = _column(origins, ORIGIN)
        case = _column(cases, CASE) if shows_cases else 0
        return cls(at, label, origin, case, max(1, width - at - label - origin - case))

    def head(self, width: int) -> Content:
        named = [
            cell("at  ", self.at, MUTED, align="right"),
            cell("from", self.label, MUTED),
            cell("source", self.origin, MUTED),
            cell("case", self.case, MUTED),
            text("text", MUTED),
        ]
        return clip(join(*named), width)


@dataclass(frozen=True, slots=True)
class Rows:
    """Draws rows. `begin` is in Unix seconds, `own` the case that is looked at."""

    columns: Columns
    begin: float
    own: str = ""
    found: re.Pattern[str] | None = None

    def line(self, entry: Entry) -> Content:
        """A row on one line; what does not fit is cut."""
        return join(*self._left(entry), self._shown(clip(self._text(entry), self.columns.text)))

    def whole(self, entry: Entry, at_most: int) -> list[Content]:
        """A row with all of its text, in at most that many lines."""
        shown = self._text(entry).plain
        style = self._style(entry)
        lines = wrap(shown, self.columns.text, at_most)
        indent = " " * self.left_cells
        first, *rest = [self._shown(text(line, style)) for line in lines or [""]]
        return [join(*self._left(entry), first), *(join(indent, line) for line in rest)]

    @property
    def left_cells(self) -> int:
        columns = self.columns
        return columns.at + columns.label + columns.origin + columns.case

    def _left(self, entry: Entry) -> Iterator[Content]:
        """Everything before the text."""
        columns = self.columns
        when = "" if entry.at is None else since(entry.at - self.begin)
        yield cell(f"{when}  ", columns.at, MUTED, align="right")
        label = f"{ERROR} {entry.label}" if entry.is_loud and entry.label else entry.label
        yield cell(label, columns.label - 1, WARN if entry.is_loud else MUTED)
        yield text(" " * min(1, columns.label))
        yield cell(entry.origin, columns.origin - 2, MUTED, mode="middle")
        yield text(" " * min(2, columns.origin))
        if columns.case:
            name = entry.case.eval_id if entry.case is not None else ""
            style = "" if name == self.own else MUTED
            yield cell(name, columns.case - 2, style, mode="middle")
            yield text("  ")

    def _text(self, entry: Entry) -> Content:
        return text(entry.text if self.columns.origin else entry.whole, self._style(entry))

    def _style(self, entry: Entry) -> str:
        return MUTED if entry.is_quiet else ""

    def _shown(self, line: Content) -> Content:
        if self.found is not None:
            for match in self.found.finditer(line.plain):
                line = line.stylize(f"bold {ACCENT}", match.start(), match.end())
        return line


def _column(values: Iterable[str], most: int) -> int:
    """The cells that values need with a gap after them; 0 if there are none."""
    longest = max((width_of(clean(value)) for value in values), default=0)
    return min(most, max(LEAST, longest + 2)) if longest else 0


def since(seconds: float) -> str:
    """`1.31s`, from 100 seconds on `2:05`: of lines that follow one another hundredths tell."""
    return f"{max(0.0, seconds):.2f}s" if seconds < LONG else clock(seconds)
