"""The screen of causes: a list of what failures share, and the cases of one of them."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.events import VerdictPreview
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.tui.causes.finding import Parts
from tenxgraph_tui.tui.causes.grouping import Member
from tenxgraph_tui.tui.causes.view import CauseView
from tenxgraph_tui.tui.changes import SIGNS, Change
from tenxgraph_tui.tui.glyphs import BAD, FAINT, GOOD, HEAVY, MUTED, NOTHING, PASSED
from tenxgraph_tui.tui.kit import BLANK, between, cell, clip, join, pad, rule, spread, text

COUNT, BAR, LABEL = 6, 6, 10
ONE_LINE_CRITERION, BADGE = 17, 6
SHORTEST_TITLE = 24
SCORE, WIDEST_VALUE, WIDEST_NAME, GAP = 7, 44, 44, 2


def causes_rule(count: int, found: int, reading: int, width: int, *, focused: bool) -> Content:
    """`Causes   9 not passed, 5 causes`; while results are still read, how many are left."""
    told = f"{count} not passed, {plural(found, 'cause')}" if count else ""
    if reading:
        told = f"{told}, {reading} to read"
    return rule("Causes", width, text(told, MUTED), focused=focused)


def cause_line(view: CauseView, most: int, width: int, *, in_one: bool) -> Content:
    """How many, and what they share; `in_one` with the criterion behind it.

    The longest bar stands for `most` cases.
    """
    glyph, style = view.sign
    badge = _badge(view)
    head = join(
        cell(view.count, COUNT - 2, "bold", align="right"),
        "  ",
        cell(HEAVY * max(1, round(view.count / max(1, most) * BAR)), BAR, style),
        "  ",
    )
    room = width - head.cell_length
    tail = badge
    if in_one and room >= SHORTEST_TITLE + ONE_LINE_CRITERION + BADGE:
        named = cell(view.criteria, ONE_LINE_CRITERION - 2, MUTED)
        tail = join(text(f"{glyph} ", style), named, pad(badge, BADGE))
    if room < SHORTEST_TITLE:
        head, tail = cell(view.count, COUNT - 2, "bold", align="right"), BLANK
        return pad(join(head, "  ", clip(_title(view), max(0, width - COUNT))), width)
    return pad(join(head, spread(_title(view), tail, max(0, room))), width)


def cause_below(view: CauseView, width: int) -> Content:
    """Its criteria and its sets."""
    glyph, style = view.sign
    indent = min(COUNT + BAR + 2, max(0, width // 4))
    sets = text(f"   {', '.join(view.sets)}", MUTED)
    line = join(" " * indent, text(f"{glyph} ", style), text(view.criteria), sets)
    return pad(line, width)


def _title(view: CauseView) -> Content:
    return text(view.cause.title, "bold")


def _badge(view: CauseView) -> Content:
    sign = SIGNS[Change.NEW]
    return text(f"{sign.glyph} {sign.word}", sign.style) if view.is_new else BLANK


def cause_rule(view: CauseView, width: int, *, focused: bool) -> Content:
    """The cause that is looked at, and how many cases it has."""
    count = plural(view.count, "case")
    room = max(0, width - len(count) - 8)
    title = join(clip(_title(view), room), text(f"   {count}", MUTED))
    return rule(title, width, focused=focused)


def facts(view: CauseView, width: int) -> list[Content]:
    """What its cases share, and what they did before, in a line each."""
    found = [("shared", _shared(view)), ("since", text(view.history))]
    return [
        pad(join(cell(label, min(LABEL, width // 3), MUTED), told), width)
        for label, told in found
        if told
    ]


def _shared(view: CauseView) -> Content:
    """`call 2   ✗ trajectory, rouge_match   weather`."""
    glyph, style = view.sign
    failed = join(text(f"{glyph} ", style), text(view.criteria))
    return between([text(view.where), failed, text(", ".join(view.sets), MUTED)])


@dataclass(frozen=True, slots=True)
class Columns:
    """Cells of the columns of the cases of a cause; a width of 0 leaves one out."""

    name: int
    left: int
    right: int
    has_scores: bool

    @classmethod
    def of(cls, view: CauseView, width: int, longest: int) -> Columns:
        """The name first, then what happened, then what was expected."""
        name = min(longest + 2 + GAP, WIDEST_NAME, max(1, width // 2))
        left = max(0, width - name)
        if view.cause.has_scores:
            scores = 2 * SCORE if left >= 2 * SCORE else 0
            return cls(name, scores, max(0, left - scores), True)
        has_expected = any(one.finding.expected for one in view.cause.members)
        half = min(WIDEST_VALUE, left // 2) if has_expected and left >= 2 * GAP + 12 else 0
        return cls(name, half, left - half, False)


def members_heading(view: CauseView, columns: Columns, width: int) -> Content:
    """The names of the columns."""
    if columns.has_scores:
        scores = [cell(name, SCORE - 2, MUTED, align="right") for name in ("score", "needs")]
        shown = between(scores, "  ") if columns.left else BLANK
        heads = [pad(shown, columns.left), cell("  reason", columns.right, MUTED)]
    else:
        right = "actual" if not view.cause.is_error else "what happened"
        heads = [cell("expected", columns.left, MUTED), cell(right, columns.right, MUTED)]
    return pad(join(cell("case", columns.name, MUTED), *heads), width)


def member_line(view: CauseView, member: Member, columns: Columns) -> Content:
    """One case, and what differs in it."""
    glyph, style = view.sign
    named = join(text(view.set_of(member.key), MUTED), text(member.key.eval_id))
    name = join(text(f"{glyph} ", style), clip(named, max(0, columns.name - 2 - GAP)))
    verdict, finding = member.verdict, member.finding
    if columns.has_scores:
        parts = [_scores(verdict, columns.left), _reason(verdict, columns.right)]
    else:
        is_blamed = not (finding.is_beside or view.cause.is_error)
        parts = [
            _side(finding.expected, columns.left, f"underline {GOOD}"),
            _side(finding.actual, columns.right, f"underline {BAD}" if is_blamed else MUTED),
        ]
    return join(pad(name, columns.name), *parts)


def _side(parts: Parts, width: int, style: str) -> Content:
    if not parts:
        return cell(NOTHING, width, FAINT)
    shown = [
        join(text(f"{name}=" if name else "", MUTED), text(value, style)) for name, value in parts
    ]
    return pad(clip(between(shown, ", "), max(0, width - GAP)), width)


def _scores(verdict: VerdictPreview | None, width: int) -> Content:
    if verdict is None or not width:
        return pad(BLANK, width)
    score = numbers.score(verdict.score, passed=False)
    needs = cell(numbers.threshold(verdict.threshold), SCORE - 2, MUTED, align="right")
    return pad(join(cell(score, SCORE - 2, f"bold {BAD}", align="right"), "  ", needs), width)


def _reason(verdict: VerdictPreview | None, width: int) -> Content:
    return cell(f"  {verdict.reason}" if verdict is not None else "", width, MUTED)


def none_line(passed: int, total: int, width: int) -> Content:
    """Where nothing failed."""
    told = f"{passed} of {total} passed. No causes." if total else "No case has run yet."
    return pad(join(text(f"{PASSED} " if total else "", GOOD), text(told)), width)
