"""Whether a stream gets colour and glyphs, how wide it is, and what its signs are."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import TextIO

from tenxgraph_tui.evaluation.events import CaseStatus

Line = list[tuple[str, str]]
"""What is printed: (text, style) after (text, style)."""

PIPED_WIDTH = 100
SIGNS = "✓✗!■∙–…│·×"


@dataclass(frozen=True, slots=True)
class Look:
    """How to write to one stream: `unicode` glyphs or ASCII, ANSI `colour` or none."""

    unicode: bool = False
    colour: bool = False
    width: int = PIPED_WIDTH

    @property
    def nothing(self) -> str:
        return "–" if self.unicode else "-"

    @property
    def dot(self) -> str:
        return " · " if self.unicode else ", "

    @property
    def ellipsis(self) -> str:
        return "…" if self.unicode else "..."

    @property
    def bad(self) -> str:
        return "✗" if self.unicode else "x"

    def status(self, status: CaseStatus) -> str:
        """The glyph and the word, or the word in brackets."""
        return (GLYPHS if self.unicode else BRACKETS)[status]


STYLES = {
    CaseStatus.PASSED: "green",
    CaseStatus.FAILED: "red",
    CaseStatus.ERROR: "yellow",
}
GLYPHS = {
    CaseStatus.WAITING: "· waiting",
    CaseStatus.RUNNING: "▸ running",
    CaseStatus.PASSED: "✓ passed",
    CaseStatus.FAILED: "✗ failed",
    CaseStatus.ERROR: "! error",
    CaseStatus.CANCELLED: "■ cancelled",
    CaseStatus.SKIPPED: "∙ skipped",
}
BRACKETS = {
    CaseStatus.WAITING: "[WAIT]",
    CaseStatus.RUNNING: "[RUN]",
    CaseStatus.PASSED: "[PASS]",
    CaseStatus.FAILED: "[FAIL]",
    CaseStatus.ERROR: "[ERROR]",
    CaseStatus.CANCELLED: "[CANCEL]",
    CaseStatus.SKIPPED: "[SKIP]",
}


def look_of(stream: TextIO, *, use_colour: bool = True) -> Look:
    """What `stream` can show: glyphs and colour only on a terminal that has them."""
    terminal = stream.isatty() and os.environ.get("TERM") != "dumb"
    return Look(
        unicode=terminal and can_write(stream, SIGNS),
        colour=terminal and use_colour and not os.environ.get("NO_COLOR"),
        width=_width(stream),
    )


def encodable(text: str, stream: TextIO) -> str:
    """`text` with what the stream's encoding lacks written as escapes."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def can_write(stream: TextIO, text: str) -> bool:
    """Whether the stream's encoding has every character of `text`."""
    try:
        text.encode(stream.encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True


def _width(stream: TextIO) -> int:
    if not stream.isatty():
        return PIPED_WIDTH
    try:
        return os.get_terminal_size(stream.fileno()).columns or PIPED_WIDTH
    except (OSError, ValueError):
        return shutil.get_terminal_size((PIPED_WIDTH, 24)).columns
