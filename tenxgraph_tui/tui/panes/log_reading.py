"""Reading a log: which row the cursor is on, and how it gets to the next one that matters."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from tenxgraph_tui.evaluation.events import CaseStatus, Log
from tenxgraph_tui.tui.panes.journal import Journal, Known, of_case, of_run, traceback_of
from tenxgraph_tui.tui.panes.log import Looking
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.value.search import pattern_of


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a reader was: the row with the cursor and the first row in sight."""

    selected: int = 0
    top: int = 0


class LogReading:
    """The rows of a case, or of its whole run, and where its reader is."""

    def __init__(self) -> None:
        self.model: DetailModel | None = None
        self.journal = Journal()
        self.spot = Spot()
        self.is_run = False
        self._found: re.Pattern[str] | None = None
        self._matches: list[int] = []
        self._lines: tuple[Log, ...] | None = None
        self._known = Known()
        self._of: tuple[object, object] = (None, None)

    @property
    def last(self) -> int:
        return max(0, len(self.journal.entries) - 1)

    @property
    def looking(self) -> Looking:
        """What there is to draw of it."""
        spot = self.spot
        return Looking(spot.selected, spot.top, self._found, self._matches, self.is_run)

    def take(self, model: DetailModel | None, spot: Spot | None) -> None:
        """Read another case, or the same one further on; without a spot from where it begins.

        While a case runs its reader goes along with the last line, until the cursor is moved away.
        """
        goes_along = spot is not None and spot is self.spot and spot.selected == self.last
        self.model = model
        self._make()
        if spot is None or (goes_along and self._goes_on):
            spot = Spot(self.last if self._goes_on or self._is_broken else 0)
        self.go(spot.selected, spot.top)

    def turn(self) -> None:
        """From the case to the whole run, or back."""
        self.is_run = not self.is_run
        self.take(self.model, None)

    def go(self, selected: int, top: int | None = None) -> None:
        """Put the cursor on a row, or as near as possible."""
        top = self.spot.top if top is None else top
        self.spot = Spot(max(0, min(selected, self.last)), top)

    def next_warning(self) -> bool:
        """Go to the next warning, around the end if need be; False if there is none."""
        return self._go_to_next(self.journal.loud, 1)

    def next_match(self, step: int) -> bool:
        """Go to the next row with the words that are looked for; False if there is none."""
        return self._go_to_next(self._matches, step)

    def look_for(self, words: str) -> None:
        """Mark words, and go to the first of them from the cursor on."""
        self._found = pattern_of(words) if words else None
        self._matches = self.journal.matches(self._found)
        if self._matches and self.spot.selected not in self._matches:
            self.next_match(1)

    @property
    def has_matches(self) -> bool:
        return bool(self._matches)

    def _go_to_next(self, rows: list[int], step: int) -> bool:
        if not rows:
            return False
        at = self.spot.selected
        index = bisect_right(rows, at) if step > 0 else bisect_left(rows, at) - 1
        self.go(rows[index % len(rows)])
        return True

    @property
    def _goes_on(self) -> bool:
        """Whether there may be more lines in a moment."""
        return self.model is not None and self.model.status is CaseStatus.RUNNING

    @property
    def _is_broken(self) -> bool:
        return not self.is_run and self.model is not None and bool(traceback_of(self.model))

    def _make(self) -> None:
        """Make rows of the lines, if they are others than before."""
        model = self.model
        lines = (model.run_log if self.is_run else model.log) if model is not None else None
        of = (model.key, model.result) if model is not None else (None, None)
        if lines is self._lines and of[0] == self._of[0] and of[1] is self._of[1]:
            return
        self._lines, self._of = lines, of
        if model is None:
            self.journal = Journal()
        else:
            known = self._known
            self.journal = of_run(lines or (), known) if self.is_run else of_case(model, known)
        self._matches = self.journal.matches(self._found)
