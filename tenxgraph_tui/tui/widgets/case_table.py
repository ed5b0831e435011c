"""The table of cases: ten thousand rows, of which only the visible ones are drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.strip import Strip

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.board import Board
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.glyphs import MUTED
from tenxgraph_tui.tui.kit import rule, text
from tenxgraph_tui.tui.lines.cases import RowContext, longest_name, pinned, row
from tenxgraph_tui.tui.lines.columns import Columns, columns, criteria_in, header
from tenxgraph_tui.tui.standings import NOT_PASSED
from tenxgraph_tui.tui.widgets.line_list import LineList

LANES, LANES_WHEN_SHORT, SHORT = 4, 3, 14


class CaseTable(LineList):
    """Shows every attempt of a run, the running ones first, and reports what the user is after."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", tooltip="Open the case", id="cases.open"),
        Binding("space", "select", "Select", tooltip="Select the case", id="cases.select"),
        Binding("escape", "clear_selection", "Clear selection", id="cases.clear"),
    ]
    HEAD = 2

    @dataclass
    class Moved(Message):
        """The cursor is on another case."""

        key: CaseKey

    @dataclass
    class Opened(Message):
        """The user wants to see all of a case."""

        key: CaseKey

    @dataclass
    class Selected(Message):
        """The user wants a case in, or out of, the selection."""

        key: CaseKey

    class Cleared(Message):
        """The user wants nothing selected any more."""

    def __init__(self, desk: Desk, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._desk = desk
        self._rows: tuple[CaseProgress, ...] = ()
        self._drawn: tuple[str, int, int] = ("", -1, 0)
        self._board: Board | None = None
        self._cases: dict[CaseKey, CaseProgress] = {}
        self._longest, self._fitted = 0, 0
        self._row_context = RowContext(Columns(case=0), (), 0.0)
        self._at: CaseId | None = None
        self._lines: dict[tuple[CaseKey, CaseStatus, bool], Content] = {}

    @property
    def key(self) -> CaseKey | None:
        """The case under the cursor."""
        return self._rows[self.cursor].key if self._rows else None

    def show(self, now: float) -> None:
        """Draw the desk's run as it is now; the cursor stays on its case."""
        state = self._desk.state
        self._fit(now)
        lanes = LANES if self.size.height >= SHORT else LANES_WHEN_SHORT
        drawn = (state.run_id, state.version, lanes)
        cases = self._desk.board.cases
        if drawn != self._drawn or cases is not self._cases:
            self._cases = cases
            at = self._desk.key_of(self._at) if self._at else None
            self._rows, self._drawn = pinned(cases.values(), lanes), drawn
            self.rows_changed(self._place_of(at))
            self._note_place()
        else:
            self.update_lines()

    def _fit(self, now: float) -> None:
        state = self._desk.state
        board = self._desk.board
        if board is not self._board:
            self._board, self._longest = board, longest_name(board.sets)
            self._lines.clear()
        self._fitted = self.inner_width
        fitting = columns(
            self._fitted,
            criteria_in(board.sets),
            longest=self._longest,
            costs=state.cost is not None,
        )
        if fitting != self._row_context.columns:
            self._lines.clear()
        self._row_context = RowContext(fitting, board.sets, now)

    def _place_of(self, key: CaseKey | None) -> int:
        return next((index for index, case in enumerate(self._rows) if case.key == key), 0)

    def put_cursor(self, key: CaseKey) -> None:
        """Move the cursor to a case, if it is there."""
        if key in self._desk.board.cases:
            self.go_to(self._place_of(key))

    def row_count(self) -> int:
        return len(self._rows)

    def _note_place(self) -> None:
        """Remember the case as it stands in its file: the next run may number its sets anew."""
        self._at = self._desk.id_of(self.key) if self.key is not None else None

    def cursor_moved(self) -> None:
        self._note_place()
        if (key := self.key) is not None:
            self.post_message(self.Moved(key))

    def row_clicked(self, index: int) -> None:
        self.post_message(self.Opened(self._rows[index].key))

    def on_resize(self) -> None:
        self._fit(self._row_context.now)
        super().on_resize()

    def render_line(self, y: int) -> Strip:
        if self._fitted != self.inner_width:  # drawn before it was told of its size
            self._fit(self._row_context.now)
        return super().render_line(y)

    def head_line(self, index: int, width: int) -> Content:
        if index:
            return header(self._row_context.columns)
        order = ", running first" if self._desk.state.is_running else ""
        info = text(f"{plural(len(self._rows), 'case')}{order}", MUTED)
        return rule("Cases", width, info, focused=self.has_focus)

    def row_line(self, index: int, width: int) -> Content:  # noqa: ARG002 - the columns know it
        case = self._rows[index]
        selected = self._desk.choices.selected
        is_selected = bool(selected) and self._desk.id_of(case.key) in selected
        if case.status is CaseStatus.RUNNING:
            return row(case, replace(self._row_context, is_selected=is_selected))
        drawn = (case.key, case.status, is_selected)
        if drawn not in self._lines:
            self._lines[drawn] = row(case, replace(self._row_context, is_selected=is_selected))
        return self._lines[drawn]

    def action_open(self) -> None:
        if (key := self.key) is not None:
            self.post_message(self.Opened(key))

    def action_select(self) -> None:
        if (key := self.key) is not None:
            self.post_message(self.Selected(key))
            self.action_move(1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "clear_selection":
            return bool(self._desk.choices.selected)
        return super().check_action(action, parameters)

    def action_clear_selection(self) -> None:
        self.post_message(self.Cleared())

    def to_next_failed(self, step: int) -> None:
        """Move the cursor to the next case that did not pass, around the end if need be."""
        count = len(self._rows)
        for distance in range(1, count + 1):
            index = (self.cursor + step * distance) % count
            if self._rows[index].status in NOT_PASSED:
                self.go_to(index)
                return
