"""The preset panel: what can be chosen, and below it what the one under the cursor checks."""

from __future__ import annotations

from textual.content import Content

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.config import JUDGED_SLOTS, CriterionConfig, MatchType
from tenxgraph_tui.tui.choices import Preset
from tenxgraph_tui.tui.glyphs import ACCENT, DOT, FAINT, MUTED, WARN
from tenxgraph_tui.tui.kit import BLANK, join, pad, spread, text

ORDERED = frozenset({"trajectory", "node_order"})


def choice(preset: Preset, width: int, *, chosen: bool) -> Content:
    """One preset: which is chosen, its name, and whether it works without a model."""
    note = text(f"  {preset.note}", FAINT) if preset.note else BLANK
    name = text(preset.name, "bold" if chosen else MUTED)
    left = join(text(f"{DOT} " if chosen else "  ", ACCENT), name, note)
    return spread(left, text(preset.kind, MUTED if chosen else FAINT), width)


def contents(preset: Preset, width: int) -> list[Content]:
    """The criteria of a preset with their thresholds, and what it needs to run."""
    if preset.config is None:
        return [pad(text("  read by the worker when it runs", MUTED), width)]
    lines = [
        spread(
            join("  ", text(slot), text(_how(slot, criterion), MUTED)),
            join(text("≥ ", MUTED), numbers.threshold(criterion.threshold)),
            width,
        )
        for slot, criterion in preset.config.criteria.enabled()
    ]
    lines += [
        spread(
            join("  ", text(own.criterion.rpartition(":")[2])),
            join(text("≥ ", MUTED), numbers.threshold(own.config.threshold)),
            width,
        )
        for own in preset.config.custom
        if own.config.enabled
    ]
    if not lines:
        return [pad(text("  checks nothing", WARN), width)]
    for model in preset.judge_models:
        needs = join("  ", text("needs ", MUTED), text(model))
        lines.append(spread(needs, text("judge not available", WARN), width))
    return lines


def _how(slot: str, criterion: CriterionConfig) -> str:
    if slot in JUDGED_SLOTS:
        return f" ×{criterion.num_samples}"
    if slot not in ORDERED:
        return ""
    order = {MatchType.EXACT: "exact", MatchType.IN_ORDER: "in order"}.get(
        criterion.match_type, "any order"
    )
    return f" {order}, args" if criterion.check_args else f" {order}"
