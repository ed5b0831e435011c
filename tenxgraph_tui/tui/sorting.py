"""The orders in which cases can stand, and the number that places a case in each of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tenxgraph_tui.evaluation.events import CaseStatus, CriterionInfo
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import Verdict
from tenxgraph_tui.tui.glyphs import FALLING, RISING
from tenxgraph_tui.tui.lines.columns import column_of, short_name

Rank = Callable[[CaseProgress], float]

LAST = math.inf
"""The rank of a case that an order has no number for: last, also when the order is reversed."""
WORST_FIRST = (
    CaseStatus.ERROR,
    CaseStatus.FAILED,
    CaseStatus.CANCELLED,
    CaseStatus.RUNNING,
    CaseStatus.WAITING,
    CaseStatus.PASSED,
    CaseStatus.SKIPPED,
)
_STATUS_RANK = {status: float(place) for place, status in enumerate(WORST_FIRST)}
STANDING = frozenset({CaseStatus.RUNNING, CaseStatus.WAITING, CaseStatus.SKIPPED})
"""Cases without a number of their own so far."""

WORDS = {
    "": ("in file order", "in file order"),
    "case": ("by name", "by name, z first"),
    "status": ("worst first", "best first"),
    "tokens": ("most tokens first", "fewest tokens first"),
    "cost": ("dearest first", "cheapest first"),
    "time": ("slowest first", "fastest first"),
    "change": ("changed first", "unchanged first"),
}
DESCENDING = frozenset({"tokens", "cost", "time"})
"""Orders that begin with the largest number."""


@dataclass(frozen=True, slots=True)
class Order:
    """`by` names a column, or the slot of a criterion; empty is the order of the files."""

    by: str = ""
    is_reversed: bool = False

    @property
    def name(self) -> str:
        """How it is remembered."""
        return f"-{self.by}" if self.is_reversed else self.by

    @property
    def arrow(self) -> str:
        """Whether the smallest number is on top, or the largest."""
        return FALLING if (self.by in DESCENDING) != self.is_reversed else RISING

    def is_of(self, criteria: Sequence[CriterionInfo]) -> bool:
        """Whether cases that are checked by these criteria can be in this order."""
        return self.by in WORDS or self.by in map(column_of, criteria)

    def words(self, criteria: Sequence[CriterionInfo] = ()) -> str:
        """What the rule above the cases says."""
        if self.by in WORDS:
            return WORDS[self.by][self.is_reversed]
        named = {column_of(criterion): short_name(criterion) for criterion in criteria}
        return f"{'highest' if self.is_reversed else 'lowest'} {named.get(self.by, self.by)} first"

    def turned(self) -> Order:
        """The same order from its other end; that of the files has none."""
        return replace(self, is_reversed=not self.is_reversed) if self.by else self

    def clicked(self, by: str) -> Order:
        """The order after a click on a header: by it, the other way round, then as in files."""
        if self.by != by:
            return Order(by)
        return Order() if self.is_reversed else self.turned()


FILE_ORDER = Order()


def order_named(name: str | None) -> Order:
    """The order that `Order.name` names."""
    by = (name or "").removeprefix("-")
    return Order(by, is_reversed=bool(by) and (name or "").startswith("-"))


def orders(
    criteria: Sequence[CriterionInfo], *, costs: bool = False, changes: bool = False
) -> list[Order]:
    """The orders that one key goes through."""
    slots = dict.fromkeys(column_of(criterion) for criterion in criteria)
    rest = ["cost"] * costs + ["time"] + ["change"] * changes
    return [Order(by) for by in ("", "status", *slots, "tokens", *rest)]


def next_order(now: Order, among: Sequence[Order]) -> Order:
    """The order after this one, around the end."""
    names = [order.by for order in among]
    return among[(names.index(now.by) + 1) % len(among)] if now.by in names else among[0]


def rank_of(
    order: Order,
    criteria: Sequence[CriterionInfo],
    *,
    change_rank: Rank,
    name_rank: Rank,
) -> Rank:
    """The number by which `order` places a case; the smallest is on top."""
    match order.by:
        case "":
            return _first
        case "case":
            rank = name_rank
        case "status":
            rank = _by_status
        case "tokens":
            rank = _tokens
        case "cost":
            rank = _cost
        case "time":
            rank = _time
        case "change":
            rank = change_rank
        case slot:
            names = [one.name for one in criteria if column_of(one) == slot]
            rank = _score_of(names)
    turned = (order.by in DESCENDING) != order.is_reversed
    return _turned(rank) if turned else rank


def _turned(rank: Rank) -> Rank:
    def turned(case: CaseProgress) -> float:
        value = rank(case)
        return value if value == LAST else -value

    return turned


def _first(case: CaseProgress) -> float:  # noqa: ARG001 - every case is where its file has it
    return 0.0


def _by_status(case: CaseProgress) -> float:
    return _STATUS_RANK[case.status]


def _tokens(case: CaseProgress) -> float:
    return float(case.tokens) if case.tokens and case.status not in STANDING else LAST


def _cost(case: CaseProgress) -> float:
    return case.cost if case.cost is not None and case.status not in STANDING else LAST


def _time(case: CaseProgress) -> float:
    seconds = case.duration_seconds
    return seconds if seconds and case.status not in STANDING else LAST


def _score_of(names: Sequence[str]) -> Rank:
    """By the score of one criterion; a verdict that could not be reached is worse than any."""

    def rank(case: CaseProgress) -> float:
        found = next((case.verdicts[name] for name in names if name in case.verdicts), None)
        if found is None or found.verdict is Verdict.NOT_EVALUATED or case.status in STANDING:
            return LAST
        return -1.0 if found.verdict is Verdict.ERROR else found.score

    return rank
