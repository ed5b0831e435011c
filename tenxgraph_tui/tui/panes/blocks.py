"""The pieces that panes are made of: a label with lines beside it, and the head of a criterion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.content import Content

from tenxgraph_tui.evaluation.config import SLOTS
from tenxgraph_tui.evaluation.numbers import score, threshold
from tenxgraph_tui.evaluation.results import CriterionResult, Verdict
from tenxgraph_tui.tui.glyphs import ELLIPSIS, MUTED, NOTHING, VERDICT
from tenxgraph_tui.tui.kit import cell, clip, join, text
from tenxgraph_tui.tui.words import cells as width_of
from tenxgraph_tui.tui.words import clean, shorten, wrap

LABEL = 10
NAME = 17
LONGEST_NAME = 28
SCORED = {Verdict.PASSED, Verdict.FAILED}
QUIET = {Verdict.PASSED, Verdict.NOT_EVALUATED}


def label_cells(cells: int) -> int:
    """The width of the label column in a pane of `cells` cells."""
    return min(LABEL, max(0, cells // 3))


def room_beside(cells: int) -> int:
    """The width of what stands beside a label."""
    return max(1, cells - label_cells(cells))


def labelled(label: str, lines: Iterable[Content], cells: int) -> list[Content]:
    """`lines` in a column, the label beside the first of them."""
    column = label_cells(cells)
    return [
        clip(join(cell(label if index == 0 else "", column, MUTED), line), cells)
        for index, line in enumerate(lines)
    ]


def paragraph(
    label: str, value: object, cells: int, *, style: str = "", at_most: int = 6
) -> list[Content]:
    """A text beside its label, in at most `at_most` lines; the last one says that there is more."""
    room = room_beside(cells)
    found = wrap(value, room, at_most + 1)
    if len(found) > at_most:
        found = [*found[: at_most - 1], shorten(found[at_most - 1], room - 1).rstrip() + ELLIPSIS]
        found[-1] = found[-1].replace(ELLIPSIS * 2, ELLIPSIS)
    return labelled(label, [text(line, style) for line in found], cells)


def slot_of(criterion: str) -> str:
    """What people call a criterion that results know by its reported name."""
    return SLOTS.get(criterion, criterion)


def name_cells(results: Sequence[CriterionResult], cells: int) -> int:
    """The width of the column of criterion names."""
    longest = max((width_of(clean(slot_of(r.criterion))) + 2 for r in results), default=0)
    return min(max(NAME, min(longest, LONGEST_NAME)), max(4, cells // 3))


def reason_of(result: CriterionResult) -> str:
    """Why, in one text: the criterion's reason or its error."""
    reason = (result.reason or "").strip()
    return f"not evaluated: {reason}" if result.verdict is Verdict.NOT_EVALUATED else reason


def head(result: CriterionResult, names: int, cells: int) -> tuple[Content, bool]:
    """Glyph, name, score, threshold and reason; and whether the reason did not fit."""
    sign, quiet = VERDICT[result.verdict], result.verdict in QUIET
    glyph = text(f"{sign.glyph} ", sign.style)
    name = cell(slot_of(result.criterion), names, MUTED if quiet else "bold", mode="middle")
    if result.verdict in SCORED:
        shown = score(result.score, passed=quiet)
        number = text(shown, MUTED if quiet else f"bold {sign.style}")
        needs = text(f"  needs {threshold(result.threshold)}", MUTED)
    else:
        number, needs = text(NOTHING, MUTED), text("")
    line = join(glyph, name, number, needs)
    reason = reason_of(result)
    if not reason or result.verdict is Verdict.PASSED:
        return clip(line, cells), False
    full = join(line, "   ", text(reason, MUTED if quiet else ""))
    if quiet:
        return clip(full, cells), False
    fits = full.cell_length <= cells and "\n" not in reason
    return (full, False) if fits else (clip(line, cells), True)
