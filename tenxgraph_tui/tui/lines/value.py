"""Drawing a line of a value: keys, brackets, numbers, and pieces of text."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import Any

from textual.content import Content

from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.tui.glyphs import ACCENT, FAINT, MUTED
from tenxgraph_tui.tui.kit import clip, join, pad, text
from tenxgraph_tui.tui.value.layout import INDENT, Line, Part, indent_of
from tenxgraph_tui.tui.value.node import Node
from tenxgraph_tui.tui.words import clean, preview

OPEN, CLOSED = "▾ ", "▸ "
NAMED_KEYS = 6


def value_line(line: Line, width: int, found: re.Pattern[str] | None = None) -> Content:
    """A line in exactly `width` cells, with what was `found` in it standing out."""
    node = line.node
    indent = " " * indent_of(node, width)
    match line.part:
        case Part.TEXT:
            inner = " " * INDENT if node.parent is not None else ""
            drawn = join(indent, inner, text(node.text[line.start : line.end]))
        case Part.TAIL:
            drawn = join(indent, "  ", text("}" if isinstance(node.value, dict) else "]", FAINT))
        case Part.HEAD:
            mark = (OPEN if node.is_open else CLOSED) if node.folds else "  "
            drawn = join(indent, text(mark, ACCENT), _name(node), _summary(node))
    drawn = clip(drawn, width)
    if found is not None:
        for match in found.finditer(drawn.plain):
            drawn = drawn.stylize(f"bold {ACCENT}", match.start(), match.end())
    return pad(drawn, width)


def _name(node: Node) -> Content:
    if isinstance(node.key, str):
        return join(text(json.dumps(node.key, ensure_ascii=False), MUTED), text(": ", FAINT))
    return join(text(node.key, FAINT), text(": ", FAINT)) if node.key is not None else text("")


def _summary(node: Node) -> Content:
    """What stands on the first line: the value itself, or how much there is of it."""
    value = node.value
    if node.is_group:
        last = node.end - 1
        keys = _names(node) if isinstance(value, dict) else f"{node.first:,} to {last:,}"
        return text(f"… {keys}", MUTED)
    if not node.folds:
        return text(json.dumps(value, ensure_ascii=False, default=repr))
    if isinstance(value, str):
        told = f"{len(value):,} characters"
        begin = "" if node.is_open else clean(preview(value[:1000]))
        return join(text(told, FAINT), "  ", text(begin))
    bracket = "{}" if isinstance(value, dict) else "[]"
    if node.is_open:
        return text(bracket[0], FAINT)
    count = plural(len(value), "key" if isinstance(value, dict) else "item")
    keys = f": {_names(node)}" if isinstance(value, dict) else ""
    return join(
        text(f"{bracket[0]} ", FAINT), text(count + keys, MUTED), text(f" {bracket[1]}", FAINT)
    )


def _names(node: Node) -> str:
    """The first keys of an object."""
    first, end = (node.first, node.end) if node.is_group else (0, len(node.value))
    names = [str(key) for key in islice(node.value, first, min(end, first + NAMED_KEYS))]
    return ", ".join(names) + (", …" if end - first > NAMED_KEYS else "")


def size_of(value: Any) -> str:
    """How much there is of the whole."""
    if isinstance(value, str):
        return f"{len(value):,} {'character' if len(value) == 1 else 'characters'}"
    if isinstance(value, dict):
        return plural(len(value), "key")
    return plural(len(value), "item") if isinstance(value, list) else ""
