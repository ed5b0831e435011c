"""The cases that the cursor and the view of a table stay with while rows move."""

from __future__ import annotations

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.rows import Rows


class Anchor:
    """Knows the case under the cursor as it stands in its file: runs may number sets anew."""

    def __init__(self, desk: Desk, rows: Rows) -> None:
        self._desk, self._rows = desk, rows
        self._at: CaseId | None = None
        self._top: CaseKey | None = None

    @property
    def is_set(self) -> bool:
        """Whether the cursor was on a case."""
        return self._at is not None

    def note(self, cursor: int) -> None:
        """The cursor is on this row."""
        on = self._rows[cursor].key if cursor < len(self._rows) else None
        self._at = self._desk.id_of(on) if on is not None else None

    def note_top(self, top: int) -> None:
        """This row is the first in sight; at the very top, new rows are seen as they come."""
        self._top = self._rows[top].key if 0 < top < len(self._rows) else None

    def forget(self) -> None:
        """The first rows are wanted, whichever cases they will be."""
        self._at = self._top = None

    def places(self, cursor: int, top: int, *, is_seen: bool) -> tuple[int, int]:
        """The rows for the cursor and for the top of the view, now that rows have moved.

        They were `cursor` and `top` before; `is_seen` whether the one was in sight.
        """
        rows = self._rows
        key = self._desk.key_of(self._at) if self._at else None
        place = rows.near(key) if key is not None else 0
        if not top:
            return place, top
        if is_seen:
            return place, place - cursor + top
        return place, rows.near(self._top) if self._top is not None else top
