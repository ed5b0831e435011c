"""The sheet of the tour, and the one line that it is where a sheet would be in the way."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content

from tenxgraph_tui.tui.glyphs import ACCENT, HEAVY, MUTED
from tenxgraph_tui.tui.kit import KEY, cell, join, key, keys, pad, text
from tenxgraph_tui.tui.tour import STEPS, Step

NEXT, DONE, END = "Next", "Done", "End"
INDENT = "  "


def tour_lines(step: Step, key_of: Mapping[str, str], width: int) -> list[Content]:
    """The whole sheet; `key_of` says which key a binding has now, by its id."""
    names = [key_of.get(hint.id, hint.key) for hint in step.hints]
    column = max(map(len, names)) + 2
    rows = [
        join(INDENT, cell(name, column, KEY), text(hint.does))
        for name, hint in zip(names, step.hints, strict=True)
    ]
    lines = [
        text(HEAVY * width, ACCENT),
        join(INDENT, text(_place(step), MUTED), text(step.title, "bold")),
        *rows,
        join(INDENT, text(step.note, MUTED)),
        join(INDENT, keys(buttons(step, key_of))),
    ]
    return [pad(line, width) for line in lines]


def tour_line(step: Step, key_of: Mapping[str, str], width: int) -> Content:
    """As much of the step as fits into one row."""
    head = join(" ", text(_place(step), MUTED), text(step.title, "bold"), INDENT)
    ways_out = keys(reversed(buttons(step, key_of)), max(0, width - head.cell_length - 1))
    return pad(join(head, ways_out), width)


def buttons(step: Step, key_of: Mapping[str, str]) -> list[tuple[str, str]]:
    """How to go on, or that it is over, and how to be rid of it."""
    goes_on = DONE if step is STEPS[-1] else NEXT
    return [(key_of.get("tour.next", "n"), goes_on), (key_of.get("tour.end", "esc"), END)]


def button_at(step: Step, key_of: Mapping[str, str], x: int) -> str | None:
    """The id of the binding whose words stand at a column of the sheet's last line."""
    start = len(INDENT)
    for name, pair in zip(("tour.next", "tour.end"), buttons(step, key_of), strict=True):
        end = start + key(*pair).cell_length
        if start <= x < end:
            return name
        start = end + len("   ")
    return None


def _place(step: Step) -> str:
    return f"{STEPS.index(step) + 1} of {len(STEPS)}  "
