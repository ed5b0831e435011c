"""Which columns of the case table fit into which width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation.events import CriterionInfo, SetInfo
from tenxgraph_tui.tui.glyphs import ACCENT, DELTA, MUTED
from tenxgraph_tui.tui.kit import cell, join
from tenxgraph_tui.tui.words import Align

STATUS, MARK, GAP = 12, 2, 1
TIME, TOKENS, COST, WORST = 7, 7, 9, 14
COMFORTABLE_CASE, SMALLEST_CASE, LONGEST_CASE, PREFIX_FROM = 23, 10, 48, 34
SMALLEST_REASON = 18
CHANGE, CHANGE_SIGN, CHANGE_WORDS_FROM = 13, 2, 90
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
class Wanted:
    """What a table should show where there is room: the criteria in order, and what else."""

    criteria: Sequence[CriterionInfo] = ()
    reason: bool = True
    tokens: bool = True
    cost: bool = False
    time: bool = True
    change: bool = False


@dataclass(frozen=True, slots=True)
class Columns:
    """What a table of a certain width shows; a width of 0 leaves a column out.

    `spare` is what names and numbers leave free where reasons have no room: errors and steps that
    run stand across it.
    """

    case: int
    scores: tuple[CriterionInfo, ...] = ()
    score: int = 6
    worst: int = 0
    reason: int = 0
    spare: int = 0
    tokens: int = 0
    cost: int = 0
    time: int = 0
    change: int = 0

    @property
    def verdicts(self) -> int:
        """Cells of everything that says how the case did; one text can stand across them."""
        return len(self.scores) * self.score + self.worst + self.reason + self.spare

    @property
    def middle(self) -> int:
        """Cells between the case and the time."""
        return self.verdicts + self.tokens + self.cost


@dataclass(frozen=True, slots=True)
class Heading:
    """The name of a column over its cells. `by` is the order that a click on it asks for."""

    title: str
    cells: int
    by: str = ""
    align: Align = "right"


def criteria_in(sets: Iterable[SetInfo]) -> tuple[CriterionInfo, ...]:
    """Every criterion that some set of the run checks, by its reported name."""
    return tuple({c.name: c for info in sets for c in info.criteria}.values())


def columns(width: int, wanted: Wanted, *, longest: int = 0) -> Columns:
    """The columns that fit, by the width of the pane; scores that do not fit become `worst`.

    Room that the `longest` name of a case leaves free is given to the reasons.
    """
    time = TIME if wanted.time else 0
    change = (CHANGE if width >= CHANGE_WORDS_FROM else CHANGE_SIGN) if wanted.change else 0
    room = width - STATUS - MARK - GAP - time - change
    if room < SMALLEST_CASE:
        return Columns(case=max(0, width - STATUS - MARK - GAP))
    criteria = wanted.criteria
    if width < SCORES_FROM:
        worst = WORST if criteria and room - WORST >= SMALLEST_CASE else 0
        return Columns(case=room - worst, worst=worst, time=time, change=change)
    tokens = TOKENS if wanted.tokens and width >= TOKENS_FROM else 0
    cost = COST if wanted.cost and width >= COST_FROM else 0
    score = 7 if width >= WIDE_SCORES_FROM else 6
    shown = _fitting(len(criteria), score, room - tokens - cost - COMFORTABLE_CASE)
    worst = WORST if shown < len(criteria) else 0
    case = room - tokens - cost - shown * score - worst
    spare = max(0, case - max(COMFORTABLE_CASE, min(longest, LONGEST_CASE)))
    has_reason = wanted.reason and spare >= SMALLEST_REASON
    return Columns(
        case - spare,
        tuple(criteria[:shown]),
        score,
        worst,
        reason=spare if has_reason else 0,
        spare=0 if has_reason else spare,
        tokens=tokens,
        cost=cost,
        time=time,
        change=change,
    )


def _fitting(count: int, score: int, room: int) -> int:
    """How many of the scores fit, with the column for the worst of the rest if there is a rest."""
    shown = count
    while shown and shown * score + (WORST if shown < count else 0) > room:
        shown -= 1
    return shown


def headings(columns: Columns, baseline: int | None = None) -> list[Heading]:
    """The names of the columns, side by side."""
    change = f"vs #{baseline}" if baseline is not None else "change"
    return [
        Heading("status", STATUS + MARK, "status", "left"),
        Heading("case", columns.case + GAP + columns.spare, "case", "left"),
        *(Heading(short_name(one), columns.score, column_of(one)) for one in columns.scores),
        Heading("worst", columns.worst),
        Heading("  reason", columns.reason, align="left"),
        Heading("tok", columns.tokens, "tokens"),
        Heading("cost", columns.cost, "cost"),
        Heading("time", columns.time, "time"),
        Heading(f"  {change}", columns.change, "change", "left")
        if columns.change > CHANGE_SIGN
        else Heading(DELTA, columns.change, "change"),
    ]


def header(headings: Sequence[Heading], sorted_by: str | None = None, arrow: str = "") -> Content:
    """The names of the columns in one line; the one that the cases are sorted by has an arrow."""
    return join(
        *(_heading(one, arrow if one.by and one.by == sorted_by else "") for one in headings)
    )


def _heading(one: Heading, arrow: str) -> Content:
    """A title that fills its cells gives way to the arrow, which must not touch its neighbour."""
    title = f"{one.title[: max(0, one.cells - 2)]}{arrow}" if arrow else one.title
    return cell(title, one.cells, ACCENT if arrow else MUTED, align=one.align)


def heading_at(headings: Sequence[Heading], x: int) -> Heading | None:
    """The column that holds cell `x` of a line."""
    for one in headings:
        x -= one.cells
        if x < 0:
            return one
    return None


def short_name(criterion: CriterionInfo) -> str:
    """The five cells that a criterion's column is headed with."""
    return SHORT_NAMES.get(criterion.slot, criterion.slot or criterion.name)[:5]


def column_of(criterion: CriterionInfo) -> str:
    """What a criterion's column is called where it is chosen, sorted by or remembered."""
    return criterion.slot or criterion.name
