"""One row of the case table for one case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.events import CaseStatus, SetInfo, VerdictPreview
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import Verdict
from tenxgraph_tui.tui import kit
from tenxgraph_tui.tui.changes import SIGNS, Change
from tenxgraph_tui.tui.glyphs import ACCENT, DOT, ERROR, FAILED, MUTED, PASSED, RUNNING, WARN
from tenxgraph_tui.tui.kit import cell, clip, join, pad, text
from tenxgraph_tui.tui.lines.columns import (
    CHANGE_SIGN,
    COMFORTABLE_CASE,
    GAP,
    MARK,
    PREFIX_FROM,
    STATUS,
    WORST,
    Columns,
    criteria_in,
    short_name,
)
from tenxgraph_tui.tui.words import cells as cell_len

INDENT = 2
CALM = frozenset({CaseStatus.WAITING, CaseStatus.SKIPPED, CaseStatus.CANCELLED})


@dataclass(frozen=True, slots=True)
class RowContext:
    """What every row needs beside its case. `labels` are the names of the sets."""

    columns: Columns
    sets: Sequence[SetInfo]
    labels: Sequence[str]
    now: float


def row(
    case: CaseProgress,
    context: RowContext,
    *,
    is_selected: bool = False,
    change: Change | None = None,
) -> Content:
    """One case: status, name, then what is known of it."""
    return join(
        _status(case),
        pad(text(DOT if is_selected else "", ACCENT), MARK),
        _name(case, context),
        text(" " * GAP),
        *_middle(case, context),
        _time(case, context),
        _change(change, context.columns.change),
    )


def _status(case: CaseProgress) -> Content:
    """The word alone; that a failure is known, or a pass unexpected, stands behind the name."""
    if case.known:
        return pad(text(f"{FAILED} failed", MUTED), STATUS)
    if case.unexpected:
        return pad(text(f"{PASSED} passed", WARN), STATUS)
    return kit.status(case.status, STATUS)


def _name(case: CaseProgress, context: RowContext) -> Content:
    cells = context.columns.case
    style = MUTED if case.status in CALM else ""
    tail = text(_suffix(case), MUTED)
    room = max(0, cells - tail.cell_length)
    prefix = text(_prefix(case, context), MUTED)
    left = room - prefix.cell_length
    eval_id = text(case.key.eval_id, style)
    if eval_id.cell_length > left and left < COMFORTABLE_CASE:
        prefix, left = kit.BLANK, room
    if eval_id.cell_length > left:
        eval_id = cell(case.key.eval_id, left, style, mode="middle")
    return pad(join(prefix, eval_id, tail), cells)


def _prefix(case: CaseProgress, context: RowContext) -> str:
    if context.columns.case < PREFIX_FROM or len(context.sets) == 1:
        return ""
    return f"{context.labels[case.key.set_index]}/"


def _suffix(case: CaseProgress) -> str:
    attempt = f" #{case.key.attempt + 1}" if case.key.attempt else ""
    if case.known:
        return f"{attempt} (known)"
    return f"{attempt} (unexpected)" if case.unexpected else attempt


def _middle(case: CaseProgress, context: RowContext) -> list[Content]:
    columns = context.columns
    match case.status:
        case CaseStatus.RUNNING:
            if columns.verdicts <= WORST:
                return [cell(case.node or "starting", columns.middle, ACCENT, align="right")]
            return [pad(join("  ", _live(case, columns.middle - 3)), columns.middle)]
        case CaseStatus.WAITING | CaseStatus.CANCELLED:
            return [_blank(columns.middle)]
        case CaseStatus.SKIPPED:
            return [_across(case.reason or case.info.skip or "", columns.middle, MUTED)]
        case CaseStatus.ERROR:
            error = _across(first_line(case.error or case.reason), columns.verdicts, WARN)
            return [error, *_spent(case, columns)]
    parts = [_blank(columns.spare)]
    parts += [_score(case.verdicts.get(c.name), columns.score) for c in columns.scores]
    if columns.worst:
        parts.append(_worst(case, context))
    if columns.reason:
        parts.append(_across(_reason(case), columns.reason, MUTED))
    return [*parts, *_spent(case, columns)]


def _blank(cells: int) -> Content:
    return text(" " * cells)


def _reason(case: CaseProgress) -> str:
    """Why it failed, by the first criterion that says so."""
    bad = (v for v in case.verdicts.values() if v.verdict in {Verdict.FAILED, Verdict.ERROR})
    return first_line(next((verdict.reason for verdict in bad if verdict.reason), ""))


def _live(case: CaseProgress, cells: int) -> Content:
    """What a running case does right now; which turn it is goes first, if both fit."""
    step = f"{case.node} {RUNNING} {case.step}" if case.step else case.node or "starting"
    doing = text(step, ACCENT)
    if case.info.turns > 1:
        turn = text(f"turn {case.turn + 1}/{case.info.turns}   ", MUTED)
        if turn.cell_length + doing.cell_length <= cells:
            return join(turn, doing)
    return clip(doing, cells)


def _across(reason: str, cells: int, style: str) -> Content:
    if cells <= INDENT:
        return _blank(cells)
    return cell(reason, cells - INDENT, style).pad_left(INDENT)


def _score(verdict: VerdictPreview | None, cells: int) -> Content:
    if verdict is None:
        return _blank(cells)
    match verdict.verdict:
        case Verdict.ERROR:
            return cell(ERROR, cells, f"bold {WARN}", align="right")
        case Verdict.NOT_EVALUATED:
            return kit.score(None, cells, passed=False)
    return kit.score(verdict.score, cells, passed=verdict.verdict is Verdict.PASSED)


def _worst(case: CaseProgress, context: RowContext) -> Content:
    """The failing criterion that is furthest below its threshold, of those without a column."""
    shown = {criterion.name for criterion in context.columns.scores}
    bad = [
        verdict
        for verdict in case.verdicts.values()
        if verdict.verdict in {Verdict.FAILED, Verdict.ERROR} and verdict.criterion not in shown
    ]
    if not bad:
        return _blank(context.columns.worst)
    worst = min(bad, key=lambda verdict: verdict.score - verdict.threshold)
    known = {c.name: c for c in criteria_in(context.sets)}
    name = short_name(known[worst.criterion]) if worst.criterion in known else worst.criterion[:5]
    score = _score(worst, 6)
    return kit.flush(join(text(name, MUTED), " ", score), context.columns.worst)


def _spent(case: CaseProgress, columns: Columns) -> list[Content]:
    parts: list[Content] = []
    if columns.tokens:
        tokens = numbers.tokens(case.tokens) if case.tokens else ""
        parts.append(cell(tokens, columns.tokens, MUTED, align="right"))
    if columns.cost:
        parts.append(cell(numbers.money(case.cost), columns.cost, MUTED, align="right"))
    return parts


def _time(case: CaseProgress, context: RowContext) -> Content:
    seconds = case.duration_seconds
    if case.status is CaseStatus.RUNNING and case.started_at is not None:
        seconds = max(0.0, context.now - case.started_at)
    elif case.status in CALM and not seconds:
        seconds = None  # it never ran
    shown = "" if seconds is None else numbers.seconds(seconds)
    return cell(shown, context.columns.time, MUTED, align="right")


def _change(change: Change | None, cells: int) -> Content:
    """What became of a case since the baseline; that it is the same is not worth a word."""
    if change is None or change is Change.SAME:
        return _blank(cells)
    sign = SIGNS[change]
    if cells <= CHANGE_SIGN:
        return cell(sign.glyph, cells, sign.style, align="right")
    return pad(kit.sign(sign).pad_left(INDENT), cells)


def first_line(value: str) -> str:
    """The first line that says something."""
    return next((line.strip() for line in value.splitlines() if line.strip()), "")


def longest_name(sets: Sequence[SetInfo], labels: Sequence[str]) -> int:
    """The cells that the longest name of a case needs, its set before it."""
    is_prefixed = len(sets) > 1
    longest = 0
    for info, label in zip(sets, labels, strict=True):
        prefix = len(label) + 1 if is_prefixed else 0
        longest = max([longest, *(prefix + cell_len(case.eval_id) for case in info.cases)])
    return longest
