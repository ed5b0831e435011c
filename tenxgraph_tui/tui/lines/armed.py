"""The sheet that asks before a save costs money: what would run, what it costs, what to answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.formats.module_paths import CONFEVAL
from tenxgraph_tui.session.watching.estimate import Bill, Payer
from tenxgraph_tui.tui.glyphs import ACCENT, HAIR, HEAVY, LIGHT, MUTED, NOTHING
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import BLANK, between, cell, flush, join, key, pad, sign, spread, text
from tenxgraph_tui.tui.lines.key_bar import Key
from tenxgraph_tui.tui.watching.question import Answer, Question
from tenxgraph_tui.tui.watching.state import SIGNS, WatchMode

LABEL, COST, GAP = 12, 10, 3
LARGEST_ROOM = 34
"""Cells of who is asked: beyond that the eye would travel to find the cost."""
TALL_FROM = 24
BILLS = 4
MARGIN = 1


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer in a row of the sheet, and the cells that it fills."""

    answer: Answer
    key: Key
    start: int
    end: int


def armed_lines(
    question: Question, width: int, height: int, *, focused: bool = True
) -> list[Content]:
    """The whole sheet over a screen of that height."""
    airy = [BLANK] if height >= TALL_FROM else []
    stroke, style = (HEAVY, ACCENT) if focused else (LIGHT, HAIR)
    inner = max(0, width - 2 * MARGIN)
    rows = [
        _asked(question, inner),
        *airy,
        *_bills(question, inner),
        *airy,
        *(_choices(row, inner) for row in choices(question, inner)),
    ]
    return [text(stroke * width, style), *(pad(join(" " * MARGIN, row), width) for row in rows)]


def _asked(question: Question, width: int) -> Content:
    ask = text(f"Rerun {numbers.plural(question.cost.cases, 'case')}?", "bold")
    armed = sign(SIGNS[WatchMode.ARMED])
    reason = text(f"  {question.rerun.reason}", MUTED)
    room = width - ask.cell_length - armed.cell_length - GAP
    return spread(join(ask, pad(reason, room) if room > 0 else BLANK), armed, width)


def _bills(question: Question, width: int) -> list[Content]:
    cost = question.cost
    shown = cost.bills if len(cost.bills) <= BILLS else cost.bills[: BILLS - 1]
    room = min(LARGEST_ROOM, max(0, width - LABEL - COST - GAP))
    lines = [_bill(bill, room) for bill in shown]
    if len(cost.bills) > len(shown):
        lines.append(text(f"{len(cost.bills) - len(shown)} more models", MUTED))
    if cost.unread:
        cases = numbers.plural(cost.unread, "case")
        lines.append(_row(Payer.JUDGE, f"{CONFEVAL} not read yet", None, cases, room))
    about = f"about {numbers.seconds(question.seconds)}" if question.seconds is not None else ""
    spent = numbers.moment(question.since, question.now)
    told = f"{numbers.money(question.spent)} spent since {spent}" if question.spent else ""
    lines.append(_row("total", about, cost.dollars, told, room, bold="bold"))
    return [pad(line, width) for line in lines]


def _bill(bill: Bill, room: int) -> Content:
    return _row(bill.payer, f"{bill.calls} × {bill.model}", bill.dollars, bill.basis, room)


def _row(
    label: str, what: str, dollars: float | None, told: str, room: int, bold: str = ""
) -> Content:
    price = flush(text(estimated(dollars), bold), COST)
    return join(
        cell(label, LABEL, MUTED),
        cell(what, room, mode="middle"),
        price,
        " " * GAP,
        text(told, MUTED),
    )


def estimated(dollars: float | None) -> str:
    """`≈ $0.063`; a dash where a price is not known."""
    if not dollars:
        return NOTHING if dollars is None else numbers.money(dollars)
    return f"≈ {numbers.money(dollars)}"


def choices(question: Question, width: int) -> list[list[Choice]]:
    """The answers in rows, in words as long as fit into one row; in more rows where none do."""
    for named in (_long(question), _short(question)):
        rows = [*_rows(question.answers, named, width)]
        if len(rows) == 1:
            break
    return rows


def _rows(
    answers: Sequence[Answer], named: dict[Answer, Key], width: int
) -> Iterator[list[Choice]]:
    row: list[Choice] = []
    start = 0
    for answer in answers:
        end = start + key(*named[answer]).cell_length
        if row and end > width:
            yield row
            row, end, start = [], end - start, 0
        row.append(Choice(answer, named[answer], start, end))
        start = end + GAP
    yield row


def _choices(row: Sequence[Choice], width: int) -> Content:
    return pad(between([key(*one.key) for one in row], " " * GAP), width)


def _long(question: Question) -> dict[Answer, Key]:
    part = f"Only the {len(question.not_passed)} not passed"
    offline = "Only offline criteria"
    return _named(
        f"{part}, {estimated(question.part_cost.dollars)}",
        f"{offline}, {estimated(question.offline_cost)}",
    )


def _short(question: Question) -> dict[Answer, Key]:
    return _named(f"{len(question.not_passed)} not passed", "Offline")


def _named(not_passed: str, offline: str) -> dict[Answer, Key]:
    return {
        Answer.ALL: (word("armed.all"), "Rerun all"),
        Answer.NOT_PASSED: (word("armed.not_passed"), not_passed),
        Answer.OFFLINE: (word("armed.offline"), offline),
        Answer.NOT_NOW: (word("armed.not_now"), "Not now"),
        Answer.STOP_ASKING: (word("armed.stop_asking"), "Stop asking"),
    }
