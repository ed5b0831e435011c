"""What stands above every drill-down pane: the rule with its tabs, and the line of the case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.numbers import money, plural, seconds, tokens
from tenxgraph_tui.evaluation.results import Verdict
from tenxgraph_tui.tui.glyphs import ACCENT, MUTED
from tenxgraph_tui.tui.kit import KEY, Part, between, clip, join, rule, spread, status, text
from tenxgraph_tui.tui.lines.changes import from_run, since
from tenxgraph_tui.tui.panes.model import DetailModel

ROOM_FOR_NUMBERS = 84
COUNTED = {
    CaseStatus.PASSED: Verdict.PASSED,
    CaseStatus.FAILED: Verdict.FAILED,
    CaseStatus.ERROR: Verdict.ERROR,
}


@dataclass(frozen=True, slots=True)
class Tab:
    """A view of the drill-down: the key that opens it and its name."""

    key: str
    name: str


def tabs(
    views: Sequence[Tab], active: str, cells: int, title: str = "", *, focused: bool = False
) -> Content:
    """The titled rule of a drill-down; the title goes first when there is no room."""
    shown = [
        join(text(tab.key, KEY), " ", text(tab.name, "bold underline"))
        if tab.name == active
        else join(text(tab.key, ACCENT), " ", text(tab.name, MUTED))
        for tab in views
    ]
    body = between(shown, "  ")
    named = join(text(title, KEY if focused else "bold"), "   ", body) if title else body
    longest = cells - 3
    if named.cell_length <= longest or body.cell_length > longest:
        return rule(
            named if named.cell_length <= longest else clip(body, longest), cells, focused=focused
        )
    room = longest - body.cell_length - 3
    if room >= len(title) // 2 and room > 0:
        body = join(clip(text(title, KEY if focused else "bold"), room), "   ", body)
    return rule(body, cells, focused=focused)


def tab_at(views: Sequence[Tab], active: str, cells: int, title: str, x: int) -> Tab | None:
    """The tab that the mouse is on."""
    line = tabs(views, active, cells, title).plain
    for tab in views:
        start = line.find(f"{tab.key} {tab.name}")
        if 0 <= start <= x < start + len(tab.key) + 1 + len(tab.name):
            return tab
    return None


def case_line(model: DetailModel, cells: int, right: Part = "") -> Content:
    """Status, criteria and numbers of a case on one line; `right` stands at its very end."""
    progress = model.progress
    known = progress is not None and progress.known
    unexpected = progress is not None and progress.unexpected
    if progress is None and model.result is not None:
        known = "xfailed" in model.result.metadata
        unexpected = "unexpected_pass" in model.result.metadata
    how = status(model.status, None, known=known, unexpected=unexpected)
    news = between([since(model.against), from_run(model.run)])
    left = between([between([how, text(_counted(model))], "  "), news])
    facts = _numbers(model) if cells >= ROOM_FOR_NUMBERS else _numbers(model)[-1:]
    shown = between([*(text(fact, MUTED) for fact in facts), right])
    return spread(left, shown, cells)


def _counted(model: DetailModel) -> str:
    verdicts = [verdict for _, verdict in verdicts_of(model)]
    if model.status is CaseStatus.RUNNING and model.progress is not None:
        turns = model.progress.info.turns
        return f"turn {model.progress.turn + 1} of {turns}" if turns > 1 else ""
    wanted = COUNTED.get(model.status)
    if model.progress is not None and model.progress.known:
        wanted = Verdict.FAILED
    if wanted is None or not verdicts:
        return ""
    count = verdicts.count(wanted)
    if not count:
        return ""
    return f"{count} of {plural(len(verdicts), 'criterion', 'criteria')}"


def verdicts_of(model: DetailModel) -> list[tuple[str, Verdict]]:
    """Every criterion that reached a verdict, from the result or from what was told of it."""
    if model.result is not None:
        return [(r.criterion, r.verdict) for r in model.result.criterion_results]
    if model.progress is None:
        return []
    return [(name, preview.verdict) for name, preview in model.progress.verdicts.items()]


def _numbers(model: DetailModel) -> list[str]:
    """Tokens, cost and time, as far as they are known."""
    progress, result = model.progress, model.result
    facts: list[str] = []
    count = result.token_usage.total_tokens if result is not None else 0
    if not count and progress is not None:
        count = progress.tokens
    if count:
        facts.append(f"{tokens(count)} tok")
    if progress is not None and progress.cost is not None:
        facts.append(money(progress.cost))
    took = time_of(model)
    return facts if took is None else [*facts, seconds(took)]


def time_of(model: DetailModel) -> float | None:
    """How long the agent took, or has taken so far."""
    if model.result is not None:
        return model.result.duration_seconds
    progress = model.progress
    if progress is None or progress.started_at is None:
        return None
    if progress.status in {CaseStatus.CANCELLED, CaseStatus.SKIPPED}:
        return progress.duration_seconds or None  # it never ran, or nobody knows how long
    if progress.duration_seconds is not None:
        return progress.duration_seconds
    if progress.status is CaseStatus.RUNNING:
        return max(0.0, model.now - progress.started_at)
    return None
