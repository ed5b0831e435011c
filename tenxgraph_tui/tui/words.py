"""Cutting and breaking text by what it fills on the screen, never inside a character."""

from __future__ import annotations

import re
from typing import Literal

from rich.cells import cell_len, split_graphemes

from tenxgraph_tui.evaluation.visible import visible

Align = Literal["left", "right"]
Cut = Literal["end", "middle"]

ELLIPSIS = "…"
ENOUGH_FOR_A_MIDDLE = 6
LONGEST_GRAPHEME = 8
"""Characters a cell that are looked at; a family of four is seven."""
LONGEST_TEXT = 20_000
"""Characters of one text that are looked at and kept: far more than any screen shows."""
_FIRST_FLAG, _LAST_FLAG = "\U0001f1e6", "\U0001f1ff"
_LOOSE_JOINER = re.compile("\u200d(?![^\x00-\xff])|(?<![^\x00-\xff])\u200d")


def clean(value: object, *, multiline: bool = False) -> str:
    """Any value as text that is safe to draw and as wide as it looks.

    Terminals disagree about the variation selector U+FE0F, so it goes; a joiner that joins nothing
    would make the cell beside it vanish.
    """
    text = value if isinstance(value, str) else str(value)
    if text.isascii() and text.isprintable():
        return text
    text = visible(text, multiline=multiline).replace("\ufe0f", "")
    return _LOOSE_JOINER.sub("", text) if "\u200d" in text else text


def preview(text: str) -> str:
    """The beginning of a text that is too long to be looked at, and how much is left out."""
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}… {len(text) - LONGEST_TEXT:,} more characters"


def cells(text: str) -> int:
    """How many cells `text` fills."""
    return cell_len(text)


def graphemes(text: str) -> list[tuple[int, int, int]]:
    """What must not be cut, in order: start, end and cells of each. A flag is one, not two."""
    spans: list[tuple[int, int, int]] = []
    flag_is_open = False
    for start, end, width in split_graphemes(text)[0]:
        is_flag = _FIRST_FLAG <= text[start] <= _LAST_FLAG
        if is_flag and flag_is_open:
            before = spans.pop()
            spans.append((before[0], end, before[2] + width))
            flag_is_open = False
            continue
        spans.append((start, end, width))
        flag_is_open = is_flag
    return spans


def head_of(text: str, room: int) -> int:
    """The index in `text` up to which it fits into `room` cells."""
    if text.isascii():
        return min(len(text), max(0, room))
    used = 0
    for start, _, width in graphemes(text):
        used += width
        if used > room:
            return start
    return len(text)


def tail_of(text: str, room: int) -> int:
    """The index in `text` from which the rest fits into `room` cells."""
    if text.isascii():
        return len(text) - min(len(text), max(0, room))
    used = 0
    for _, end, width in reversed(graphemes(text)):
        used += width
        if used > room:
            return end
    return 0


def shorten(text: str, room: int, mode: Cut = "end") -> str:
    """`text` in at most `room` cells, with an ellipsis where something was cut out."""
    if room <= 0:
        return ""
    if cell_len(text) <= room:
        return text
    if mode == "middle" and room > ENOUGH_FOR_A_MIDDLE:
        left = (room - 1) * 2 // 3
        return text[: head_of(text, left)] + ELLIPSIS + text[tail_of(text, room - 1 - left) :]
    return text[: head_of(text, room - 1)].rstrip() + ELLIPSIS


def fit(value: object, room: int, align: Align = "left", mode: Cut = "end") -> str:
    """`value` in exactly `room` cells: padded, or cut with an ellipsis at the end or middle."""
    text = shorten(clean(value), room, mode)
    padding = " " * (max(0, room) - cell_len(text))
    return padding + text if align == "right" else text + padding


def wrap(value: object, room: int, at_most: int | None = None) -> list[str]:
    """`value` broken into lines of at most `room` cells, at spaces where there are any.

    Line breaks of the text stay; words that are too long are broken between characters. Of a long
    text nothing beyond line `at_most` is looked at, so that its length costs nothing.
    """
    room = max(1, room)
    text = value if isinstance(value, str) else str(value)
    if at_most is not None:
        text = text[: at_most * room * LONGEST_GRAPHEME]
    lines: list[str] = []
    for paragraph in clean(text, multiline=True).split("\n"):
        lines += _wrapped(paragraph, room)
        if at_most is not None and len(lines) >= at_most:
            return lines[:at_most]
    return lines


def pieces(word: str, room: int) -> list[str]:
    """A word in pieces of at most `room` cells. What is wider than `room` becomes an ellipsis."""
    if cell_len(word) <= room:
        return [word]
    found, start, used = [], 0, 0
    for begin, _, width in graphemes(word):
        if used + width > room and begin > start:
            found.append(word[start:begin])
            start, used = begin, 0
        used += width
    found.append(word[start:])
    return [piece if cell_len(piece) <= room else ELLIPSIS for piece in found]


def _wrapped(paragraph: str, room: int) -> list[str]:
    if cell_len(paragraph) <= room:
        return [paragraph.rstrip()]
    lines: list[str] = []
    line = paragraph[: len(paragraph) - len(paragraph.lstrip(" "))]
    line = line if cell_len(line) < room else ""
    is_empty = True
    for word in paragraph.split():
        for piece in pieces(word, room):
            joined = f"{line}{piece}" if is_empty else f"{line} {piece}"
            if cell_len(joined) > room:
                lines.append(line)
                joined = piece
            line, is_empty = joined, False
    return [*lines, line]
