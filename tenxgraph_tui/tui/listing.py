"""The cases as the user wants them listed: which, in which order, with which columns."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from tenxgraph_tui.evaluation.events import CriterionInfo, SetInfo
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.changes import Change
from tenxgraph_tui.tui.column_choice import ColumnChoice
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.filtering.completing import Option, options
from tenxgraph_tui.tui.filtering.conditions import Filter, Scene
from tenxgraph_tui.tui.filtering.language import Parsed, parse
from tenxgraph_tui.tui.filtering.texts import folded
from tenxgraph_tui.tui.filtering.vocabulary import Vocabulary
from tenxgraph_tui.tui.lines.columns import Wanted, criteria_in
from tenxgraph_tui.tui.remembered import Remembered
from tenxgraph_tui.tui.rows import Rows, View
from tenxgraph_tui.tui.sorting import FILE_ORDER, LAST, Order, Rank, order_named, orders, rank_of
from tenxgraph_tui.tui.words import clean

LONGEST_TEXT = 2000
"""Characters of a case's question that are looked through."""
CHANGE_RANK = {change: float(place) for place, change in enumerate(Change)}


@dataclass(frozen=True, slots=True)
class Typed:
    """What a filter that is being typed says: the filter itself, or what it still lacks."""

    text: str = ""
    told: str = ""
    is_wrong: bool = False
    options: tuple[Option, ...] = ()


class Listing:
    """Keeps the rows of a desk's cases up to date, at the cost of what changed."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.rows = Rows()
        self.order = FILE_ORDER
        self.filter: Filter | None = None
        self.columns = ColumnChoice()
        self._seen: tuple[object, ...] = ()
        self._cases: dict[CaseKey, CaseProgress] = {}
        self._mark = 0
        self._sets: tuple[SetInfo, ...] | None = None
        self._vocabulary = Vocabulary()
        self._criteria: tuple[CriterionInfo, ...] = ()
        self._causes: dict[str, frozenset[CaseId]] = {}
        self._texts: dict[CaseKey, str] = {}
        self._texts_of: object = None
        self._unread: Iterator[CaseKey] | None = None

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
        self._look_up()
        wants = self.filter.on(self._scene()) if self.filter is not None else None
        self.rows.set(board.cases.values(), View(wants, self._rank(), lanes))
        return True

    def _look_up(self) -> None:
        sets = self._desk.board.sets
        if sets is not self._sets:
            self._sets = sets
            self._criteria, self._vocabulary = (
                criteria_in(sets),
                Vocabulary.of(sets, [*self._causes]),
            )
        if self._texts_of is not self._desk.board.cases:
            self.drop_texts()

    @property
    def total(self) -> int:
        """How many cases there are, shown or not."""
        return len(self._desk.board.cases)

    @property
    def criteria(self) -> tuple[CriterionInfo, ...]:
        self._look_up()
        return self._criteria

    @property
    def vocabulary(self) -> Vocabulary:
        self._look_up()
        return self._vocabulary

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
        if self._has_flips_first:
            return "flipped first"
        is_at_rest = self._desk.state.started_at is None and not self._desk.is_busy
        return "as they last did" if is_at_rest and self._desk.board.earlier else ""

    def want(self, text: str, cursor: int | None = None) -> Typed:
        """Show only what `text` describes, as far as it does; a text of nothing shows everything.

        A last word that finds nothing, and could become a key, is not taken for a text.
        """
        parsed = parse(text, self.vocabulary)
        self.filter = parsed.filter
        told = parsed.told
        if parsed.begun and not told and self._finds_nothing(parsed):
            self.filter, told = parsed.otherwise, parsed.begun
        found = options(text, len(text) if cursor is None else cursor, self.vocabulary)
        return Typed(text, told, bool(parsed.problem), found)

    def name_cause(self, title: str, keys: Iterable[CaseKey]) -> str:
        """Have a filter know these cases by a title; gives back the filter that shows them."""
        name = " ".join(clean(title).replace('"', "'").split()) or "a cause"
        self._causes[name] = frozenset(map(self._desk.id_of, keys))
        self._sets = None
        return f'cause:"{name}"'

    def _is_in_cause(self, key: CaseKey, title: str) -> bool:
        return self._desk.id_of(key) in self._causes.get(title, ())

    def _finds_nothing(self, parsed: Parsed) -> bool:
        if parsed.filter is None:
            return False
        wants = parsed.filter.on(self._scene())
        return not any(wants(case) for case in self._desk.board.cases.values())

    def _scene(self) -> Scene:
        desk = self._desk
        return Scene(
            desk.board.sets,
            lambda case: desk.change_of(case.key),
            self._text_of,
            self._is_in_cause,
        )

    def read_ahead(self, count: int) -> bool:
        """Get some more of the texts that a filter may look through; tells whether any are left."""
        self._look_up()
        if self._unread is None:
            self._unread = iter(tuple(self._desk.board.cases))
        keys = tuple(islice(self._unread, count))
        for key in keys:
            self._text_of(key)
        return len(keys) == count

    def drop_texts(self) -> None:
        """Nobody types a filter now, and none looks through texts."""
        self._texts, self._texts_of, self._unread = {}, self._desk.board.cases, None

    def _text_of(self, key: CaseKey) -> str:
        """What a case is called and asks; read once, as reading it takes a while."""
        text = self._texts.get(key)
        if text is None:
            case, info = self._desk.case_of(key), self._desk.board.cases[key].info
            parts = [key.eval_id, info.name]
            if case is not None:
                parts += [case.description, *(t.user_content.get_text() for t in case.conversation)]
            text = self._texts[key] = folded("\n".join(parts)[:LONGEST_TEXT])
        return text

    @property
    def _has_flips_first(self) -> bool:
        """Whether a save made cases flip, and nobody asked for another order than the files'."""
        return self.order == FILE_ORDER and bool(self._desk.watch.ranks)

    def _flip_rank(self, case: CaseProgress) -> float:
        return self._desk.watch.ranks.get(self._desk.id_of(case.key), LAST)

    def _rank(self) -> Rank:
        if self._has_flips_first:
            return self._flip_rank
        return rank_of(
            self.order,
            self._criteria,
            change_rank=self._change_rank,
            name_rank=_by_name(self._desk.board.cases) if self.order.by == "case" else _nowhere,
        )

    def _change_rank(self, case: CaseProgress) -> float:
        change = self._desk.change_of(case.key)
        return CHANGE_RANK[change] if change is not None else LAST


def restore(listing: Listing, remembered: Remembered, columns: Collection[str]) -> None:
    """List the cases as in the last session; `columns` are those that the settings name."""
    listing.columns = ColumnChoice.of(columns, remembered.columns or ())
    listing.order = order_named(remembered.sort)
    listing.want(remembered.filter)


def _by_name(keys: Collection[CaseKey]) -> Rank:
    names = sorted({folded(key.eval_id) for key in keys})
    return lambda case: float(bisect_left(names, folded(case.key.eval_id)))


def _nowhere(case: CaseProgress) -> float:  # noqa: ARG001 - asked of no case
    return LAST
