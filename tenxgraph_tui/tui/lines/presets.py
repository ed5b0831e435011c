"""The preset panel: what can be chosen, and below it what the one under the cursor checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from textual.content import Content

from tenxgraph_tui.evaluation import numbers
from tenxgraph_tui.evaluation.config import (
    JUDGED_SLOTS,
    SAMPLED_SLOTS,
    CriterionConfig,
    MatchType,
)
from tenxgraph_tui.session.watching.estimate import Estimate
from tenxgraph_tui.tui.glyphs import ACCENT, DOT, ELLIPSIS, ERROR, FAINT, GOOD, MUTED, PASSED, WARN
from tenxgraph_tui.tui.judges import JudgeModel
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import BLANK, join, pad, spread, text
from tenxgraph_tui.tui.lines.armed import estimated
from tenxgraph_tui.tui.presets import CUSTOM, Preset
from tenxgraph_tui.tui.words import wrap

ORDERED = frozenset({"trajectory", "node_order"})
ORDERS = {
    MatchType.EXACT: "exact",
    MatchType.IN_ORDER: "in order",
    MatchType.ANY_ORDER: "any order",
}
LONGEST_PROBLEM = 4
INDENT = "  "
GAP = 2
LEAST_OF_A_NAME = 10
"""Cells; less of it tells nobody what it was."""


def choice(preset: Preset, width: int, *, chosen: bool) -> Content:
    """One preset: whether it is in use, its name, and whether it works without a model."""
    note = _note(preset)
    left = join(
        text(f"{DOT} " if chosen else INDENT, ACCENT),
        text(preset.name, "bold" if chosen else MUTED),
        text(f"  {note}", FAINT) if note else BLANK,
    )
    is_form = preset.name == CUSTOM and preset.original is None
    word = "form" if is_form else preset.kind
    style = WARN if preset.problem else MUTED if chosen else FAINT
    return spread(left, text(word, style), width)


def _note(preset: Preset) -> str:
    if preset.name == CUSTOM and preset.original is None:
        return "your own criteria"
    return preset.note


def contents(
    preset: Preset,
    width: int,
    judges: Sequence[JudgeModel] = (),
    height: int | None = None,
    cost: Estimate | None = None,
) -> list[Content]:
    """The criteria of a preset with their thresholds, and what it needs to run.

    `cost` is what its judges would take. Of more lines than `height` criteria are left out, never
    what keeps it from running.
    """
    checks, needs = list(_checks(preset, width)), [*_needs(judges, width), *_takes(cost, width)]
    if height is not None and len(checks) + len(needs) > height:
        room = max(0, height - len(needs) - 1)
        left_out = pad(text(f"{INDENT}{ELLIPSIS} {len(checks) - room} more", MUTED), width)
        checks = [*checks[:room], left_out]
    lines = [*checks, *needs]
    return lines if height is None else lines[: max(0, height)]


def _checks(preset: Preset, width: int) -> Iterator[Content]:
    if preset.parts:
        yield pad(join(INDENT, text(preset.name, "bold")), width)
    if preset.problem:
        for line in wrap(preset.problem, width - len(INDENT), LONGEST_PROBLEM):
            yield pad(join(INDENT, text(line, WARN)), width)
    elif preset.config is None:
        yield from _own(preset, width)
    else:
        lines = list(_criteria(preset, width))
        yield from lines or [pad(_nothing(preset), width)]


def _nothing(preset: Preset) -> Content:
    if preset.name == CUSTOM:
        return text(f"{INDENT}{word('presets.use')} opens the form", MUTED)
    return text(f"{INDENT}checks nothing", WARN)


def _own(preset: Preset, width: int) -> Iterator[Content]:
    if not preset.own:
        yield pad(text(f"{INDENT}read by the worker when it runs", MUTED), width)
    for label, own in preset.own:
        name, kind = text(f"  {own.name}", MUTED), text(own.kind, MUTED)
        left = join(INDENT, text(label))
        room = width - kind.cell_length - GAP - left.cell_length
        is_legible = room >= min(name.cell_length, LEAST_OF_A_NAME)
        yield spread(join(left, name) if is_legible else left, kind, width)


def _criteria(preset: Preset, width: int) -> Iterator[Content]:
    config = preset.config
    if config is None:
        return
    for slot, criterion in config.criteria.enabled():
        yield _criterion(slot, how(slot, criterion), criterion, width)
    for own in config.custom:
        if own.config.enabled:
            yield _criterion(own.criterion.rpartition(":")[2], "", own.config, width)


def _criterion(name: str, told: str, criterion: CriterionConfig, width: int) -> Content:
    needs = join(text("≥ ", MUTED), numbers.threshold(criterion.threshold))
    left = _named(name, told)
    while ", " in told and left.cell_length + GAP + needs.cell_length > width:
        told = told.rpartition(", ")[0]
        left = _named(name, told)
    return spread(left, needs, width)


def _named(name: str, told: str) -> Content:
    return join(INDENT, text(name), text(f" {told}" if told else "", MUTED))


def how(slot: str, criterion: CriterionConfig) -> str:
    """How a criterion compares, as far as its config decides it."""
    parts: list[str] = []
    if slot in JUDGED_SLOTS:
        is_repeated = criterion.num_samples > 1 and slot in SAMPLED_SLOTS
        samples = f" ×{criterion.num_samples}" if is_repeated else ""
        parts.append(f"judge{samples}")
    if slot in ORDERED:
        parts.append(ORDERS[criterion.match_type])
    if slot == "trajectory" and criterion.check_args:
        parts.append("args")
    if slot == "contains_keywords":
        parts.append(numbers.plural(len(criterion.keywords), "word"))
    if slot == "rubric_based":
        parts.append(numbers.plural(len(criterion.rubrics), "rubric"))
    if criterion.per_turn:
        parts.append("per turn")
    return ", ".join(parts)


def _needs(judges: Iterable[JudgeModel], width: int) -> Iterator[Content]:
    for judge in judges:
        name = join(INDENT, text("judge ", MUTED), text(judge.name))
        state = access_state(judge)
        if name.cell_length + 2 + state.cell_length <= width:
            yield spread(name, state, width)
        else:
            yield pad(name, width)
            yield pad(join(INDENT, state), width)
        if judge.price is not None:
            yield pad(text(f"{INDENT}{price_text(judge)}", MUTED), width)


def _takes(cost: Estimate | None, width: int) -> Iterator[Content]:
    """`≈ 84 calls, 36 cases   ≈ $0.13`: what a run would ask of judges, and a dash for no price."""
    if cost is None or not cost.calls:
        return
    told = f"{numbers.plural(cost.calls, 'call')}, {numbers.plural(cost.cases, 'case')}"
    yield spread(text(f"{INDENT}≈ {told}", MUTED), text(estimated(cost.dollars), MUTED), width)


def access_state(judge: JudgeModel) -> Content:
    """Whether the model could be asked: a sign and a word."""
    found = judge.access
    if not found.provider:
        return text(f"{ERROR} write provider/model", WARN)
    if not found.is_known:
        return text(f"key of {found.provider} not checked", MUTED)
    if found.missing:
        return text(f"{ERROR} {found.missing[0]} not set", WARN)
    word = "key set" if found.wanted else "no key needed"
    return join(text(f"{PASSED} ", GOOD), text(word, MUTED))


def price_text(judge: JudgeModel) -> str:
    """What a million tokens cost; "" where nobody knows."""
    if judge.price is None:
        return ""
    costs = judge.price
    if not costs.input and not costs.output:
        return "no cost for tokens"
    return f"${costs.input:.2f} in, ${costs.output:.2f} out per 1M tokens"
