"""One step of the trajectory: its arguments by name, what came of it, and who asked for it."""

from __future__ import annotations

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
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import BLANK, Part, cell, clip, join, rule, text
from tenxgraph_tui.tui.panes.calls import value_text
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.step import Step
from tenxgraph_tui.tui.panes.step_calls import replies_of
from tenxgraph_tui.tui.panes.step_context import in_baseline, said_before
from tenxgraph_tui.tui.value.node import read_json
from tenxgraph_tui.tui.value.written import written
from tenxgraph_tui.tui.words import clean, shorten, wrap

LABEL = 12
WIDEST_VALUE = 50
MARK = 12
TWO_COLUMNS = 56
LONGEST_VALUE = 6
SHORT_RESULT = 40
FOLDED, FEWEST = 24, 4
"""The lines of a result, and how many it needs at least to be more than one line."""
MOST_SAID = 3
_LATER = "Known when the case has finished."
_KEY = re.compile(r'^(\s*)("(?:[^"\\]|\\.)*")(: )')


def step_lines(
    step: Step, index: int, model: DetailModel, width: int, room: int | None = None
) -> list[Content]:
    """The title rule of a step and what is known of it; none wider than `width`.

    Long results are folded, to what `room` leaves them or to one line: whoever wants all of them
    opens the step.
    """
    title = join(text(f"Step {index + 1}", "bold"), text("  "), text(shorten(step.name, width)))
    heading = rule(title, width, text(_origin(step), MUTED))
    found = [*_body(step, model, width, FOLDED)]
    if room is not None and len(found) >= room:
        found = [*_body(step, model, width, 1)]
        free = room - len(found) - 2  # below the title, between the blank lines
        if free >= FEWEST:
            found = [*_body(step, model, width, min(free, FOLDED))]
    return [clip(line, width) for line in (heading, *found)]


def _body(step: Step, model: DetailModel, width: int, folded: int) -> Iterator[Content]:
    if not step.is_tool:
        yield from _of_node(step, model, width)
        return
    yield from _of_call(step, width, folded)
    if step.is_live:
        return
    around = _labelled("before it", said_before(step, model, _room(width), MOST_SAID))
    if model.before_number is not None:
        around += _labelled(f"in #{model.before_number}", in_baseline(step, model, _room(width)))
    if around and folded > 1:
        yield BLANK
    yield from around


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


def _of_call(step: Step, width: int, folded: int) -> Iterator[Content]:
    expected = step.row.expected if isinstance(step.row.expected, ToolCall) else None
    actual = step.row.actual if isinstance(step.row.actual, ToolCall) else None
    yield from _arguments(step, expected, actual, width)
    if actual is None:
        return
    if actual.error:
        yield from _labelled("error", _wrapped(actual.error, _room(width), WARN))
    if step.is_live:
        if not actual.error:
            yield BLANK
            yield from _labelled("result", [text(_LATER, MUTED)])
        return
    if actual.result is not None or not actual.error:
        if folded > 1:
            yield BLANK
        yield from _labelled("result", _result(actual.result, _room(width), folded))


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


def _result(value: Any, room: int, folded: int) -> list[Content]:
    """A result as JSON, one key a line; a text that holds JSON is shown as what it holds."""
    if value is None:
        return [text("nothing was recorded", MUTED)]
    value = read_json(value)
    short = clean(value[: room + 1]) if isinstance(value, str) else value_text(value)
    if folded == 1:
        return [text(shorten(short, room))]
    if isinstance(value, str):
        return _wrapped(value, room, folded=folded)
    if len(short) <= min(room, SHORT_RESULT):
        return [text(short)]
    shown = written(value, indent=2, most=FOLDED * room)
    found = [part for line in shown.split("\n", FOLDED) for part in wrap(line, room, FOLDED)]
    return _folded([_coloured(part) for part in found], folded)


def _wrapped(value: str, room: int, style: str = "", folded: int = FOLDED) -> list[Content]:
    return _folded([text(line, style) for line in wrap(value, room, FOLDED + 1)], folded)


def _folded(lines: list[Content], most: int) -> list[Content]:
    """The first of the lines; more of them are for who opens the step."""
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], text(f"… {word('detail.open')} shows all of it", MUTED)]


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
    replies = replies_of(step, model)
    for reply in replies:
        usage = TokenUsage.from_mapping(reply.get("token_usage"))
        if said := str(reply.get("response_text") or ""):
            yield from _labelled("said", _wrapped(said, _room(width)))
        if names := reply.get("tool_call_names"):
            yield from _labelled("asked for", [text(", ".join(map(str, names)))])
        if usage.total_tokens:
            told = f"{usage.input_tokens} in, {usage.output_tokens} out"
            yield from _labelled("tokens", [text(told, MUTED)])
    if step.is_live:
        yield text(_LATER, MUTED)
    elif not replies:
        yield text("No model call was recorded here.", MUTED)
