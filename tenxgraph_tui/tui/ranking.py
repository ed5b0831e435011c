"""The number by which an order places a case among those of a desk."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence

from tenxgraph_tui.evaluation.events import CriterionInfo
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.changes import Change
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.filtering.texts import folded
from tenxgraph_tui.tui.sorting import FILE_ORDER, LAST, Order, Rank, rank_of

CHANGE_RANK = {change: float(place) for place, change in enumerate(Change)}


def has_flips_first(order: Order, desk: Desk) -> bool:
    """Whether a save made cases flip, and nobody asked for another order than the files'."""
    return order == FILE_ORDER and bool(desk.watch.ranks)


def ranking(order: Order, desk: Desk, criteria: Sequence[CriterionInfo]) -> Rank:
    """The numbers as they are now: those of names, changes and flips are the desk's."""
    if has_flips_first(order, desk):
        return lambda case: desk.watch.ranks.get(desk.id_of(case.key), LAST)

    def change_rank(case: CaseProgress) -> float:
        change = desk.change_of(case.key)
        return CHANGE_RANK[change] if change is not None else LAST

    name_rank = _by_name(desk.board.cases) if order.by == "case" else _nowhere
    return rank_of(order, criteria, change_rank=change_rank, name_rank=name_rank)


def _by_name(keys: Collection[CaseKey]) -> Rank:
    names = sorted({folded(key.eval_id) for key in keys})
    return lambda case: float(bisect_left(names, folded(case.key.eval_id)))


def _nowhere(case: CaseProgress) -> float:  # noqa: ARG001 - asked of no case
    return LAST
