"""Expected beside actual for one case: which rows a pane has, and how a row's mark reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from textual.content import Content

from tenxgraph_tui.evaluation.alignment import Mark, Row, align_calls, align_nodes
from tenxgraph_tui.evaluation.config import REPORTED_NAMES, MatchType
from tenxgraph_tui.evaluation.dataset import MARKER_NODES, ToolCall
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, Verdict
from tenxgraph_tui.tui.glyphs import BAD, DIFFERS, EXTRA, MISSING, MUTED, SAME, WARN
from tenxgraph_tui.tui.kit import cell, text
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.value.node import read_json
from tenxgraph_tui.tui.words import cells as width_of
from tenxgraph_tui.tui.words import clean

REMEMBERED = 4
"""Comparisons kept, because a pane needs the same one several times, and at every resize again."""

AnyRow = Row[ToolCall] | Row[str]

GLYPHS = {
    Mark.SAME: (SAME, MUTED),
    Mark.DIFFERS: (DIFFERS, f"bold {BAD}"),
    Mark.MISSING: (MISSING, f"bold {BAD}"),
    Mark.EXTRA: (EXTRA, f"bold {WARN}"),
}


@lru_cache(maxsize=REMEMBERED)
def call_rows(model: DetailModel, slot: str = "trajectory") -> list[Row[ToolCall]]:
    """The expected calls beside those of the result, as the criterion in `slot` compares them."""
    if model.case is None or model.result is None:
        return []
    expected, actual = model.case.expected_calls(), model.result.actual_tool_calls
    if slot == "tool_name_match":
        return [
            row if row.mark is not Mark.EXTRA else replace(row, costs=not expected)
            for row in align_calls(expected, actual, MatchType.ANY_ORDER, check_args=False)
        ]
    found = model.result.get_criterion_result(REPORTED_NAMES[slot])
    match_type = match_type_of(found)
    checks = found is None or bool(found.details.get("check_args", True))
    return align_calls(expected, actual, match_type, check_args=checks)


def node_rows(model: DetailModel) -> list[Row[str]]:
    """The expected nodes beside those that were visited."""
    if model.case is None or model.result is None:
        return []
    visits = [node for node in model.result.node_visits if node not in MARKER_NODES]
    found = model.result.get_criterion_result(REPORTED_NAMES["node_order"])
    return align_nodes(model.case.expected_nodes(), visits, match_type_of(found))


def match_type_of(found: CriterionResult | None) -> MatchType:
    """How a criterion compared; EXACT where it does not say."""
    told = found.details.get("match_type") if found is not None else None
    return MatchType(told) if told in set(MatchType) else MatchType.EXACT


def failed(result: EvalCaseResult | None, slot: str) -> bool:
    """Whether the criterion in `slot` failed."""
    found = result.get_criterion_result(REPORTED_NAMES[slot]) if result is not None else None
    return found is not None and found.verdict is Verdict.FAILED


def name_of(row: AnyRow) -> str:
    """The tool or node that a row is about."""
    item = row.expected if row.expected is not None else row.actual
    return item if isinstance(item, str) else item.name if item is not None else ""


def places_of(row: AnyRow) -> tuple[int | None, int | None]:
    """Which of the expected and which of the actual ones a row is about."""
    return row.expected_index, row.actual_index


def pair_of(row: AnyRow | None) -> Any:
    """Both sides of a row as data; of one that has one side, that side."""
    if row is None:
        return None
    found = {"expected": _data_of(row.expected), "actual": _data_of(row.actual)}
    sides = [side for side in found.values() if side is not None]
    return found if len(sides) > 1 else next(iter(sides), None)


def _data_of(what: ToolCall | str | None) -> Any:
    if not isinstance(what, ToolCall):
        return what
    found = what.model_dump(mode="json", exclude_none=True)
    return found | {"result": read_json(found["result"])} if "result" in found else found


def word_of(row: AnyRow) -> str:
    return ", ".join(row.keys) if row.keys else row.mark.value


def style_of(row: AnyRow) -> str:
    """What costs nothing is not coloured."""
    return GLYPHS[row.mark][1] if row.costs else MUTED


def mark(row: AnyRow, cells: int | None = None) -> Content:
    """`≠ city`, in exactly `cells` cells where they are given."""
    shown = f"{GLYPHS[row.mark][0]} {word_of(row)}"
    return text(shown, style_of(row)) if cells is None else cell(shown, cells, style_of(row))


def mark_cells(row: AnyRow) -> int:
    """How many cells `mark` needs."""
    return width_of(clean(word_of(row))) + 2


def is_quiet(row: AnyRow) -> bool:
    """Whether a row is as it was expected to be."""
    return row.mark is Mark.SAME


def diverging(rows: Sequence[AnyRow]) -> list[AnyRow]:
    return [row for row in rows if row.costs]


def turn_of_divergence(model: DetailModel, rows: Sequence[Row[ToolCall]]) -> int | None:
    """The turn (from 0) in which the first row that costs something happened."""
    first = next((row for row in rows if row.costs), None)
    if first is None:
        return None
    if first.actual_index is not None and model.result is not None:
        counts = [len(turn.get("tool_calls") or ()) for turn in model.result.turn_results]
        return bucket(first.actual_index, counts)
    counts = [len(turn.expected_tool_trajectory) for turn in model.turns]
    return bucket(first.expected_index or 0, counts)


def bucket(index: int, counts: Sequence[int]) -> int | None:
    """In which of some groups of that many an item is; None if it is in none."""
    for position, count in enumerate(counts):
        if index < count:
            return position
        index -= count
    return None
