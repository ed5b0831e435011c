"""The row that says how the run goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.progress import RunState
from tenxgraph_tui.tui.changes import SIGNS, Change
from tenxgraph_tui.tui.glyphs import (
    ACCENT,
    BAD,
    CANCELLED,
    ERROR,
    FAILED,
    GOOD,
    HAIR,
    HEAVY,
    LIGHT,
    MUTED,
    PASSED,
    RUNNING,
    STATUS,
    WAITING,
    WARN,
)
from tenxgraph_tui.tui.kit import BLANK, between, join, keys, spread, text
from tenxgraph_tui.tui.lines.key_bar import Key

SHORTEST_BAR = 12
WORDS_FROM = 120
Count = tuple[CaseStatus, int]

NEWS = (Change.REGRESSED, Change.FIXED)
BAR = (
    (CaseStatus.PASSED, "$success"),
    (CaseStatus.FAILED, "$error"),
    (CaseStatus.ERROR, "$warning"),
    (CaseStatus.RUNNING, "$primary"),
)
COUNTED = (
    *(status for status, _ in BAR),
    CaseStatus.WAITING,
    CaseStatus.CANCELLED,
    CaseStatus.SKIPPED,
)


@dataclass(frozen=True, slots=True)
class Headline:
    """The first words of the strip. Of `notes`, the same said longer and shorter, one is shown."""

    glyph: str
    style: str
    word: str
    rest: str = ""
    hint: Sequence[Key] = ()
    notes: Sequence[str] = ()


def headline(state: RunState, *, is_stopping: bool = False) -> Headline:
    """How a run that began stands, in a word."""
    counts = state.counts
    if state.is_running:
        word = "stopping" if is_stopping else "running"
        return Headline(RUNNING, ACCENT, word, f"{state.done}/{_total(state)}")
    passed = f"{counts[CaseStatus.PASSED]}/{_total(state)} passed"
    if state.error:
        return Headline(ERROR, WARN, "error", f"{passed}, {state.error}")
    all_passed = not (counts[CaseStatus.FAILED] or counts[CaseStatus.ERROR])
    if state.was_cancelled or (all_passed and counts[CaseStatus.CANCELLED]):
        return Headline(CANCELLED, MUTED, "cancelled", passed)
    if counts[CaseStatus.FAILED]:
        return Headline(FAILED, BAD, "failed", passed)
    if counts[CaseStatus.ERROR] or not counts[CaseStatus.PASSED]:
        return Headline(ERROR, WARN, "error", passed)
    return Headline(PASSED, GOOD, "passed", passed)


def _total(state: RunState) -> int:
    """The cases that a run does not leave out, as the browser counts them."""
    return len(state.cases) - state.counts[CaseStatus.SKIPPED]


def run_strip(
    head: Headline,
    state: RunState,
    now: float,
    width: int,
    changes: Mapping[Change, int] | None = None,
) -> Content:
    """One row about a run: its state, a bar, counts, speed and time; the bar keeps its room.

    How it compares with its baseline, `changes`, is told once it is over.
    """
    left = join(_head(head), "  ")
    for tail in _tails(state, now, width, changes or {}):
        room = width - left.cell_length - tail.cell_length
        if room >= SHORTEST_BAR:
            return join(left, _bar(state, room), tail)
    return spread(left, BLANK, width)


def note_strip(head: Headline, width: int, right: str = "") -> Content:
    """One row that only says something."""
    end = text(f"{right} ") if right else BLANK
    hint = keys(head.hint)
    for note in (*head.notes, ""):
        left = between([_head(head), text(note, MUTED), hint])
        if left.cell_length + end.cell_length <= width:
            break
    return spread(left, end, width)


def _head(head: Headline) -> Content:
    rest, slash, total = head.rest.partition("/")
    tail = join("  ", rest, text(slash + total, MUTED)) if head.rest else BLANK
    return join(" ", text(f"{head.glyph} ", head.style), text(head.word, "bold"), tail)


def _counts(state: RunState, *, words: bool, only: Sequence[CaseStatus] = COUNTED) -> Content:
    parts = []
    for status in only:
        if not (count := state.counts[status]):
            continue
        sign = STATUS[status]
        named = sign.word if status is not CaseStatus.ERROR or count == 1 else f"{sign.word}s"
        word = text(f" {named}", MUTED) if words else BLANK
        parts.append(join(text(f"{sign.glyph} ", sign.style), str(count), word))
    return between(parts, "   " if words else "  ")


def _changed(changes: Mapping[Change, int], *, words: bool) -> Content:
    """`▼ 2 regressed   ▲ 1 fixed`: what nobody has to look for in the table."""
    found = [(SIGNS[one], changes[one]) for one in NEWS if changes.get(one)]
    parts = [
        join(text(f"{sign.glyph} ", sign.style), str(count), f" {sign.word}" if words else "")
        for sign, count in found
    ]
    return between(parts, "   " if words else "  ")


def _tails(
    state: RunState, now: float, width: int, changes: Mapping[Change, int]
) -> Iterator[Content]:
    """What stands right of the bar, from the longest way to say it to the shortest."""
    rate, eta = state.rate(now) if state.is_running else None, state.eta(now)
    clock = text(numbers.clock(state.elapsed(now)))
    left = join(text("eta ", MUTED), numbers.clock(eta)) if eta is not None else BLANK
    cost = text(numbers.money(state.cost), MUTED) if state.cost is not None else BLANK
    speed = f"{rate:.1f}" if rate is not None else ""
    time = between([clock, left], "  ")
    trouble = (CaseStatus.FAILED, CaseStatus.ERROR)
    if width >= WORDS_FROM:
        per_second = text(f"{speed} cases/s", MUTED) if speed else BLANK
        if changes:
            yield _tail(_counts(state, words=True), _changed(changes, words=True), time, cost)
        yield _tail(_counts(state, words=True), per_second, time, cost)
    if changes:
        yield _tail(_counts(state, words=False), _changed(changes, words=True), time)
        yield _tail(_counts(state, words=False), _changed(changes, words=False), time)
    yield _tail(_counts(state, words=False), text(f"{speed}/s", MUTED) if speed else BLANK, time)
    yield _tail(_counts(state, words=False), time)
    yield _tail(_counts(state, words=False), left or clock)
    yield _tail(_counts(state, words=False, only=trouble), left or clock)
    yield _tail(left or clock)
    yield BLANK


def _tail(*parts: Content) -> Content:
    return join("  ", between(parts), " ")


def _bar(state: RunState, cells: int) -> Content:
    total = max(1, _total(state))
    drawn: list[Content] = []
    used = seen = 0
    for status, style in BAR:
        seen += state.counts[status]
        upto = min(cells, round(seen / total * cells))
        drawn.append(text(HEAVY * (upto - used), style))
        used = upto
    return join(*drawn, text(LIGHT * (cells - used), HAIR))


def reading_headline(files: int, number: int | None, state: RunState) -> Headline:
    """While eval-set files are read, then a past run: how many of its cases are known so far."""
    rest = numbers.plural(files, "file")
    if not files:
        so_far = f"  {state.done}/{_total(state)}" if state.number == number else ""
        rest = f"run #{number}{so_far}"
    return Headline(RUNNING, ACCENT, "reading", rest)


def waiting_headline(
    word: str, rest: str, hint: Sequence[Key] = (), notes: Sequence[str] = ()
) -> Headline:
    """The strip before a run."""
    return Headline(WAITING, MUTED, word, rest, hint, notes)
