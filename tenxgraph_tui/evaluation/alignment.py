"""Expected beside actual, step by step: what is the same, different, missing or extra."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from tenxgraph_tui.evaluation.assignment import Pair, any_order, in_order, positions
from tenxgraph_tui.evaluation.config import MatchType
from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.matching import (
    FirstNumbers,
    different_keys,
    exactly,
    same_args,
)
from tenxgraph_tui.evaluation.tokens import spans

T = TypeVar("T")


class Mark(StrEnum):
    """How the two sides of a row compare."""

    SAME = "same"
    DIFFERS = "differs"
    MISSING = "missing"
    EXTRA = "extra"


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """One line of the comparison; a missing item has no `actual`, an extra one no `expected`.

    Positions count from 0. `keys` are the arguments that differ. `costs` says whether the row
    lowers the score: an extra does so under EXACT only.
    """

    mark: Mark
    expected: T | None = None
    actual: T | None = None
    expected_index: int | None = None
    actual_index: int | None = None
    keys: tuple[str, ...] = ()
    costs: bool = False


def align_calls(
    expected: Sequence[ToolCall],
    actual: Sequence[ToolCall],
    match_type: MatchType = MatchType.EXACT,
    check_args: bool = True,
) -> list[Row[ToolCall]]:
    """Every call of both lists exactly once.

    Under EXACT and IN_ORDER both sides keep their order, and as many rows as possible are the same.
    Under ANY_ORDER the rows follow the expectation and the extras come last. Calls of the same tool
    with other arguments stand in one row.
    """
    masks = _by_name([call.name for call in actual])
    named = [masks.get(call.name, 0) for call in expected]
    same = _same_calls(expected, actual, named) if check_args else named
    return _rows(expected, actual, same, named, match_type)


def align_nodes(
    expected: Sequence[str], actual: Sequence[str], match_type: MatchType = MatchType.EXACT
) -> list[Row[str]]:
    """The same for node names."""
    masks = _by_name(actual)
    same = [masks.get(name, 0) for name in expected]
    return _rows(expected, actual, same, same, match_type)


def first_divergence(rows: Sequence[Row[Any]]) -> int | None:
    """The position of the first row that lowers the score."""
    return next((position for position, row in enumerate(rows) if row.costs), None)


def word_diff(expected: str, actual: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Both texts cut into (word with what follows it, whether the other side has it too).

    Words are compared as `rouge_match` counts them: folded, repeats counted, wherever they stand.
    The pieces of a side joined are its text.
    """
    left, right = spans(expected), spans(actual)
    counts = Counter([word for word, _, _ in left]) & Counter([word for word, _, _ in right])
    return _pieces(expected, left, counts.copy()), _pieces(actual, right, counts)


def _pieces(
    text: str, found: list[tuple[str, int, int]], shared: Counter[str]
) -> list[tuple[str, bool]]:
    if not found:
        return [(text, True)] if text else []
    starts = [0, *(start for _, start, _ in found[1:]), len(text)]
    pieces = []
    for position, (word, _, _) in enumerate(found):
        left = shared.get(word, 0)
        if left:
            shared[word] = left - 1
        pieces.append((text[starts[position] : starts[position + 1]], left > 0))
    return pieces


def _by_name(names: Sequence[str]) -> dict[str, int]:
    masks: dict[str, int] = {}
    for position, name in enumerate(names):
        masks[name] = masks.get(name, 0) | 1 << position
    return masks


def _same_calls(
    expected: Sequence[ToolCall], actual: Sequence[ToolCall], named: Sequence[int]
) -> list[int]:
    """For each expected call the actual ones that match it, arguments included.

    Calls without floats are looked up, so that long lists need no comparison of every pair.
    """
    exact: dict[Any, int] = {}
    inexact = 0
    for position, call in enumerate(actual):
        key = _key(call)
        if key is None:
            inexact |= 1 << position
        else:
            exact[key] = exact.get(key, 0) | 1 << position
    numbers: FirstNumbers | None = None
    found = []
    for call, candidates in zip(expected, named, strict=True):
        key = _key(call)
        mask = candidates if not call.args else exact.get(key, 0)
        compared = candidates if key is None else candidates & inexact
        compared &= ~mask
        if compared:
            numbers = numbers or FirstNumbers([one.args for one in actual])
            compared &= numbers.near(call.args)
        for position in positions(compared):
            if same_args(call.args, actual[position].args):
                mask |= 1 << position
        found.append(mask)
    return found


def _key(call: ToolCall) -> Any:
    try:
        return (call.name, exactly(call.args))
    except ValueError:
        return None


def _rows(
    expected: Sequence[T],
    actual: Sequence[T],
    same: Sequence[int],
    alike: Sequence[int],
    match_type: MatchType,
) -> list[Row[T]]:
    ordered = match_type is not MatchType.ANY_ORDER
    pairs = in_order(same, alike, len(actual)) if ordered else _in_any_order(same, alike)
    partner = dict(pairs)
    taken = set(partner.values())
    costs = match_type is MatchType.EXACT
    extras = deque(
        Row(Mark.EXTRA, actual=item, actual_index=position, costs=costs)
        for position, item in enumerate(actual)
        if position not in taken
    )
    rows: list[Row[T]] = []
    for index, item in enumerate(expected):
        at = partner.get(index)
        if at is None:
            rows.append(Row(Mark.MISSING, expected=item, expected_index=index, costs=True))
            continue
        while ordered and extras and (extras[0].actual_index or 0) < at:
            rows.append(extras.popleft())
        mark = Mark.SAME if same[index] >> at & 1 else Mark.DIFFERS
        keys = _keys(item, actual[at]) if mark is Mark.DIFFERS else ()
        rows.append(Row(mark, item, actual[at], index, at, keys, costs=mark is Mark.DIFFERS))
    return [*rows, *extras]


def _in_any_order(same: Sequence[int], alike: Sequence[int]) -> Iterable[Pair]:
    """The most same pairs, then calls of the same tool that are left over, earliest first."""
    partner = any_order(same)
    taken = sum(1 << position for position in partner.values())
    for index, candidates in enumerate(alike):
        left = candidates & ~taken
        if index not in partner and left:
            partner[index] = (left & -left).bit_length() - 1
            taken |= left & -left
    return partner.items()


def _keys(expected: object, actual: object) -> tuple[str, ...]:
    if isinstance(expected, ToolCall) and isinstance(actual, ToolCall):
        return tuple(different_keys(expected.args, actual.args))
    return ()
