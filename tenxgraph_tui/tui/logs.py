"""What was said: as it was told while a run went on, and as the store has it afterwards."""

from __future__ import annotations

from tenxgraph_tui.evaluation.events import Log
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.board import Source
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.panes.printed import lines_of
from tenxgraph_tui.tui.results import ResultReader


class Logs:
    """The same lines are the same object, so that nothing is drawn twice.

    `read` may be called in a thread; of one run what it found is kept.
    """

    def __init__(self, desk: Desk, reader: ResultReader) -> None:
        self._desk, self._reader = desk, reader
        self._of_case: tuple[Log, ...] = ()
        self._made_at: tuple[CaseKey, Log | None] | None = None
        self._of_run: tuple[Log, ...] = ()
        self._asked = ""
        self._read: tuple[str, tuple[Log, ...]] = ("", ())

    def of_case(self, source: Source) -> tuple[Log, ...]:
        """What a case said: as it was told or as it is stored, whichever is more."""
        stored = self._reader.log(source.run_id, source.key)
        state = self._desk.state
        if source.run_id != state.run_id:
            return stored
        at = (source.key, state.log[-1] if state.log else None)
        if at != self._made_at:
            self._made_at, self._of_case = at, lines_of(source.key, state.log)
        return max(self._of_case, stored, key=len)

    def of_run(self, run_id: str) -> tuple[Log, ...] | None:
        """What was said in a run; None until it was read."""
        log = self._desk.state.log
        if self._is_told(run_id):
            if log and (not self._of_run or self._of_run[-1] is not log[-1]):
                self._of_run = tuple(log)
            return self._of_run if log else ()
        return self._read[1] if self._read[0] == run_id else None

    def is_to_be_read(self, run_id: str) -> bool:
        """Whether somebody has to `read` it now; True once for a run."""
        is_new = not self._is_told(run_id) and run_id not in (self._read[0], self._asked)
        if is_new:
            self._asked = run_id
        return is_new

    def read(self, run_id: str) -> None:
        """Ask the store; what cannot be read is empty.

        Raises:
            StoreError: it cannot be read.
        """
        lines: tuple[Log, ...] = ()
        try:
            lines = self._reader.said(run_id)
        finally:
            self._read = run_id, lines

    def _is_told(self, run_id: str) -> bool:
        state = self._desk.state
        return run_id == state.run_id and (bool(state.log) or state.is_running)
