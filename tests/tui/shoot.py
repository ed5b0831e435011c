"""A picture of a running app: the screen as SVG, true to the cell.

A row of the screen is a line of the file, and a line says all of its own looks: what changes in
one row changes one line, and `git diff` tells which.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape, unescape
from typing import Any

from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import SVG_EXPORT_THEME
from textual._context import visible_screen_stack
from textual.app import App

CELL, LINE, SIZE = 12, 24, 20
"""Width and height of a cell, and the size of a font of which a character is 0.6 as wide."""
BASELINE = 18
MARKS = {"bold": "b", "underline": "u", "italic": "i", "dim": "d", "strike": "s"}
HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" xml:space="preserve">
<style>
text {{ font: {size}px "JetBrains Mono", "DejaVu Sans Mono", monospace; }}
text {{ font-variant-ligatures: none; white-space: pre; }}
rect {{ shape-rendering: crispEdges; }}
.b {{ font-weight: bold }} .u {{ text-decoration: underline }} .i {{ font-style: italic }}
.d {{ opacity: 0.6 }} .s {{ text-decoration: line-through }}
</style>
<rect width="{width}" height="{height}" fill="{ground}"/>
"""


def svg_of(app: App[Any]) -> str:
    """What `app` shows now, and nothing around it."""
    visible_screen_stack.set(app._background_screens)  # what a veil lets through
    update = app.screen._compositor.render_full_update()
    content = app.theme_variables["foreground"][:7].lower()
    ground = app.theme_variables["background"][:7].lower()
    lines = ((segment for strip in strips for segment in strip) for strips in update.strips)
    return svg_of_lines(lines, app.size, content=content, ground=ground)


def svg_of_lines(
    lines: Iterable[Iterable[Segment]], size: tuple[int, int], *, content: str, ground: str
) -> str:
    """The picture of a screen, line by line; both colours are those of the terminal."""
    colours = _Colours(content, ground)
    width, height = size
    head = HEAD.format(width=width * CELL, height=height * LINE, size=SIZE, ground=ground)
    rows = (_row(y, line, colours) for y, line in enumerate(lines))
    return "\n".join([head.rstrip(), *rows, "</svg>", ""])


class _Colours:
    """What the colours of a segment are, where it leaves them to the terminal too."""

    def __init__(self, content: str, ground: str) -> None:
        self.ground, self._content = ground, content

    def of(self, style: Style) -> tuple[str, str]:
        """The colour of the text and that of what it stands on."""
        fore = self._hex(style.color, self._content)
        back = self._hex(style.bgcolor, self.ground)
        return (back, fore) if style.reverse else (fore, back)

    def _hex(self, colour: Color | None, default: str) -> str:
        if colour is None or colour.is_default:
            return default
        return colour.get_truecolor(SVG_EXPORT_THEME).hex


def _row(y: int, segments: Iterable[Segment], colours: _Colours) -> str:
    """One line of the picture; `y` is counted in rows."""
    backs, texts, x = [], [], 0
    for text, style in _runs(segments):
        cells = cell_len(text)
        fore, back = colours.of(style)
        if back != colours.ground:
            backs.append((x, cells, back))
        is_drawn = text.strip(" ") or style.underline or style.strike
        if is_drawn:
            texts.append(_span(x, text, fore, style))
        x += cells
    top = y * LINE
    rects = (
        f'<rect x="{at * CELL}" y="{top}" width="{cells * CELL}" height="{LINE}" fill="{fill}"/>'
        for at, cells, fill in _merged(backs)
    )
    return f'{"".join(rects)}<text y="{top + BASELINE}">{"".join(texts)}</text>'


def _runs(segments: Iterable[Segment]) -> Iterator[tuple[str, Style]]:
    """Neighbours that look the same as one."""
    for segment in Segment.simplify(one for one in segments if not one.control):
        yield segment.text, segment.style or Style.null()


def _merged(backs: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Neighbours on the same ground as one."""
    last: tuple[int, int, str] | None = None
    for at, cells, fill in backs:
        if last is not None and (last[0] + last[1], last[2]) == (at, fill):
            last = (last[0], last[1] + cells, fill)
            continue
        if last is not None:
            yield last
        last = (at, cells, fill)
    if last is not None:
        yield last


def text_in(row: str) -> str:
    """The words of one line of a picture."""
    return " ".join(unescape(part) for part in re.findall(r"<tspan[^>]*>([^<]*)", row))


def _span(x: int, text: str, fore: str, style: Style) -> str:
    """Some text at cell `x`; blanks around it are left out where they would not be seen."""
    if not (style.underline or style.strike):
        x += len(text) - len(text.lstrip(" "))
        text = text.strip(" ")
    marks = "".join(mark for name, mark in MARKS.items() if getattr(style, name))
    looks = f' class="{" ".join(marks)}"' if marks else ""
    return f'<tspan x="{x * CELL}" fill="{fore}"{looks}>{escape(text, quote=False)}</tspan>'
