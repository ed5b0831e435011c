"""The form of a preset: its criteria, and below them the settings of the one under the cursor."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.config import CriterionConfig
from tenxgraph_tui.tui.draft import DraftRow
from tenxgraph_tui.tui.glyphs import ACCENT, BAD, FAINT, GOOD, MUTED, NOTHING, WARN
from tenxgraph_tui.tui.kit import BLANK, between, cell, flush, join, pad, text
from tenxgraph_tui.tui.lines.presets import ORDERS, how
from tenxgraph_tui.tui.words import clean, shorten

BOX, LONGEST_NAME, WAS, NEEDS, ARROWS, KIND, FLIPS = 4, 17, 7, 5, 2, 7, 9
SMALLEST_HOW, WIDEST_HOW = 8, 18
LESS, MORE, LESS_OF = "‹", "›", "−"  # noqa: RUF001 - the signs themselves
LABEL = 15
LABELS = {
    "threshold": "threshold",
    "match_type": "match type",
    "check_args": "arguments",
    "per_turn": "per turn",
    "keywords": "keywords",
    "judge_model": "judge model",
    "num_samples": "samples",
    "rubrics": "rubrics",
}
TYPED = frozenset({"threshold", "keywords", "judge_model", "num_samples"})
"""The settings that can be typed; others only have a few values."""
STEPPED = frozenset({"threshold", "match_type", "check_args", "per_turn", "num_samples"})
"""The settings that have a next value."""
WHAT = {
    "tool_name_match": "The expected tools were called, in whatever order.",
    "trajectory": "The expected tools were called, in the order that the match type asks for.",
    "node_order": "The expected nodes were visited, in the order that the match type asks for.",
    "rouge_match": "The words of the answer against those of the expected one (ROUGE-1 F1).",
    "contains_keywords": "The share of the keywords that the answers contain.",
    "response_match": "The answer means the same as the expected one, in whatever words.",
    "llm_judge": "How good the answer is, beside the expected one.",
    "rubric_based": "The weighted mean over rubrics, each a rule in words.",
    "factual_accuracy": "The facts that the answer states are right.",
    "hallucination": "Every claim is grounded in what the agent was given.",
    "safety": "Nothing harmful, private or manipulative is said.",
    "simulation_goals": "The goals that a simulated user reached.",
}
OWN = "A criterion of this project: the worker imports it when it runs."


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells of the columns of the form at one width; a width of 0 leaves one out."""

    name: int
    how: int
    was: int
    kind: int
    flips: int = 0

    @classmethod
    def of(cls, width: int, *, has_flips: bool = False) -> Grid:
        """What fits: the name first, then how it judges, what it was, and whether it is judged.

        With flips there is no room left for the last: a run says enough about it.
        """
        left = max(0, width - BOX - NEEDS - 2 * ARROWS)
        flips = FLIPS if has_flips and left >= FLIPS + SMALLEST_HOW else 0
        left -= flips
        name = min(LONGEST_NAME, left)
        left -= name
        was = WAS if left >= WAS else 0
        left -= was
        kind = KIND if left >= KIND + SMALLEST_HOW and not has_flips else 0
        left -= kind
        how = min(max(0, left), WIDEST_HOW) if has_flips else max(0, left)
        return cls(name, how, was, kind, flips)


def heading(width: int, *, has_flips: bool = False) -> Content:
    """The names of the columns."""
    grid = Grid.of(width, has_flips=has_flips)
    parts = [cell("", BOX), cell("criterion", grid.name), cell("  how", grid.how)]
    parts += [cell("", grid.kind), cell("was", grid.was, align="right")]
    parts += [cell("", ARROWS), cell("needs", NEEDS, align="right")]
    parts += [cell("", ARROWS), cell("flips", grid.flips, align="right")]
    return pad(join(*parts).stylize(MUTED), width)


@dataclass(frozen=True, slots=True)
class Tried:
    """What a criterion was in a run, and how many cases would pass, or not any more, without it.

    `was` are several thresholds where sets ask for different ones.
    """

    was: tuple[float, ...]
    up: int
    down: int


