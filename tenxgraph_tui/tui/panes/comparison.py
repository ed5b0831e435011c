"""Drawing what was expected beside what happened, for tool calls, nodes and answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from textual.content import Content

from tenxgraph_tui.evaluation.alignment import word_diff
from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.tui.glyphs import BAD, FAINT, GOOD, MUTED, NOTHING
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import BLANK, cell, join, text
from tenxgraph_tui.tui.panes.blocks import label_cells, labelled, room_beside
from tenxgraph_tui.tui.panes.calls import Side, call_line
from tenxgraph_tui.tui.panes.items import Block, block
from tenxgraph_tui.tui.panes.picked import Picked
from tenxgraph_tui.tui.panes.rows import REMEMBERED, AnyRow, diverging, is_quiet, mark, name_of
from tenxgraph_tui.tui.panes.texts import Word, differing, flow, mostly_different, unmarked

WIDEST_COLUMN = 54
MARK_CELLS = 12
MOST_ROWS = 12
KEPT_BEFORE = 2
MOST_LISTED = 3


Pick = Callable[[AnyRow], Picked]
"""From a row to both of its sides whole."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Two answers beside each other; without `expected` where they are of the same words."""

    expected: list[Content]
    actual: list[Content]


def table(rows: Sequence[AnyRow], cells: int, pick: Pick, at_most: int = MOST_ROWS) -> Block:
    """Rows of expected, actual and mark, in three columns, from just before the divergence on."""
    label = label_cells(cells)
    column = max(4, min(WIDEST_COLUMN, (cells - label - MARK_CELLS) // 2))
    first, last = _window(rows, at_most)
    heads = join(" " * label, cell("expected", column, MUTED), cell("actual", column, MUTED))
    found = block([heads])
    if first:
        found += block([join(" " * label, text(f"… {plural(first, 'row')} as expected", MUTED))])
    for number, row in enumerate(rows[first:last], first + 1):
        quiet = MUTED if is_quiet(row) else ""
        line = join(
            cell(number, label - 2, MUTED, align="right"),
            "  ",
            item(row.expected, column - 2, row, Side(quiet, GOOD)),
            "  ",
            item(row.actual, column - 2, row, Side(quiet, BAD)),
            "  ",
            mark(row),
        )
        found += block([line], pick(row))
    if last < len(rows):
        more = f"… {plural(len(rows) - last, 'more row')}, {word('detail.trajectory')} shows them"
        found += block([join(" " * label, text(more, MUTED))])
    return found


def _window(rows: Sequence[AnyRow], at_most: int) -> tuple[int, int]:
    if len(rows) <= at_most:
        return 0, len(rows)
    diverges = next((at for at, row in enumerate(rows) if row.costs), 0)
    first = max(0, diverges - KEPT_BEFORE)
    return first, min(len(rows), first + at_most)


def stacked(rows: Sequence[AnyRow], cells: int, pick: Pick) -> Block:
    """The first divergence in two lines, then what else is missing or extra in one.

    Where nothing stands beside nothing, as where calls are missing and no more, all are listed.
    """
    costly = diverging(rows)
    if not costly:
        return []
    if all(row.expected is None or row.actual is None for row in costly):
        return _one_sided(costly, cells, pick)
    first, room = costly[0], room_beside(cells)
    pair = labelled("expected", [item(first.expected, room, first, Side("", GOOD))], cells)
    pair += labelled("actual", [item(first.actual, room, first, Side("", BAD))], cells)
    found = block(pair, pick(first))
    if len(costly) > 1:
        found += block(labelled("", [_summary(costly[1:], room)], cells))
    return found


def _one_sided(rows: Sequence[AnyRow], cells: int, pick: Pick) -> Block:
    """`missing` and `extra`, each beside the calls or nodes that are."""
    room = room_beside(cells)
    found: Block = []
    for label, side in (("missing", Side("", GOOD)), ("extra", Side("", BAD))):
        some = [row for row in rows if row.mark.value == label]
        shown = some if len(some) <= MOST_LISTED else some[: MOST_LISTED - 1]
        for index, row in enumerate(shown):
            what = row.expected if row.actual is None else row.actual
            line = labelled("" if index else label, [item(what, room, row, side)], cells)
            found += block(line, pick(row))
        if len(shown) < len(some):
            more = f"… {len(some) - len(shown)} more, {word('detail.trajectory')} shows them"
            found += block(labelled("", [text(more, MUTED)], cells))
    return found


def _summary(rows: Sequence[AnyRow], room: int) -> Content:
    line = BLANK
    for index, row in enumerate(rows):
        longer = join(line, "   " if index else "", mark(row), " ", text(name_of(row)))
        left = len(rows) - index - 1
        more = text(f"   … {left + 1} more" if index else "…", MUTED)
        if longer.cell_length + (more.cell_length if left else 0) > room:
            return join(line, more)
        line = longer
    return line


def item(what: ToolCall | str | None, cells: int, row: AnyRow, side: Side) -> Content:
    """A call or a node in exactly `cells` cells; nothing is a dash."""
    if what is None:
        return cell(NOTHING, cells, FAINT)
    if isinstance(what, str):
        return cell(what, cells, side.base, mode="middle")
    other = row.actual if what is row.expected else row.expected
    beside = other if isinstance(other, ToolCall) else None
    return call_line(what, cells, row.keys, side, beside, any_args=what is row.expected)


@lru_cache(maxsize=REMEMBERED)
def diff_of(expected: str, actual: str) -> tuple[list[Word], list[Word]]:
    """Both texts in words, each with whether the other has it too; drawn again it is at hand."""
    return word_diff(expected, actual)


def answers(expected: str, actual: str, cells: int, at_most: int) -> tuple[str, Answers]:
    """A note on how much differs, and both texts with what differs underlined.

    Texts of the same words are shown once: as `both` if they are identical, else as `actual`.
    """
    wanted, given = diff_of(expected, actual)
    room = room_beside(cells)
    if actual.strip() and not differing(wanted) and not differing(given):
        label = "both" if expected.strip() == actual.strip() else "actual"
        return "", Answers([], labelled(label, flow(given, room, BAD, at_most), cells))
    note = ""
    if mostly_different(wanted, given):
        note, wanted, given = "mostly different", unmarked(wanted), unmarked(given)
    shown = flow(given, room, BAD, at_most) if actual.strip() else [text("no answer", MUTED)]
    return note, Answers(
        labelled("expected", flow(wanted, room, GOOD, at_most), cells),
        labelled("actual", shown, cells),
    )
