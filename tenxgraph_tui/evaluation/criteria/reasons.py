"""One-line reasons: what a person reads first about a verdict, and can act on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tenxgraph_tui.evaluation.alignment import Mark, Row, first_divergence
from tenxgraph_tui.evaluation.dataset import ToolCall

LISTED = 8
"""How many names a reason lists."""

Rows = Sequence[Row[ToolCall]] | Sequence[Row[str]]


def divergence(rows: Rows, unit: str) -> str:
    """What differs in `rows`; an item of them is called `unit` ("call", "node")."""
    at = first_divergence(rows)
    if at is None:
        wanted = sum(row.expected is not None for row in rows)
        return f"{wanted} of {wanted} {unit}s match" if wanted else f"no {unit} expected"
    first = rows[at]
    if first.mark is Mark.DIFFERS and first.expected_index is not None:
        return f"first divergence: {unit} {first.expected_index + 1}, {listed(first.keys)}"
    wanted_names = [_name(row.expected) for row in rows if row.expected is not None]
    got = {row.actual_index or 0: _name(row.actual) for row in rows if row.actual is not None}
    got_names = [got[position] for position in sorted(got)]
    return f"{_problems(rows)} (expected: {listed(wanted_names)} / got: {listed(got_names)})"


def listed(names: Sequence[str]) -> str:
    """Names in one line, cut after some; "nothing" if there are none."""
    shown = ", ".join(" ".join(name.split()) for name in names[:LISTED])
    return f"{shown}, … {len(names) - LISTED} more" if len(names) > LISTED else shown or "nothing"


def _problems(rows: Rows) -> str:
    missing = Counter(_name(row.expected) for row in rows if row.mark is Mark.MISSING)
    extra = Counter(_name(row.actual) for row in rows if row.mark is Mark.EXTRA)
    costly = Counter(_name(row.actual) for row in rows if row.mark is Mark.EXTRA and row.costs)
    moved = missing & extra
    groups = {"missing": missing - moved, "extra": costly - moved, "out of order": moved}
    return "; ".join(
        f"{word}: {listed(list(names.elements()))}" for word, names in groups.items() if names
    )


def _name(item: ToolCall | str | None) -> str:
    return item.name if isinstance(item, ToolCall) else str(item)