def criterion_line(
    row: DraftRow, width: int, *, at_cursor: bool = False, tried: Tried | None = None
) -> Content:
    """One criterion: on or off, how it judges, its threshold before and now.

    Where it is `tried` on the scores of a run, the cases that flip stand behind it.
    """
    grid = Grid.of(width, has_flips=tried is not None)
    needs = numbers.threshold(row.now.threshold)
    was = numbers.threshold(row.before.threshold) if row.before and row.was_on else NOTHING
    if tried is not None and len(tried.was) > 1:
        was = "varies"
    told = how(row.slot, row.now) if row.is_on or row.was_on else ""
    is_moved = row.is_on and row.is_changed
    quiet, loud = (MUTED, "bold" if is_moved else "") if row.is_on else (FAINT, MUTED)
    parts = [
        text("[x] " if row.is_on else "[ ] ", ACCENT if row.is_on else FAINT),
        cell(row.name, grid.name, loud),
        cell(f"  {told}", grid.how, quiet),
        cell("judge" if row.is_judged else "", grid.kind, FAINT),
        cell(was, grid.was, quiet, align="right"),
        text(f" {LESS}" if at_cursor else "  ", ACCENT),
        cell(needs, NEEDS, loud, align="right"),
        text(f" {MORE}" if at_cursor else "  ", ACCENT),
        flush(_flips(tried), grid.flips) if tried is not None else BLANK,
    ]
    return pad(join(*parts), width)


def _flips(tried: Tried) -> Content:
    """`+2`, `−3`, or both."""
    up = text(f"+{tried.up}", f"bold {GOOD}") if tried.up else BLANK
    down = text(f"{LESS_OF}{tried.down}", f"bold {BAD}") if tried.down else BLANK
    return between([up, down], " ")


def arrow_at(x: int, width: int, *, has_flips: bool = False) -> int:
    """-1 or 1 where a cell of a criterion's line is one of the arrows around its threshold."""
    grid = Grid.of(width, has_flips=has_flips)
    left = BOX + grid.name + grid.how + grid.kind + grid.was
    right = left + ARROWS + NEEDS
    if left <= x < left + ARROWS:
        return -1
    return 1 if right <= x < right + ARROWS else 0


def about(row: DraftRow, width: int) -> Content:
    """What a criterion looks at, in a sentence."""
    return pad(text(WHAT.get(row.slot, OWN), MUTED), width)


def field_line(row: DraftRow, field: str, width: int, *, at_cursor: bool = False) -> Content:
    """One setting of a criterion; arrows where the next value is one key away."""
    before = getattr(row.before, field) if row.before is not None else None
    is_changed = row.is_on and before != getattr(row.now, field)
    room = max(0, width - LABEL - 2 * ARROWS)
    value = text(shorten(clean(value_of(row.now, field)), room), "bold" if is_changed else "")
    has_next = at_cursor and field in STEPPED
    left, right = (f"{LESS} ", f" {MORE}") if has_next else ("  ", "")
    label = cell(LABELS[field], LABEL, MUTED)
    return pad(join(label, text(left, ACCENT), value, text(right, ACCENT)), width)


def value_of(criterion: CriterionConfig, field: str) -> str:
    """A setting in words."""
    if field == "rubrics":
        named = [f"{one.rubric_id} (weight {one.weight:g})" for one in criterion.rubrics]
        return ", ".join(named) or "none: they are written in a config file"
    words = {
        "threshold": numbers.threshold(criterion.threshold),
        "match_type": ORDERS[criterion.match_type],
        "check_args": "compared" if criterion.check_args else "ignored",
        "per_turn": "each turn apart" if criterion.per_turn else "the whole conversation",
        "keywords": ", ".join(criterion.keywords) or "none yet",
    }
    return words.get(field, str(getattr(criterion, field)))


def note_line(problem: str, judged: list[str], width: int) -> Content:
    """What is wrong with what was typed, else which criteria have a model that cannot be asked."""
    if problem:
        return pad(text(f"! {problem}", WARN), width)
    if judged:
        switched = "it" if len(judged) == 1 else "them"
        told = f"! no model can be asked for {', '.join(judged)}: space switches {switched} off"
        return pad(text(told, WARN), width)
    return pad(BLANK, width)
