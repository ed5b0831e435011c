"""What stands around the rows of the cases: the rule above them, and what says that none match."""

from __future__ import annotations

from textual.content import Content

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.tui.glyphs import MUTED
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import between, clip, join, key, pad, rule, text
from tenxgraph_tui.tui.words import cells as cell_len

TITLE, FRAME, WANTED = "Cases", 10, 12
WITH_SKIPPED = 70
"""Cells that a rule has at the least to say how many cases are skipped."""


def cases_rule(
    count: tuple[int, int], order: str, wanted: str, width: int, *, focused: bool, skipped: int = 0
) -> Content:
    """The rule above the cases: how many of how many there are, in which order, and the filter.

    How many of all are `skipped` is said where there is room.
    """
    shown, total = count
    cases = numbers.plural(total, "case") if shown == total else f"{shown} of {total} cases"
    if skipped and shown == total and width >= WITH_SKIPPED:
        cases = f"{cases}, {skipped} skipped"
    sorted_ = text(f"{cases}, {order}" if order else cases, MUTED)
    asked = key(word("cases.filter"), "Filter")
    room = max(WANTED, width - cell_len(TITLE) - sorted_.cell_length - asked.cell_length - FRAME)
    filter_ = clip(text(wanted), room)
    for right in (
        between([join(sorted_, "  ", filter_) if wanted else sorted_, asked]),
        join(sorted_, "  ", filter_) if wanted else sorted_,
        join(text(cases, MUTED), "  ", filter_) if wanted else text(cases, MUTED),
        text(cases, MUTED),
    ):
        if cell_len(TITLE) + right.cell_length + FRAME <= width:
            return rule(TITLE, width, right, focused=focused)
    return rule(TITLE, width, focused=focused)


def no_match(wanted: str, width: int) -> Content:
    """What stands in place of the rows where the filter finds none."""
    told = f"No case matches {wanted}. {word('cases.clear_filter')} clears."
    return pad(text(told, MUTED), width)
