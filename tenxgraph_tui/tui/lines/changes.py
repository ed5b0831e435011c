"""How a case compares with the baseline, in a few words for the line above its drill-down."""

from __future__ import annotations

from textual.content import Content

from tenxgraph_tui.tui.changes import SIGNS, Against, Change
from tenxgraph_tui.tui.glyphs import MUTED, STATUS
from tenxgraph_tui.tui.kit import BLANK, join, text


def since(against: Against | None) -> Content:
    """`▼ passed in #17`, `▲ failed in #17`, `+ new since #17`; what is the same is no news."""
    if against is None or against.change is Change.SAME:
        return BLANK
    sign = SIGNS[against.change]
    if against.before is None:
        told = f"{sign.word} since #{against.number}"
    else:
        told = f"{STATUS[against.before].word} in #{against.number}"
    return join(text(f"{sign.glyph} ", sign.style), text(told))


def from_run(number: int | None) -> Content:
    """`in run #17`: said of a case that the run on the screen is not of."""
    return text(f"in run #{number}", MUTED) if number is not None else BLANK
