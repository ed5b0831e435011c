"""What agents print, in pieces and in any amount, as lines that belong to a case."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from tenxgraph_tui.evaluation.results import CaseKey

LONGEST = 2_000
"""How many characters of a line a viewer gets; the log file has all of them."""

PER_SECOND = 200
"""How many lines a second and case viewers get; the log file has all of them."""

LONGEST_PIECE = 64 * 1024
"""What is printed without a line break becomes a line when it is this long."""


@dataclass(frozen=True, slots=True)
class Line:
    """A complete line; `dropped` counts those that viewers did not get before it."""

    case: CaseKey | None
    source: str
    level: str
    text: str
    dropped: int = 0


class LineBook:
    """Puts pieces of text together into lines, one case and source at a time.

    `keep` gets every line whole; `show` gets them cut and no more than `PER_SECOND`. Both are
    called on the thread that wrote, outside of any lock of the book.
    """

    def __init__(
        self,
        keep: Callable[[Line], None],
        show: Callable[[Line], None],
        *,
        clock: Callable[[], float],
    ) -> None:
        self._keep, self._show, self._clock = keep, show, clock
        self._lock = threading.Lock()
        self._pieces: dict[tuple[CaseKey | None, str], _Piece] = {}
        self._meters: dict[CaseKey | None, _Meter] = {}

    def write(self, case: CaseKey | None, source: str, text: str) -> None:
        """Take a piece of text; what follows its last line break waits for the rest."""
        with self._lock:
            piece = self._pieces.setdefault((case, source), _Piece())
            *whole, rest = text.split("\n")
            if whole:
                whole[0] = piece.take() + whole[0]
            if rest:
                whole += piece.add(rest)
        for line in whole:
            self.line(case, source, line)

    def line(self, case: CaseKey | None, source: str, text: str, level: str = "info") -> None:
        """Take a whole line."""
        text = _last_written(text).rstrip("\r")
        self._keep(Line(case, source, level, text))
        with self._lock:
            dropped = self._meters.setdefault(case, _Meter()).admit(self._clock())
        if dropped is not None:
            self._show(Line(case, source, level, _cut(text), dropped))

    def close(self, case: CaseKey | None) -> None:
        """A case is over: what it has not ended with a line break is a line all the same."""
        with self._lock:
            ends = [key for key in self._pieces if key[0] == case]
            rests = [(source, self._pieces.pop((owner, source)).take()) for owner, source in ends]
        for source, rest in rests:
            if rest:
                self.line(case, source, rest)
        with self._lock:
            meter = self._meters.pop(case, None)
        if meter is not None and meter.dropped:
            told = f"{meter.dropped} more lines are only in the log file"
            self._show(Line(case, "tenxgraph", "warning", told, meter.dropped))

    def close_all(self) -> None:
        """The run is over."""
        with self._lock:
            cases = {*self._meters, *(case for case, _ in self._pieces)}
        for case in cases:
            self.close(case)


@dataclass(slots=True)
class _Piece:
    """What was printed since the last line break; put together once, in however many parts."""

    parts: list[str] = field(default_factory=list)
    size: int = 0

    def add(self, text: str) -> list[str]:
        """Take a part without a line break; all of it comes back as a line when it is too long."""
        if "\r" in text:
            text = _last_written(self.take() + text)
        self.parts.append(text)
        self.size += len(text)
        return [self.take()] if self.size > LONGEST_PIECE else []

    def take(self) -> str:
        """All of it; nothing is left."""
        text = "".join(self.parts)
        self.parts, self.size = [], 0
        return text


@dataclass(slots=True)
class _Meter:
    """How many lines of a case were let through in the current second."""

    since: float = field(default=float("-inf"))
    passed: int = 0
    dropped: int = 0

    def admit(self, now: float) -> int | None:
        """None to leave the line out; else how many were left out before it."""
        if now - self.since >= 1.0:
            self.since, self.passed = now, 0
        if self.passed >= PER_SECOND:
            self.dropped += 1
            return None
        self.passed += 1
        dropped, self.dropped = self.dropped, 0
        return dropped


def _last_written(text: str) -> str:
    """What a terminal would show of a line that was written over with carriage returns."""
    return text if "\r" not in text else text[text.rstrip("\r").rfind("\r") + 1 :]


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    left_out = f"… {len(text) - LONGEST} more characters"
    return text[: LONGEST - len(left_out)] + left_out
