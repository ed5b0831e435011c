"""What other thresholds would make of the results: numbers, a histogram, the cases that flip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.causes.grouping import called
from tenxgraph_tui.tui.glyphs import (
    ACCENT,
    BAD,
    BLOCK,
    FAILED,
    FAINT,
    FIXED,
    GOOD,
    MUTED,
    NOTHING,
    REGRESSED,
)
from tenxgraph_tui.tui.kit import BLANK, between, cell, clip, join, pad, rule, text
from tenxgraph_tui.tui.whatif.outcome import Bars, Listed, Outcome
from tenxgraph_tui.tui.whatif.scored import BINS, bin_of
from tenxgraph_tui.tui.words import cells as width_of

LABEL, WIDEST_BAR, SCORE, LONGEST_NAME = 10, 3, 7, 42
TALLEST, LOWEST = 7, 3
TO = "→"
ROWS_OF_NUMBERS, ROWS_OF_AXIS, ROWS_OF_LIST = 2, 2, 8
ROOMY = 22


@dataclass(frozen=True, slots=True)
class Shown:
    """An outcome with what the screen knows beside it. `causes` are None while not counted.

    `names` are the cases as people call them here.
    """

    outcome: Outcome
    names: dict[CaseKey, str]
    causes: tuple[int, int] | None = None
    run: str = ""


def what_if_rule(shown: Shown, width: int, *, focused: bool) -> Content:
    """`What if  rouge_match ≥ 0.50`, and of which run."""
    found = shown.outcome
    needs = f"≥ {numbers.threshold(found.now)}" if found.is_on else "not checked"
    title = join(text("What if", f"bold {ACCENT}" if focused else "bold"))
    named = text(f"  {found.criterion} {needs}")
    right = text(f"no rerun, {shown.run}", MUTED)
    return rule(join(title, named), width, right, focused=focused)


def lines(shown: Shown, width: int, height: int) -> list[Content]:
    """All of it; the histogram is as high as there is room for."""
    found, roomy = shown.outcome, height >= ROOMY
    listed = [*_lists(shown, width)]
    spare = height - ROWS_OF_NUMBERS - ROWS_OF_AXIS - min(ROWS_OF_LIST, len(listed)) - 2 * roomy
    high = max(LOWEST, min(TALLEST, spare))
    parts = [
        [*_numbers(shown, width)],
        [*_histogram(found.bars, high, width), *_axis(found, width)],
        listed,
    ]
    gap = [pad(BLANK, width)] if roomy else []
    made: list[Content] = []
    for part in parts:
        made += [*(gap if made else []), *part]
    return [pad(line, width) for line in made]


def _label(label: str, width: int) -> Content:
    return cell(label, min(LABEL, width // 4), MUTED)


def _numbers(shown: Shown, width: int) -> Iterator[Content]:
    found = shown.outcome
    before, now = found.passed
    total = max(1, found.total)
    shares = [numbers.percent(count / total) for count in (before, now)]
    style = GOOD if now > before else BAD if now < before else ""
    counts = join(_moved(str(before), str(now), style), text(f" of {found.total}", MUTED))
    yield join(_label("passed", width), between([counts, _moved(*shares)], "     "))
    if shown.causes is not None:
        was, are = (str(count) for count in shown.causes)
        yield join(_label("causes", width), _moved(was, are))
    else:
        yield join(_label("causes", width), text("…", MUTED))


def _moved(before: str, now: str, style: str = "") -> Content:
    """`27 → 29`; what stays the same is said once."""
    if before == now:
        return text(now)
    return join(text(before, MUTED), text(f" {TO} ", MUTED), text(now, f"bold {style}".strip()))


def _bar_cells(width: int) -> int:
    """The cells of one bar, with the gap behind it."""
    return max(1, min(WIDEST_BAR, (width - min(LABEL, width // 4)) // BINS))


def _histogram(bars: Bars, high: int, width: int) -> Iterator[Content]:
    """A bar for every step of the threshold; what flips stands at the foot of it."""
    most = max(bars.scores, default=0)
    unit = max(1.0, most / high)
    one = _bar_cells(width)
    used = min(high, -(-most // unit)) if most else 1
    for row in reversed(range(int(used))):
        drawn = [
            _block(one, _style(up, down, _rows(count, unit), row, unit))
            for count, up, down in zip(bars.scores, bars.up, bars.down, strict=True)
        ]
        label = "cases" if row == used - 1 else ""
        yield join(_label(label, width), *drawn)


def _rows(count: int, unit: float) -> int:
    """How many rows a bar of so many cases fills: one at least, if there are any."""
    return max(1, round(count / unit)) if count else 0


def _style(up: int, down: int, filled: int, row: int, unit: float) -> str:
    """How a row of a bar is drawn; "" above its end."""
    if row >= filled:
        return ""
    if row < _rows(up, unit):
        return GOOD
    return BAD if row < _rows(up, unit) + _rows(down, unit) else FAINT


def _block(cells: int, style: str) -> Content:
    if not style:
        return text(" " * cells)
    gap = " " if cells > 1 else ""
    return join(text(BLOCK * (cells - len(gap)), style), gap)


def _axis(found: Outcome, width: int) -> Iterator[Content]:
    """Where the threshold stands, and where it stood."""
    one = _bar_cells(width)
    label, whole = min(LABEL, width // 4), one * BINS

    def at(threshold: float) -> int:
        return bin_of(threshold) * one

    was = found.was[0] if len(found.was) == 1 else None
    is_moved = was is not None and was != found.now
    shown = [found.now, *([was] if is_moved and was is not None else [])]
    values = [(at(each), text(numbers.threshold(each), MUTED)) for each in shown]
    ends = [(0, text("0.00", MUTED)), (whole - 4, text("1.00", MUTED))]
    yield join(" " * label, _placed([*values, *ends], width - label))
    marks = [(at(found.now), join(text(FIXED, ACCENT), text(" now" if is_moved else " needs")))]
    if is_moved and was is not None:
        marks.append((at(was), text(f"{FIXED} was", MUTED)))
    yield join(" " * label, _placed(marks, width - label))


def _placed(parts: Sequence[tuple[int, Content]], width: int) -> Content:
    """Each part at its cell, moved to the left where the line ends; none upon an earlier one."""
    taken: list[tuple[int, int, Content]] = []
    for at, part in parts:
        start = max(0, min(at, width - part.cell_length))
        end = start + part.cell_length
        if end <= width and all(end < other or start > stop for other, stop, _ in taken):
            taken.append((start, end, part))
    line = BLANK
    for start, _, part in sorted(taken, key=lambda one: one[0]):
        line = join(pad(line, start), part)
    return line


def _lists(shown: Shown, width: int) -> Iterator[Content]:
    found = shown.outcome
    name = min(max((width_of(one) for one in shown.names.values()), default=0) + 4, LONGEST_NAME)
    name = max(0, min(name, width - SCORE))
    signs = {
        "would pass": (found.up, FIXED, GOOD),
        "would fail": (found.down, REGRESSED, BAD),
        "still fails": (found.still, FAILED, BAD),
    }
    is_first = True
    for title, (cases, glyph, style) in signs.items():
        if not cases:
            continue
        score = cell("score" if is_first else "", SCORE, MUTED, align="right")
        yield join(cell(title, name, MUTED), score)
        is_first = False
        for one in cases:
            head = join(text(f"{glyph} ", style), clip(text(shown.names[one.key]), name - 2))
            yield join(pad(head, name), _score(one), _note(one))
    if found.more:
        yield text(f"… {found.more} more", MUTED)
    if is_first:
        yield text(_nothing(shown.outcome), MUTED)


def _nothing(found: Outcome) -> str:
    if found.is_on and len(found.was) == 1 and found.now == found.was[0]:
        return "←→ moves the threshold: the cases that would flip stand here."
    return "No case would flip."


def _score(one: Listed) -> Content:
    if one.score is None:
        return cell(NOTHING, SCORE, MUTED, align="right")
    return cell(f"{one.score:.2f}", SCORE, "bold", align="right")


def _note(one: Listed) -> Content:
    return text(f"   fails {called(one.still)}" if one.still else "", MUTED)
