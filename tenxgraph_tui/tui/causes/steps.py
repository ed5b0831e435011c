"""Where an agent first did something else than was expected: a call, its arguments, or a node."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from tenxgraph_tui.evaluation.alignment import Mark, Row, align_calls, align_nodes, first_divergence
from tenxgraph_tui.evaluation.config import REPORTED_NAMES, MatchType
from tenxgraph_tui.evaluation.dataset import MARKER_NODES, EvalCase, ToolCall
from tenxgraph_tui.evaluation.results import CriterionResult
from tenxgraph_tui.session.evidence import Evidence
from tenxgraph_tui.tui.causes.finding import LONGEST_TEXT, Finding, Parts, cut, listed, named

T = TypeVar("T", ToolCall, str)
TRAJECTORY, TOOL_NAMES, NODES = (
    REPORTED_NAMES[slot] for slot in ("trajectory", "tool_name_match", "node_order")
)
HAPPENED = {"call": "called", "node": "visited"}


def divergences(case: EvalCase | None, found: Evidence) -> Iterator[tuple[str, Finding]]:
    """For each criterion that compares steps, by its reported name, where they first differ."""
    if case is None:
        return
    for verdict in found.verdicts:
        compare = _COMPARED.get(verdict.criterion)
        finding = compare(case, found, verdict) if compare is not None else None
        if finding is not None:
            yield verdict.criterion, finding


def _trajectory(case: EvalCase, found: Evidence, verdict: CriterionResult) -> Finding | None:
    checks = bool(verdict.details.get("check_args", True))
    rows = align_calls(case.expected_calls(), found.calls, _match_type(verdict), checks)
    return _first(rows, "call", found.calls)


def _tool_names(case: EvalCase, found: Evidence, verdict: CriterionResult) -> Finding | None:  # noqa: ARG001 - it compares in one way
    expected = case.expected_calls()
    rows = [
        replace(row, costs=not expected) if row.mark is Mark.EXTRA else row
        for row in align_calls(expected, found.calls, MatchType.ANY_ORDER, check_args=False)
    ]
    return _first(rows, "call", found.calls)


def _nodes(case: EvalCase, found: Evidence, verdict: CriterionResult) -> Finding | None:
    visits = [node for node in found.nodes if node not in MARKER_NODES]
    return _first(align_nodes(case.expected_nodes(), visits, _match_type(verdict)), "node", visits)


_COMPARED: dict[str, Callable[[EvalCase, Evidence, CriterionResult], Finding | None]] = {
    TRAJECTORY: _trajectory,
    TOOL_NAMES: _tool_names,
    NODES: _nodes,
}


def _match_type(verdict: CriterionResult) -> MatchType:
    told = verdict.details.get("match_type")
    return MatchType(told) if told in set(MatchType) else MatchType.EXACT


def _first(rows: Sequence[Row[T]], unit: str, actual: Sequence[T]) -> Finding | None:
    at = first_divergence(rows)
    if at is None:
        return None
    row = rows[at]
    if isinstance(row.expected, ToolCall) and isinstance(row.actual, ToolCall):
        return _other_args(row.expected, row.actual, row.keys, row.expected_index)
    if row.mark is Mark.MISSING:
        return _missing(rows, row, unit, actual)
    return _extra(rows, row, unit)


def _other_args(
    expected: ToolCall, actual: ToolCall, keys: Sequence[str], index: int | None
) -> Finding:
    """`get_forecast got another city`, `got no days`, `got days, which nobody expected`."""
    both = [key for key in keys if key in expected.args and key in actual.args]
    without = [key for key in keys if key not in actual.args]
    added = [key for key in keys if key not in expected.args]
    told = [f"another {listed(both)}"] if both else []
    told += [f"no {listed(without)}"] if without else []
    told += [f"{listed(added)}, which nobody expected"] if added else []
    return Finding(
        ("arguments", expected.name, *keys, "without", *without, "added", *added),
        f"{named(expected.name)} got {', '.join(told) or 'other arguments'}",
        "call",
        None if index is None else index + 1,
        _args(expected.args, keys),
        _args(actual.args, keys),
    )


def _missing(rows: Sequence[Row[T]], row: Row[T], unit: str, actual: Sequence[T]) -> Finding:
    name, place = _name(row.expected), (row.expected_index or 0) + 1
    happened = HAPPENED[unit]
    got = Counter(map(_name, actual))
    beside = _written(actual[place - 1]) if place <= len(actual) else ()
    if not actual and unit == "call":
        return Finding(("no calls",), "no tool was called", unit, place, _written(row.expected))
    if any(one.mark is Mark.EXTRA and _name(one.actual) == name for one in rows):
        told, key = f"was {happened} out of order", "order"
    elif got[name]:
        told, key = f"was {happened} less often than expected", "fewer"
    else:
        told, key = f"was not {happened}", "missing"
    title = f"{named(name)} {told}"
    expected = _written(row.expected)
    return Finding((unit, key, name), title, unit, place, expected, beside, is_beside=True)


def _extra(rows: Sequence[Row[T]], row: Row[T], unit: str) -> Finding:
    name, place = _name(row.actual), (row.actual_index or 0) + 1
    happened = HAPPENED[unit]
    if any(one.expected is not None and _name(one.expected) == name for one in rows):
        told, key = f"was {happened} more often than expected", "more"
    else:
        told, key = f"was {happened}, nobody expected it", "extra"
    return Finding(
        (unit, key, name), f"{named(name)} {told}", unit, place, (), _written(row.actual)
    )


def _name(item: ToolCall | str | None) -> str:
    return item.name if isinstance(item, ToolCall) else item or ""


def _written(item: ToolCall | str | None) -> Parts:
    """A call or a node on its own."""
    if not isinstance(item, ToolCall):
        return (("", cut(item)),) if item else ()
    args = ", ".join(f"{key}={_value(value)}" for key, value in item.args.items())
    return (("", cut(f"{item.name}({args})")),)


def _args(args: Mapping[str, Any], keys: Sequence[str]) -> Parts:
    return tuple((named(key), _value(args[key])) for key in keys if key in args)


def _value(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return cut(text if len(text) < 4 * LONGEST_TEXT else text[: 4 * LONGEST_TEXT])
