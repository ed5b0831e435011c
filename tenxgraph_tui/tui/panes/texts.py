"""Drawing two texts so that the eye goes to the words that differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from textual.content import Content

from tenxgraph_tui.tui.glyphs import MUTED
from tenxgraph_tui.tui.kit import join, text
from tenxgraph_tui.tui.words import LONGEST_GRAPHEME, clean, pieces
from tenxgraph_tui.tui.words import cells as width_of

Word = tuple[str, bool]
"""A word with what follows it, and whether the other side has it too."""

MOSTLY = 0.6
LONGEST_UNIT = 200
_RUNS = re.compile(r"\s+|\S+")


def differing(words: Sequence[Word]) -> int:
    return sum(not same for _, same in words)


def mostly_different(expected: Sequence[Word], actual: Sequence[Word]) -> bool:
    """Whether so much differs that marking it would only be noise."""
    total = len(expected) + len(actual)
    return total > 0 and (differing(expected) + differing(actual)) / total > MOSTLY


def unmarked(words: Iterable[Word]) -> list[Word]:
    return [(word, True) for word, _ in words]


@dataclass(frozen=True, slots=True)
class _Atom:
    """What is never broken unless it is longer than a line."""

    text: str
    same: bool
    after: str = ""
    """The blank before it: nothing, a space, or a line break."""


def _atoms(words: Iterable[Word]) -> Iterator[_Atom]:
    gap = ""
    for word, same in words:
        is_word = True
        for run in _RUNS.findall(word.replace("\r\n", "\n")):
            if run.isspace():
                gap = "\n" if "\n" in run else gap or " "
            elif shown := clean(run):
                yield _Atom(shown, same or not is_word, gap)
                gap, is_word = "", False


def _units(atoms: Iterable[_Atom]) -> Iterator[list[_Atom]]:
    """Atoms that have no blank between them stay on one line if they can."""
    unit: list[_Atom] = []
    for atom in atoms:
        if unit and atom.after:
            yield unit
            unit = []
        unit.append(atom)
        if len(unit) == LONGEST_UNIT:
            yield unit
            unit = []
    if unit:
        yield unit


@dataclass(slots=True)
class _Line:
    """Runs of text and their styles: words that are drawn alike are one run, and drawn at once."""

    runs: list[tuple[str, str]] = field(default_factory=list)

    def add(self, part: str, style: str) -> None:
        if self.runs and self.runs[-1][1] == style:
            part = self.runs.pop()[0] + part
        self.runs.append((part, style))

    @property
    def drawn(self) -> Content:
        return join(*(text(part, style) for part, style in self.runs))


def flow(words: Iterable[Word], cells: int, mark: str, at_most: int) -> list[Content]:
    """The words in lines of at most `cells` cells, those that differ underlined in `mark`.

    Of a long text the first `at_most` lines are shown, then a line that says that there is more.
    """
    cells = max(1, cells)
    longest = (at_most + 1) * cells * LONGEST_GRAPHEME
    lines: list[_Line] = [_Line()]
    used = 0
    for unit in _units(_atoms(words)):
        wide = sum(width_of(atom.text[:longest]) for atom in unit)
        after = unit[0].after
        if lines[-1].runs and (after == "\n" or used + 1 + min(wide, cells) > cells):
            lines.append(_Line())
            used = 0
        elif lines[-1].runs and after:
            lines[-1].add(" ", "")
            used += 1
        for atom in unit:
            style = "" if atom.same else f"underline {mark}"
            for piece in pieces(atom.text[:longest], cells):
                filled = width_of(piece)
                if used + filled > cells:
                    lines.append(_Line())
                    used = 0
                lines[-1].add(piece, style)
                used += filled
        if len(lines) > at_most:
            return [*(line.drawn for line in lines[:at_most]), text("…", MUTED)]
    return [line.drawn for line in lines if line.runs]
