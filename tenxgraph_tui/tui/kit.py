"""The drawing kit: lines of `Content` that are exactly as wide as they were asked to be.

Every text that goes through here is shown as it is: markup is never parsed, control characters
are written out, nothing is cut inside a character.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.segment import Segment
from textual.content import Content, Span
from textual.strip import Strip
from textual.style import Style

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.numbers import score as score_text
from tenxgraph_tui.tui.glyphs import (
    ACCENT,
    BAD,
    ELLIPSIS,
    FAILED,
    HAIR,
    HEAVY,
    KNOWN_FAILURE,
    LIGHT,
    MUTED,
    NOTHING,
    STATUS,
    UNEXPECTED_PASS,
    Sign,
)
from tenxgraph_tui.tui.words import Align, Cut, clean, fit, head_of

Part = Content | str

BLANK = Content("")
KEY = f"bold {ACCENT}"
CURSOR, CURSOR_BLURRED = "$cursor-row", "$cursor-row-blurred"
"""What a theme draws the row of a cursor with (see `theme`)."""
STATUS_CELLS = 11


def text(value: object, style: str = "") -> Content:
    """One line of any text, drawn as it is."""
    return _drawn(clean(value), style)


def _drawn(shown: str, style: str) -> Content:
    """Cleaned text as `Content`, which would strip and measure it again."""
    spans = [Span(0, len(shown), style)] if style and shown else []
    length = len(shown) if shown.isascii() else None
    return Content(shown, spans, length, strip_control_codes=False)


def join(*parts: Part) -> Content:
    """The parts behind one another."""
    return BLANK.join([part if isinstance(part, Content) else text(part) for part in parts])


def cell(
    value: object, cells: int, style: str = "", *, align: Align = "left", mode: Cut = "end"
) -> Content:
    """A text in exactly `cells` cells (see `words.fit`)."""
    return _drawn(fit(value, cells, align, mode), style)


def clip(line: Part, cells: int) -> Content:
    """`line` in at most `cells` cells, with an ellipsis where more than blanks was cut."""
    line = line if isinstance(line, Content) else text(line)
    if line.cell_length <= cells:
        return line
    if cells <= 0:
        return BLANK
    plain = line.plain
    whole = head_of(plain, cells)
    if not plain[whole:].strip(" "):
        return line[:whole]
    return join(line[: head_of(plain, cells - 1)], ELLIPSIS)


def pad(line: Part, cells: int) -> Content:
    """`line` in exactly `cells` cells: clipped, or with blanks behind it."""
    line = clip(line, cells)
    missing = cells - line.cell_length
    return line.pad_right(missing) if missing > 0 else line


def flush(line: Part, cells: int) -> Content:
    """`line` in exactly `cells` cells, at the right."""
    line = clip(line, cells)
    return line.pad_left(max(0, cells - line.cell_length))


def spread(left: Part, right: Part, cells: int, gap: int = 2) -> Content:
    """`left` at the left, `right` at the right of exactly `cells` cells; `left` is cut first."""
    right = clip(right, cells)
    room = cells - right.cell_length
    left = pad(clip(left, room - gap if right.cell_length else room), room)
    return join(left, right)


def highlight(line: Part, cells: int, background: str = CURSOR) -> Content:
    """`line` in exactly `cells` cells on a background of its own: the row of a cursor."""
    return pad(line, cells).stylize(background)


def rule(title: Part, cells: int, right: Part = "", *, focused: bool = False) -> Content:
    """The titled line that opens every pane: heavy where the focus is. Parts that do not fit go."""
    stroke, style = (HEAVY, "$border") if focused else (LIGHT, HAIR)
    if isinstance(title, str):
        title = text(title, KEY if focused else "bold")
    head = join(text(f"{stroke} ", style), title, " ") if title else BLANK
    tail = join(" ", right, text(f" {stroke}", style)) if right else BLANK
    if head.cell_length + tail.cell_length >= cells:
        tail = BLANK
    rest = max(0, cells - head.cell_length - tail.cell_length)
    return pad(join(head, text(stroke * rest, style), tail), cells)


def hairline(cells: int) -> Content:
    """A thin line without a title."""
    return text(LIGHT * max(0, cells), HAIR)


def key(name: str, label: str) -> Content:
    """A key and what it does."""
    return join(text(name, KEY), " ", text(label, MUTED))


def keys(pairs: Iterable[tuple[str, str]], cells: int | None = None, gap: str = "   ") -> Content:
    """Keys in a row; those that do not fit into `cells` are dropped from the right."""
    shown: list[Content] = []
    used = 0
    for name, label in pairs:
        part = key(name, label)
        used += part.cell_length + (len(gap) if shown else 0)
        if cells is not None and used > cells:
            break
        shown.append(part)
    return Content(gap).join(shown)


def between(parts: Sequence[Part], gap: str = "   ") -> Content:
    """The parts that are not empty, with `gap` between them."""
    return Content(gap).join([join(part) for part in parts if part])


def sign_of(status: CaseStatus, *, known: bool = False, unexpected: bool = False) -> Sign:
    """How a case's status is drawn; `known` and `unexpected` are those of `CaseFinished`."""
    if known:
        return KNOWN_FAILURE
    return UNEXPECTED_PASS if unexpected else STATUS[status]


def sign(what: Sign, cells: int | None = None) -> Content:
    """Glyph and word, in exactly `cells` cells where they are given."""
    line = join(text(f"{what.glyph} ", what.style), text(what.word, what.word_style))
    return line if cells is None else pad(line, cells)


def status(
    which: CaseStatus,
    cells: int | None = STATUS_CELLS,
    *,
    known: bool = False,
    unexpected: bool = False,
) -> Content:
    """Glyph and word of a case's status."""
    return sign(sign_of(which, known=known, unexpected=unexpected), cells)


def score(value: float | None, cells: int, *, passed: bool) -> Content:
    """A score in a column: a failing one is marked and bold, None (not evaluated) is a dash."""
    if value is None:
        return cell(NOTHING, cells, MUTED, align="right")
    shown = score_text(value, passed=passed)
    if passed:
        return cell(shown, cells, MUTED, align="right")
    return cell(f"{FAILED}{shown}", cells, f"bold {BAD}", align="right")


def strip(line: Part, cells: int, base: Style) -> Strip:
    """`line` as what `render_line` of a widget returns; `base` is the widget's visual style."""
    line = pad(line, cells)
    segments = [
        Segment(shown, style.rich_style)
        for shown, style in line.render(base, end="", parse_style=_parsed)
    ]
    return Strip(segments, cells)


def _parsed(style: str | Style) -> Style:
    return style if isinstance(style, Style) else Style.parse(style)
