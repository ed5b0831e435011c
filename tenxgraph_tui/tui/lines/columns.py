"""Which columns of the case table fit into which width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation.events import CriterionInfo, SetInfo
from tenxgraph_tui.tui.glyphs import MUTED
from tenxgraph_tui.tui.kit import cell, join

STATUS, MARK, GAP = 12, 1, 1
TIME, TOKENS, COST, WORST = 7, 7, 9, 14
COMFORTABLE_CASE, SMALLEST_CASE, LONGEST_CASE, PREFIX_FROM = 24, 10, 48, 34
SMALLEST_REASON = 18
TOKENS_FROM, SCORES_FROM, COST_FROM, WIDE_SCORES_FROM = 74, 70, 108, 110

SHORT_NAMES = {
    "tool_name_match": "tools",
    "trajectory": "traj",
    "node_order": "nodes",
    "response_match": "resp",
    "rouge_match": "rouge",
    "contains_keywords": "words",
    "llm_judge": "judge",
    "rubric_based": "rubr",
    "factual_accuracy": "facts",
    "hallucination": "hallu",
    "safety": "safe",
    "simulation_goals": "goals",
}


@dataclass(frozen=True, slots=True)
class Columns:
    """What a table of a certain width shows; a width of 0 leaves a column out."""

    case: int
    scores: tuple[CriterionInfo, ...] = ()
    score: int = 6
    worst: int = 0
    reason: int = 0
    tokens: int = 0
    cost: int = 0
    time: int = 0

    @property
    def verdicts(self) -> int:
        """Cells of everything that says how the case did; one text can stand across them."""
        return len(self.scores) * self.score + self.worst + self.reason

    @property
    def middle(self) -> int:
        """Cells between the case and the time."""
        return self.verdicts + self.tokens + self.cost


def criteria_in(sets: Iterable[SetInfo]) -> tuple[CriterionInfo, ...]:
    """Every criterion that some set of the run checks, by its reported name."""
    return tuple({c.name: c for info in sets for c in info.criteria}.values())


def columns(
    width: int, criteria: Sequence[CriterionInfo], *, longest: int = 0, costs: bool = False
) -> Columns:
    """The columns that fit, by the width of the pane; scores that do not fit become `worst`.

    Room that the `longest` name of a case leaves free is given to the reasons.
    """
    room = width - STATUS - MARK - GAP - TIME
    if room < SMALLEST_CASE:
        return Columns(case=max(0, width - STATUS - MARK - GAP))
    if width < SCORES_FROM:
        worst = WORST if room - WORST >= SMALLEST_CASE else 0
        return Columns(case=room - worst, worst=worst, time=TIME)
    tokens = TOKENS if width >= TOKENS_FROM else 0
    cost = COST if costs and width >= COST_FROM else 0
    score = 7 if width >= WIDE_SCORES_FROM else 6
    free = room - tokens - cost - COMFORTABLE_CASE
    shown = len(criteria)
    while shown and shown * score + (WORST if shown < len(criteria) else 0) > free:
        shown -= 1
    worst = WORST if shown < len(criteria) else 0
    case = room - tokens - cost - shown * score - worst
    reason = case - max(COMFORTABLE_CASE, min(longest, LONGEST_CASE))
    reason = reason if reason >= SMALLEST_REASON else 0
    return Columns(case - reason, tuple(criteria[:shown]), score, worst, reason, tokens, cost, TIME)


def header(columns: Columns) -> Content:
    """The names of the columns."""
    names = [cell("status", STATUS + MARK), cell("case", columns.case + GAP)]
    names += [cell(short_name(c), columns.score, align="right") for c in columns.scores]
    if columns.worst:
        names.append(cell("worst", columns.worst, align="right"))
    names.append(cell("  reason", columns.reason))
    for name, cells in (
        ("tok", columns.tokens),
        ("cost", columns.cost),
        ("time", columns.time),
    ):
        names.append(cell(name, cells, align="right"))
    return join(*names).stylize(MUTED)


def short_name(criterion: CriterionInfo) -> str:
    """The five cells that a criterion's column is headed with."""
    return SHORT_NAMES.get(criterion.slot, criterion.slot or criterion.name)[:5]


def column_of(criterion: CriterionInfo) -> str:
    """What a criterion's column is called where it is chosen, sorted by or remembered."""
    return criterion.slot or criterion.name
