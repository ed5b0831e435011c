"""The line below a filter that is being typed: how it can go on, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content

from tenxgraph_tui.tui.filtering.completing import Option
from tenxgraph_tui.tui.glyphs import ACCENT, ERROR, MUTED, WARN
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.kit import join, keys, pad, text
from tenxgraph_tui.tui.words import cells

INDENT, BETWEEN = 2, 2


def hint_line(
    told: str, options: Sequence[Option], chosen: int, width: int, *, is_wrong: bool = False
) -> Content:
    """What is wrong, else the ways to go on with the `chosen` one marked, else what is missing."""
    if is_wrong:
        return pad(join(text(f"{ERROR} ", WARN), text(told, WARN)), width)
    if not options:
        ways = ((word("filter.keep"), "Keep"), (word("filter.leave"), "Clear"))
        return pad(join(" " * INDENT, text(told, MUTED) if told else keys(ways)), width)
    shown = [text(" " * INDENT)]
    end = INDENT
    for index, start in enumerate(_starts(options, chosen, width)):
        if start is None:
            continue
        one = options[index]
        shown += [
            text(" " * (start - end)),
            text(one.shown, f"bold {ACCENT}" if index == chosen else MUTED),
        ]
        end = start + cells(one.shown)
    hint = options[chosen].hint if chosen < len(options) else ""
    if hint and end + BETWEEN * 2 + cells(hint) <= width:
        shown.append(text(" " * BETWEEN * 2 + hint, MUTED))
    return pad(join(*shown), width)


def option_at(options: Sequence[Option], chosen: int, x: int, width: int) -> int | None:
    """Which of the options stands at cell `x` of the line."""
    for index, start in enumerate(_starts(options, chosen, width)):
        if start is not None and start <= x < start + cells(options[index].shown):
            return index
    return None


def _starts(options: Sequence[Option], chosen: int, width: int) -> Iterator[int | None]:
    """Where each option begins, None for those without room; the chosen one always has room."""
    widths = [cells(one.shown) + BETWEEN for one in options]
    first = 0
    while first < chosen and INDENT + sum(widths[first : chosen + 1]) > width:
        first += 1
    at = INDENT
    for index, cells_ in enumerate(widths):
        if index < first or (index > chosen and at + cells_ > width):
            yield None
            continue
        yield at
        at += cells_
