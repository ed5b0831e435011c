"""The lines of the table of cases, made for the width that there is."""

from __future__ import annotations

from functools import partial

from textual.content import Content

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.labels import set_labels
from tenxgraph_tui.tui.board import Board
from tenxgraph_tui.tui.changes import Change
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.kit import BLANK
from tenxgraph_tui.tui.lines.around_cases import cases_rule, no_match
from tenxgraph_tui.tui.lines.cases import RowContext, longest_name, row
from tenxgraph_tui.tui.lines.columns import Columns, columns, header, headings
from tenxgraph_tui.tui.lines.kept import Kept
from tenxgraph_tui.tui.listing import Listing
from tenxgraph_tui.tui.sorting import FILE_ORDER


class CaseLines:
    """Draws the rows of a listing; the line of a case at rest is made once."""

    def __init__(self, desk: Desk, listing: Listing) -> None:
        self._desk, self._listing = desk, listing
        self._board: Board | None = None
        self._longest = 0
        self._labels: tuple[str, ...] = ()
        self._context = RowContext(Columns(case=0), (), (), 0.0)
        self._lines: Kept[tuple[CaseKey, CaseStatus, bool, Change | None]] = Kept()
        self.width = 0

    @property
    def columns(self) -> Columns:
        """The columns that there is room for."""
        return self._context.columns

    def fit(self, width: int, now: float | None = None) -> None:
        """Choose the columns for a width; `now` as it was if it is not told."""
        board, listing = self._desk.board, self._listing
        if board is not self._board:
            self._board, self._labels = board, set_labels(board.sets)
            self._longest = longest_name(board.sets, self._labels)
            self._lines.clear()
        self.width = width
        fitting = columns(width, listing.wanted(), longest=self._longest)
        if fitting != self._context.columns:
            self._lines.clear()
        at = self._context.now if now is None else now
        self._context = RowContext(fitting, board.sets, self._labels, at)

    def rule(self, width: int, *, focused: bool) -> Content:
        """What stands above it all."""
        listing = self._listing
        count = (len(listing.rows), listing.total)
        wanted = listing.filter.text if listing.filter is not None else ""
        words, skipped = listing.order_words(), listing.skipped
        return cases_rule(count, words, wanted, width, focused=focused, skipped=skipped)

    def header(self) -> Content:
        """The names of the columns."""
        order = self._listing.order
        heads = headings(self.columns, self._desk.comparison.number)
        return header(heads, order.by if order != FILE_ORDER else None, order.arrow)

    def below(self, width: int) -> Content:
        """What is told where a filter leaves no row."""
        wanted = self._listing.filter
        return BLANK if wanted is None or self._listing.rows else no_match(wanted.text, width)

    def row(self, index: int) -> Content:
        """A case, as it stands now."""
        case = self._listing.rows[index]
        selected = self._desk.choices.selected
        is_selected = bool(selected) and self._desk.id_of(case.key) in selected
        if case.status is CaseStatus.RUNNING:
            return row(case, self._context, is_selected=is_selected)
        change = self._desk.change_of(case.key)
        drawn = (case.key, case.status, is_selected, change)
        draw = partial(row, case, self._context, is_selected=is_selected, change=change)
        return self._lines.get(drawn, draw)
