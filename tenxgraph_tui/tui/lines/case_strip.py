"""The strip above one case on the whole screen."""

from __future__ import annotations

from textual.content import Content

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.progress import CaseProgress
from tenxgraph_tui.evaluation.results import Verdict
from tenxgraph_tui.tui import kit
from tenxgraph_tui.tui.glyphs import MUTED
from tenxgraph_tui.tui.kit import BLANK, KEY, between, join, spread, text


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
    facts = [
        text(f"{numbers.tokens(case.tokens)} tok", MUTED) if case.tokens else BLANK,
        text(numbers.money(case.cost), MUTED) if case.cost is not None else BLANK,
        text(numbers.seconds(seconds), MUTED) if seconds is not None else BLANK,
        _which(place),
    ]
    return spread(left, join(between(facts), " "), width)


def _which(place: tuple[int, int]) -> Content:
    index, count = place
    if not count:
        return BLANK
    words = f" {index} of {count} not passed " if index else f" {count} not passed "
    return join(text("[", KEY), text(words, MUTED), text("]", KEY))
