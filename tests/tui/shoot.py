"""A picture of a running app: the screen as SVG, true to the cell."""

from __future__ import annotations

import io
from typing import Any

from rich.console import Console
from textual.app import App

CELL_RATIO = 0.6
"""Width by height of a cell of JetBrains Mono."""

FORMAT = """\
<svg viewBox="0 0 {terminal_width} {terminal_height}" xmlns="http://www.w3.org/2000/svg" \
xml:space="preserve">
<style>
.{unique_id}-matrix {{
    font-family: "JetBrains Mono", "DejaVu Sans Mono", monospace;
    font-size: {char_height}px; line-height: {line_height}px; font-variant-ligatures: none;
}}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>{lines}</defs>
<rect width="100%" height="100%" fill="BACKGROUND"/>
<g clip-path="url(#{unique_id}-clip-terminal)">{backgrounds}\
<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""


def svg_of(app: App[Any]) -> str:
    """What `app` shows now. Renderers that trim blanks keep them; there is no window around it."""
    width, height = app.size
    console = Console(
        width=width,
        height=height,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        record=True,
        legacy_windows=False,
        safe_box=False,
    )
    console.print(
        app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    )
    background = app.theme_variables["background"][:7]
    return console.export_svg(
        title="",
        code_format=FORMAT.replace("BACKGROUND", background),
        font_aspect_ratio=CELL_RATIO,
        unique_id="shot",
    )
