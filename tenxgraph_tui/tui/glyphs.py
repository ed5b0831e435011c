"""Every sign that the dashboard draws, each one cell wide, and what stands for it in ASCII."""

from __future__ import annotations

from dataclasses import dataclass

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.results import Verdict

MUTED = "$foreground-muted"
FAINT = "$foreground-disabled"
HAIR = "$border-blurred"
GOOD = "$text-success"
BAD = "$text-error"
WARN = "$text-warning"
ACCENT = "$primary"

PASSED, FAILED, ERROR, RUNNING, WAITING = "✓", "✗", "!", "▸", "·"
CANCELLED, SKIPPED, NOTHING = "■", "∙", "–"
SAME, DIFFERS, MISSING, EXTRA = "=", "≠", "-", "+"
REGRESSED, FIXED, NEW = "▼", "▲", "+"
DELTA, RISING, FALLING = "Δ", "↑", "↓"
ELLIPSIS, LIGHT, HEAVY, DOT, BLOCK = "…", "─", "━", "●", "█"
DASHED, DOUBLE = "╌", "═"


@dataclass(frozen=True, slots=True)
class Sign:
    """A glyph, the word that always goes with it, and how each of them is drawn."""

    glyph: str
    word: str
    style: str
    word_style: str


STATUS = {
    CaseStatus.PASSED: Sign(PASSED, "passed", GOOD, MUTED),
    CaseStatus.FAILED: Sign(FAILED, "failed", BAD, BAD),
    CaseStatus.ERROR: Sign(ERROR, "error", WARN, WARN),
    CaseStatus.RUNNING: Sign(RUNNING, "running", ACCENT, ACCENT),
    CaseStatus.WAITING: Sign(WAITING, "waiting", MUTED, MUTED),
    CaseStatus.CANCELLED: Sign(CANCELLED, "cancelled", MUTED, MUTED),
    CaseStatus.SKIPPED: Sign(SKIPPED, "skipped", MUTED, MUTED),
}
KNOWN_FAILURE = Sign(FAILED, "failed (known)", MUTED, MUTED)
UNEXPECTED_PASS = Sign(PASSED, "passed (unexpected)", WARN, WARN)

VERDICT = {
    Verdict.PASSED: Sign(PASSED, "passed", GOOD, MUTED),
    Verdict.FAILED: Sign(FAILED, "failed", BAD, BAD),
    Verdict.ERROR: Sign(ERROR, "error", WARN, WARN),
    Verdict.NOT_EVALUATED: Sign(NOTHING, "not evaluated", MUTED, MUTED),
}

TO_ASCII = str.maketrans(
    "✓✗▸▾·■–…─━│┃●∙≠▼▲≈≥›‹×↑↓←→═╌Δ−"  # noqa: RUF001 - the signs themselves
    "┏┓┗┛▁▂▃▄▅▆▇█",  # frames, the ends of scrollbars, and bars
    "+x>v.#-~-=||*,!v^~>><x^v<>=-d-++++       #",
)
"""One cell for one cell, so that nothing moves where the terminal has no Unicode."""


class AsciiSigns(LineFilter):
    """Draws everything with the ASCII stand-ins; append it to the app's line filters."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - the interface is Textual's
        return [
            Segment(text if text.isascii() else text.translate(TO_ASCII), style, control)
            for text, style, control in segments
        ]
