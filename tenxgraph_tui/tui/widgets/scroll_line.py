"""The bar beside what scrolls: a thin line, heavy where the part that is shown lies."""

from __future__ import annotations

from functools import cache
from typing import ClassVar

from rich.color import Color, blend_rgb
from rich.segment import Segment, Segments
from rich.style import Style
from textual.scrollbar import ScrollBar, ScrollBarRender

from tenxgraph_tui.tui.panes.scrolled import THUMB, TRACK

UNKNOWN = Color.default()
FAINT = 0.3
"""How much of the colour of the thumb is in that of the line."""


class ScrollLine(ScrollBarRender):
    """Drawn as the panes of a case draw theirs; `HEAD` are the lines at the top that stay."""

    HEAD: ClassVar[int] = 0

    @classmethod
    def render_bar(
        cls,
        size: int = 25,
        virtual_size: float = 50,
        window_size: float = 20,
        position: float = 0,
        thickness: int = 1,
        vertical: bool = True,
        back_color: Color = UNKNOWN,
        bar_color: Color = UNKNOWN,
    ) -> Segments:
        """The bar in `size` cells; a click beside the thumb scrolls, on it takes hold of it."""
        if not vertical:
            across = size, virtual_size, window_size, position, thickness, vertical
            return super().render_bar(*across, back_color, bar_color)
        head = min(cls.HEAD, size)
        room, total, seen = size - head, virtual_size - head, window_size - head
        blank = Segment(" " * thickness, Style(bgcolor=back_color))
        if seen <= 0 or total <= seen:
            return Segments([blank] * size, new_lines=True)
        length = max(1, round(room * seen / total))
        top = min(room - length, round((room - length) * position / (total - seen)))
        line = _mixed(back_color, bar_color)
        parts = [
            (top, TRACK, line, "scroll_up"),
            (length, THUMB, bar_color, "grab"),
            (room - top - length, TRACK, line, "scroll_down"),
        ]
        drawn = [blank] * head
        for cells, sign, colour, action in parts:
            style = Style(color=colour, bgcolor=back_color, meta={"@mouse.down": action})
            drawn += [Segment(sign.rjust(thickness), style)] * cells
        return Segments(drawn, new_lines=True)


def thin(bar: ScrollBar, head: int = 0) -> ScrollBar:
    """The bar of a widget, drawn so, beside lines of which the first `head` stay where they are."""
    bar.renderer = _below(head)  # type: ignore[misc]  # of one bar alone, as Textual documents it
    return bar


@cache
def _below(head: int) -> type[ScrollLine]:
    return type("ScrollLine", (ScrollLine,), {"HEAD": head})


def _mixed(ground: Color, colour: Color) -> Color:
    """A colour that is hardly seen; that of the thumb where the terminal decides what it is."""
    if ground.triplet is None or colour.triplet is None:
        return colour
    return Color.from_triplet(blend_rgb(ground.triplet, colour.triplet, FAINT))
