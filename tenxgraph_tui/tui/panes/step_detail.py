"""One step of the trajectory: its arguments by name, what came of it, and who asked for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from textual.content import Content

from tenxgraph_tui.evaluation.alignment import Mark
from tenxgraph_tui.evaluation.dataset import ToolCall
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.numbers import seconds
from tenxgraph_tui.tui.glyphs import BAD, DIFFERS, FAINT, GOOD, MUTED, NOTHING, SAME, WARN
from tenxgraph_tui.tui.kit import BLANK, Part, cell, clip, join, rule, text
from tenxgraph_tui.tui.panes.calls import value_text
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.step import Step
from tenxgraph_tui.tui.words import shorten, wrap

LABEL = 12
WIDEST_VALUE = 50
MARK = 12
TWO_COLUMNS = 56
LONGEST_VALUE = 6
SHORT_RESULT = 40
MOST_LINES = 500
CLOCK_NOISE = 0.005
_LATER = "Known when the case has finished."
_KEY = re.compile(r'^(\s*)("(?:[^"\\]|\\.)*")(: )')


def step_lines(step: Step, index: int, model: DetailModel, width: int) -> list[Content]:
    """The title rule of a step and everything that is known of it; none wider than `width`."""
    title = join(text(f"Step {index + 1}", "bold"), text("  "), text(shorten(step.name, width)))
    found = [rule(title, width, text(_origin(step), MUTED))]
    found += list(_of_call(step, width)) if step.is_tool else list(_of_node(step, model, width))
    return [clip(line, width) for line in found]


def _origin(step: Step) -> str:
    """Who asked for a call and which one it is; or that it was never made."""
    row = step.row
    if row.actual is None:
        which = "" if row.expected_index is None else f" {row.expected_index + 1}"
        return f"expected {'call' if step.is_tool else 'visit'}{which}"
    number = (row.actual_index or 0) + 1
    if not step.is_tool:
        return f"visit {number}"
    return f"requested by {step.node}, call {number}" if step.node else f"call {number}"


def _of_call(step: Step, width: int) -> Iterator[Content]:
    expected = step.row.expected if isinstance(step.row.expected, ToolCall) else None
    actual = step.row.actual if isinstance(step.row.actual, ToolCall) else None
    yield from _arguments(step, expected, actual, width)
    if actual is None:
        return
    if actual.error:
        yield from _labelled(
            "error", [text(x, WARN) for x in wrap(actual.error, _room(width), MOST_LINES)]
        )
    if step.is_live:
        if not actual.error:
            yield BLANK
            yield from _labelled("result", [text(_LATER, MUTED)])
        return
    if actual.result is not None or not actual.error:
        yield BLANK
        yield from _labelled("result", _result(actual.result, _room(width)))


def _room(width: int) -> int:
    return max(1, width - LABEL)


def _labelled(label: str, lines: list[Content]) -> list[Content]:
    return [
        join(cell(label if at == 0 else "", LABEL, MUTED), line) for at, line in enumerate(lines)
    ]


def _arguments(
    step: Step, expected: ToolCall | None, actual: ToolCall | None, width: int
) -> Iterator[Content]:
    wanted, given = (call.args if call is not None else {} for call in (expected, actual))
    keys = list(dict.fromkeys([*wanted, *given]))
    if not keys:
        yield text("any arguments" if actual is None else "no arguments", MUTED)
        return
    if expected is None or actual is None or width < TWO_COLUMNS:
        yield from _one_column(step, wanted, given, keys, width)
        return
    column = min(WIDEST_VALUE, (width - LABEL - MARK) // 2)
    heads = ("expected", "actual")
    yield join(cell("argument", LABEL, MUTED), *(cell(head, column, MUTED) for head in heads))
    for key in keys:
        differs = key in step.row.keys
        left = _value(wanted, key, column, GOOD if differs else "")
        right = _value(given, key, column, BAD if differs else "")
        for at, (a, b) in enumerate(zip_longest(left, right, fillvalue=cell("", column))):
            parts: list[Part] = [_key_cell(key if at == 0 else "", differs=differs), a, b]
            yield join(*parts, _compared(step, key, wanted) if at == 0 else "")


def _one_column(
    step: Step, wanted: dict[str, Any], given: dict[str, Any], keys: list[str], width: int
) -> Iterator[Content]:
    """The arguments one below the other; a pair of values that differ takes two lines."""
    room = _room(width)
    for key in keys:
        differs = key in step.row.keys
        sides = [wanted, given] if differs else [given if key in given else wanted]
        shown = [
            line
            for side, style in zip(sides, (GOOD, BAD) if differs else ("",), strict=True)
            for line in _value(side, key, room, style)
        ]
        for at, line in enumerate(shown):
            yield join(_key_cell(key if at == 0 else "", differs=differs), line)


def _key_cell(key: str, *, differs: bool) -> Content:
    return join(cell(key, LABEL - 1, "" if differs else MUTED, mode="middle"), " ")


def _compared(step: Step, key: str, wanted: dict[str, Any]) -> Content:
    if key in step.row.keys:
        return text(f"{DIFFERS} differs", f"bold {BAD}")
    if step.row.mark is Mark.SAME and not wanted:
        return text("any", MUTED)
    return text(f"{SAME} same", MUTED)


def _value(args: dict[str, Any], key: str, cells: int, style: str) -> list[Content]:
    """An argument in lines of exactly `cells` cells; one that is not there is a dash."""
    if key not in args:
        return [cell(NOTHING, cells, FAINT)]
    most = LONGEST_VALUE if style else 2
    found = wrap(value_text(args[key]), max(1, cells - 2), most + 1)
    if len(found) > most:
        found = [*found[:most], "…"]
    return [cell(line, cells, f"bold {style}" if style else MUTED) for line in found]


def _result(value: Any, room: int) -> list[Content]:
    """A result as JSON, one key a line; a text that holds JSON is shown as what it holds."""
    if value is None:
        return [text("nothing was recorded", MUTED)]
    if isinstance(value, str):
        value = _parsed(value)
    if isinstance(value, str):
        return [text(line) for line in wrap(value, room, MOST_LINES)]
    is_long = isinstance(value, dict | list) and len(value) > SHORT_RESULT
    if not is_long and len(short := value_text(value)) <= min(room, SHORT_RESULT):
        return [text(short)]
    shown = json.dumps(value, ensure_ascii=False, indent=2, default=repr)
    found = [
        part for line in shown.split("\n", MOST_LINES) for part in wrap(line, room, MOST_LINES)
    ]
    more = [text("… cut here", MUTED)] if len(found) > MOST_LINES else []
    return [_coloured(part) for part in found[:MOST_LINES]] + more


def _parsed(value: str) -> Any:
    if not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _coloured(line: str) -> Content:
    found = _KEY.match(line)
    if found is None:
        return text(line)
    indent, key, colon = found.groups()
    return join(indent, text(key, MUTED), text(colon, FAINT), text(line[found.end() :]))


def _of_node(step: Step, model: DetailModel, width: int) -> Iterator[Content]:
    """What a node said and asked for while it ran."""
    if step.row.actual is None:
        yield text("Not visited yet." if step.is_context else "This node was not visited.", MUTED)
        return
    if step.took is not None:
        yield from _labelled("took", [text(seconds(step.took))])
    replies = _replies(step, model)
    for reply in replies:
        usage = TokenUsage.from_mapping(reply.get("token_usage"))
        if said := str(reply.get("response_text") or ""):
            yield from _labelled("said", [text(x) for x in wrap(said, _room(width), MOST_LINES)])
        if names := reply.get("tool_call_names"):
            yield from _labelled("asked for", [text(", ".join(map(str, names)))])
        if usage.total_tokens:
            told = f"{usage.input_tokens} in, {usage.output_tokens} out"
            yield from _labelled("tokens", [text(told, MUTED)])
    if step.is_live:
        yield text(_LATER, MUTED)
    elif not replies:
        yield text("No model call was recorded here.", MUTED)


def _replies(step: Step, model: DetailModel) -> list[dict[str, Any]]:
    """The model calls of this visit: those of the node that ended while it ran."""
    result = model.result
    if result is None or step.at is None:
        return []
    stamps = [s.timestamp for s in result.actual_trajectory if s.timestamp is not None]
    begin = min(stamps, default=0.0) + step.at - CLOCK_NOISE
    end = begin + (step.took or 0.0) + 2 * CLOCK_NOISE
    return [
        reply
        for reply in result.node_responses
        if reply.get("node_name") == step.name
        and begin <= float(reply.get("timestamp") or 0) <= end
    ]
