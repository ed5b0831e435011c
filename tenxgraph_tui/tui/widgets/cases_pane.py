"""The pane of the cases: the table, the filter above it, and how they are sorted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.getters import query_one
from textual.message import Message

from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.commands import Command
from tenxgraph_tui.tui.context import Context
from tenxgraph_tui.tui.intents import CopyCase
from tenxgraph_tui.tui.lines.column_rows import ColumnRow, column_rows
from tenxgraph_tui.tui.listing import restore
from tenxgraph_tui.tui.sorting import Order, next_order
from tenxgraph_tui.tui.widgets.case_table import CaseTable
from tenxgraph_tui.tui.widgets.filter_bar import FilterBar

ONLY = {
    "Show only failed cases": "status:failed,error",
    "Show only cases that changed": "change:regressed,fixed,new",
    "Show only running cases": "status:running",
}
"""Filters that the palette has a sentence for."""

READ_AT_ONCE, BREATH = 200, 0.005
"""Cases that are read while no key is heard, and seconds to hear keys in between."""


class CasesPane(Vertical):
    """Takes what is typed and clicked to the listing, and has everything drawn again."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "slash", "filter", "Filter", key_display="/", id="cases.filter", tooltip="Filter cases"
        ),
        Binding("s", "sort", "Sort", id="cases.sort", tooltip="Sort cases by the next column"),
        Binding(
            "ctrl+a",
            "select_shown",
            "Select shown",
            show=False,
            id="cases.select_shown",
            tooltip="Select the cases that are shown",
        ),
        Binding("g", "causes", "Causes", id="cases.causes", tooltip="Show what failed cases share"),
        Binding(
            "y",
            "copy",
            "Copy",
            tooltip="Copy a command, or the case as a test",
            id="cases.copy",
        ),
        Binding(
            "t",
            "what_if",
            "What if",
            id="cases.what_if",
            tooltip="Try other thresholds on the results",
        ),
        Binding(
            "C", "columns", "Columns", show=False, id="cases.columns", tooltip="Choose columns"
        ),
    ]

    class CausesAsked(Message):
        """The user wants to see what failures share."""

    class WhatIfAsked(Message):
        """The user wants to try other thresholds."""

    class ColumnsAsked(Message):
        """The user wants to choose the columns."""

    table = query_one(CaseTable)
    bar = query_one(FilterBar)

    def __init__(self, context: Context, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shared = context

    def compose(self) -> ComposeResult:
        yield FilterBar()
        yield CaseTable(self._shared.desk, self._shared.listing)

    def on_mount(self) -> None:
        shared, listing = self._shared, self._shared.listing
        restore(listing, shared.remembered, shared.settings.values.columns)
        for told in listing.columns.unknown(listing.criteria):
            toasts.warn(self.app, "Unknown column", f"{shared.settings.named('columns')}: {told}")

    def want(self, text: str) -> None:
        """Show only the cases that a filter describes."""
        self._shared.listing.search.want(text)
        self._changed()

    def _changed(self) -> None:
        listing, remembered = self._shared.listing, self._shared.remembered
        remembered.filter = listing.filter.text if listing.filter is not None else ""
        remembered.sort = listing.order.name or None
        self._shared.changed.publish(None)
        self.screen.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "filter":
            return not self.bar.is_open
        if action == "copy":
            return self.table.row_count() > 0
        return super().check_action(action, parameters)

    def action_filter(self) -> None:
        """Type a filter, or go on typing the one that there is."""
        wanted = self._shared.listing.filter
        self.bar.open(wanted.text if wanted is not None else "")
        self._read_ahead()

    def _read_ahead(self) -> None:
        """Read what the cases ask, some at a time: the first letter should not wait for all."""
        if self.bar.is_open and self._shared.listing.search.texts.read_ahead(READ_AT_ONCE):
            self.set_timer(BREATH, self._read_ahead)

    @on(CaseTable.FilterAsked)
    def _filter_asked(self) -> None:
        self.action_filter()

    @on(CaseTable.FilterCleared)
    def action_show_all(self) -> None:
        """Show every case again."""
        self.want("")

    @on(FilterBar.Changed)
    def _filter_typed(self, message: FilterBar.Changed) -> None:
        if self.bar.is_open:
            self.bar.tell(self._shared.listing.search.want(message.text, message.cursor))
            self._changed()

    @on(FilterBar.Closed)
    def _filter_closed(self, message: FilterBar.Closed) -> None:
        if not message.was_left:
            self.table.focus()
        if self._shared.listing.filter is None:
            self._shared.listing.search.texts.drop()
        self.screen.refresh_bindings()

    def sort(self, order: Order) -> None:
        """Show the cases in an order, from the first: that is what it was asked for."""
        self._shared.listing.order = order
        self.table.to_top()
        self._changed()

    def action_sort(self) -> None:
        """Go on to the next order."""
        listing = self._shared.listing
        self.sort(next_order(listing.order, listing.orders()))

    @on(CaseTable.HeadingClicked)
    def _sort_by(self, message: CaseTable.HeadingClicked) -> None:
        self.sort(self._shared.listing.order.clicked(message.by))

    def action_select_shown(self) -> None:
        """Take every case that is shown into the selection, or out of it if all of them are in."""
        keys = tuple(case.key for case in self._shared.listing.rows)
        if keys:
            self.post_message(CaseTable.Selected(keys))

    def action_causes(self) -> None:
        self.post_message(self.CausesAsked())

    def action_copy(self) -> None:
        """Choose what to copy of the case under the cursor."""
        if (key := self.table.key) is not None:
            self.post_message(CopyCase(key))

    def action_what_if(self) -> None:
        self.post_message(self.WhatIfAsked())

    def action_columns(self) -> None:
        self.post_message(self.ColumnsAsked())

    def column_rows(self) -> list[ColumnRow]:
        """The columns as they are now."""
        listing = self._shared.listing
        return column_rows(listing.columns, listing.criteria, listing.wanted(), self.table.columns)

    def toggle_column(self, name: str) -> None:
        """Switch a column on, or off."""
        listing = self._shared.listing
        listing.columns = listing.columns.toggled(name)
        self._shared.remembered.columns = listing.columns.remembered or None
        self._shared.changed.publish(None)

    def commands(self) -> Iterator[Command]:
        """What the palette offers beside the keys."""
        listing = self._shared.listing
        for sentence, text in ONLY.items():
            yield Command(sentence, "filter", "", partial(self.want, text))
        if listing.filter is not None:
            yield Command("Show all cases", "filter", "", self.action_show_all)
        for order in [*listing.orders(), Order("case")]:
            words = order.words(listing.criteria)
            yield Command(f"Sort cases: {words}", "sort", "", partial(self.sort, order))
        turned = listing.order.turned()
        if turned != listing.order:
            words = turned.words(listing.criteria)
            yield Command(f"Sort cases: {words}", "sort", "", partial(self.sort, turned))
