"""The cases as the user wants them listed: which, in which order, with which columns."""

from __future__ import annotations

from collections.abc import Collection

from tenxgraph_tui.evaluation.events import CaseStatus, CriterionInfo
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.column_choice import ColumnChoice
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.filtering.conditions import Filter
from tenxgraph_tui.tui.filtering.search import Search
from tenxgraph_tui.tui.lines.columns import Wanted
from tenxgraph_tui.tui.ranking import has_flips_first, ranking
from tenxgraph_tui.tui.remembered import Remembered
from tenxgraph_tui.tui.rows import Rows, View
from tenxgraph_tui.tui.sorting import FILE_ORDER, Order, order_named, orders


class Listing:
    """Keeps the rows of a desk's cases up to date, at the cost of what changed."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.rows = Rows()
        self.order = FILE_ORDER
        self.search = Search(desk)
        self.columns = ColumnChoice()
        self._seen: tuple[object, ...] = ()
        self._cases: dict[CaseKey, CaseProgress] = {}
        self._mark = 0

    def follow(self, lanes: int) -> bool:
        """Take in what happened since the last time; tells whether any row moved."""
        desk, mark = self._desk, self._desk.trail.mark
        board, finished_at = desk.board, desk.state.finished_at
        ordered = (self.filter, self.order, lanes, id(desk.watch.ranks))
        seen = (id(board.cases), desk.comparison, finished_at, *ordered)
        changed = desk.trail.since(self._mark)
        self._mark = mark
        if seen == self._seen and changed is not None:
            return self.rows.update(changed)
        self._seen, self._cases = seen, board.cases  # kept, so that its id is not given anew
        rank = ranking(self.order, desk, self.criteria)
        self.rows.set(board.cases.values(), View(self.search.wants(), rank, lanes))
        return True

    @property
    def filter(self) -> Filter | None:
        """What decides which cases are rows; None where all of them are."""
        return self.search.filter

    @property
    def total(self) -> int:
        """How many cases there are, shown or not."""
        return len(self._desk.board.cases)

    @property
    def skipped(self) -> int:
        """How many cases the run left out; before one, how many every run leaves out."""
        desk = self._desk
        if desk.state.started_at is not None or desk.is_busy:
            return desk.state.counts[CaseStatus.SKIPPED]
        return len(desk.catalog) - desk.catalog.runnable

    @property
    def criteria(self) -> tuple[CriterionInfo, ...]:
        return self.search.criteria

    @property
    def has_costs(self) -> bool:
        return self._desk.state.cost is not None

    @property
    def has_changes(self) -> bool:
        """Whether the cases are compared with a baseline."""
        return self._desk.comparison.baseline is not None

    def orders(self) -> list[Order]:
        """The orders that the cases can be in now."""
        return orders(self.criteria, costs=self.has_costs, changes=self.has_changes)

    def wanted(self) -> Wanted:
        """The columns that the table should show where there is room."""
        shows = self.columns.shows
        return Wanted(
            self.columns.of_criteria(self.criteria),
            reason=shows("reason"),
            tokens=shows("tokens"),
            cost=self.has_costs and shows("cost"),
            time=shows("time"),
            change=self.has_changes and shows("change"),
        )

    def order_words(self) -> str:
        """What the rule above the cases says about their order, if there is anything to say."""
        if self.order.by and self.order.is_of(self.criteria):
            return self.order.words(self.criteria)
        if self._desk.state.is_running:
            return "running first"
        if has_flips_first(self.order, self._desk):
            return "flipped first"
        is_at_rest = self._desk.state.started_at is None and not self._desk.is_busy
        return "as they last did" if is_at_rest and self._desk.board.earlier else ""


def restore(listing: Listing, remembered: Remembered, columns: Collection[str]) -> None:
    """List the cases as in the last session; `columns` are those that the settings name."""
    listing.columns = ColumnChoice.of(columns, remembered.columns or ())
    listing.order = order_named(remembered.sort)
    listing.search.want(remembered.filter)
