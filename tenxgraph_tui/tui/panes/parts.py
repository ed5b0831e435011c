"""What a verdict is made of: the scores of turns and of samples, and the criteria within one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError
from textual.content import Content

from tenxgraph_tui.evaluation import numbers, opinions
from tenxgraph_tui.evaluation.config import SLOTS
from tenxgraph_tui.evaluation.results import CriterionResult
from tenxgraph_tui.tui.glyphs import ELLIPSIS, MUTED
from tenxgraph_tui.tui.kit import between, join, text
from tenxgraph_tui.tui.panes.blocks import QUIET, head, labelled, name_cells, room_beside
from tenxgraph_tui.tui.panes.calls import value_text
from tenxgraph_tui.tui.panes.items import Block, block
from tenxgraph_tui.tui.panes.space import Space
from tenxgraph_tui.tui.words import clean, wrap

TOLD_ELSEWHERE = opinions.TOLD | {"reason", "worst_turn", "turns", "sub_results", "threshold"}
DEEPEST = 3
MOST_SAID = 24


def of(criterion: CriterionResult, space: Space) -> Block:
    """The parts of a score; of a criterion of the project's own also whatever it noted."""
    details = criterion.details
    found = block(_said(details, space) or _turns(criterion, space))
    found += block(labelled("parts", _inner(details, room_beside(space.width)), space.width))
    if criterion.criterion not in SLOTS and not found:
        found += block(_noted(details, space))
    return found


def _turns(criterion: CriterionResult, space: Space) -> list[Content]:
    """`turn 1 1.00   turn 2 0.33`: the one that decided stands out."""
    worst = criterion.details.get("worst_turn")
    shown = [
        join(
            text(f"turn {turn + 1} ", MUTED),
            text(
                numbers.score(value, passed=value >= criterion.threshold), "bold" * (turn == worst)
            ),
        )
        for turn, value in scored(criterion.details.get("turns"), "turn")
    ]
    return _flowing("by turn", shown, space)


def _said(details: Mapping[str, Any], space: Space) -> list[Content]:
    """What judges said: each sample, rubric and category, and the turns that did not decide."""
    told = opinions.all_said(details)
    room, lines = room_beside(space.width), list[Content]()
    for one in told[:MOST_SAID]:
        first, *others = wrap(str(one), room, 2) or [""]
        lines += [text(first), *(text(line, MUTED) for line in others)]
    if len(told) > MOST_SAID:
        lines.append(text(f"{ELLIPSIS} {len(told) - MOST_SAID} more", MUTED))
    return labelled("judge", lines, space.width)


def scored(entries: Any, position: str | None) -> Iterator[tuple[int, float]]:
    """Position and score of each entry that has one: a number, or a mapping with a `score`."""
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        held = entry if isinstance(entry, dict) else {"score": entry}
        value, at = held.get("score"), held.get(position, index) if position else index
        if isinstance(value, int | float) and isinstance(at, int):
            yield at, float(value)


def _flowing(label: str, parts: Iterable[Content], space: Space) -> list[Content]:
    """Parts behind one another, in as many lines as they need."""
    room = room_beside(space.width)
    rows: list[list[Content]] = []
    used = 0
    for part in parts:
        if not rows or used + 3 + part.cell_length > room:
            rows.append([])
            used = -3
        rows[-1].append(part)
        used += 3 + part.cell_length
    return labelled(label, [between(row) for row in rows[: space.few]], space.width)


def _inner(details: Mapping[str, Any], cells: int, depth: int = 1) -> list[Content]:
    """The heads of the criteria within one, those that failed first."""
    entries = details.get("sub_results")
    results = [r for r in map(_read, entries if isinstance(entries, list) else ()) if r is not None]
    results.sort(key=lambda result: result.verdict in QUIET)
    names = name_cells(results, cells)
    lines: list[Content] = []
    for result in results:
        first, reason_is_left = head(result, names, cells)
        lines.append(first)
        if reason_is_left:
            lines.append(text(f"  {clean(result.reason)}"))
        if depth < DEEPEST:
            inner = _inner(result.details, max(1, cells - 2), depth + 1)
            lines += [join("  ", line) for line in inner]
    return lines


def _read(entry: Any) -> CriterionResult | None:
    try:
        return CriterionResult.model_validate(entry)
    except ValidationError:
        return None


def _noted(details: Mapping[str, Any], space: Space) -> list[Content]:
    """The details that a criterion of the project's own left, a line each."""
    noted = {key: value for key, value in details.items() if key not in TOLD_ELSEWHERE}
    lines = [
        join(text(f"{key} ", MUTED), text(value if isinstance(value, str) else value_text(value)))
        for key, value in list(noted.items())[: space.few]
    ]
    return labelled("details", lines, space.width)
