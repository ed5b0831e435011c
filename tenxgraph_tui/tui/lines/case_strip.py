"""The strip above one case on the whole screen."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import Verdict
from tenxgraph_tui.tui import kit
from tenxgraph_tui.tui.glyphs import MUTED
from tenxgraph_tui.tui.kit import BLANK, KEY, between, join, spread, text

GAP = 2
"""The cells that part left and right."""


def case_strip(
    case: CaseProgress, place: tuple[int, int], now: float, width: int, news: Content = BLANK
) -> Content:
    """One row about one case; `place` is which of those that did not pass it is (0: none).

    `news` is how it compares with the baseline.
    """
    sign = kit.sign_of(case.status, known=case.known, unexpected=case.unexpected)
    verdicts = [verdict.verdict for verdict in case.verdicts.values()]
    bad = sum(verdict in {Verdict.FAILED, Verdict.ERROR} for verdict in verdicts)
    about = f"{bad} of {numbers.plural(len(verdicts), 'criterion', 'criteria')}" if bad else ""
    left = join(" ", between([kit.sign(sign), text(about), news]))
    seconds = case.duration_seconds
    if case.status is CaseStatus.RUNNING and case.started_at is not None:
        seconds = max(0.0, now - case.started_at)
    spent = [
        text(f"{numbers.tokens(case.tokens)} tok", MUTED) if case.tokens else BLANK,
        text(numbers.money(case.cost), MUTED) if case.cost is not None else BLANK,
        text(numbers.seconds(seconds), MUTED) if seconds is not None else BLANK,
    ]
    facts = next(_shorter(spent, place, width - left.cell_length - GAP))
    return spread(left, facts, width)


def _shorter(spent: list[Content], place: tuple[int, int], room: int) -> Iterator[Content]:
    """What stands at the right in `room` cells: what it cost gives way first, then how long."""
    for first, words in ((0, " not passed"), (0, ""), (1, ""), (2, ""), (3, "")):
        facts = join(between([*spent[first:], _which(place, words)]), " ")
        if facts.cell_length <= room:
            yield facts
    yield BLANK


def _which(place: tuple[int, int], what: str) -> Content:
    index, count = place
    if not count:
        return BLANK
    words = f" {index} of {count}{what} " if index else f" {count}{what} "
    return join(text("[", KEY), text(words, MUTED), text("]", KEY))
