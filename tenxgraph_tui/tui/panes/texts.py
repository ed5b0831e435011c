"""Drawing two texts so that the eye goes to the words that differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.content import Content

from tenxgraph_tui.tui.kit import join, text
from tenxgraph_tui.tui.words import cells as width_of
from tenxgraph_tui.tui.words import clean, pieces

Word = tuple[str, bool]
"""A word and whether the other side has it too."""

MOSTLY = 0.6


def differing(words: Sequence[Word]) -> int:
    return sum(not same for _, same in words)


def mostly_different(expected: Sequence[Word], actual: Sequence[Word]) -> bool:
    """Whether so much differs that marking it would only be noise."""
    total = len(expected) + len(actual)
    return total > 0 and (differing(expected) + differing(actual)) / total > MOSTLY


def unmarked(words: Iterable[Word]) -> list[Word]:
    return [(word, True) for word, _ in words]


def flow(words: Sequence[Word], cells: int, mark: str, base: str = "") -> list[Content]:
    """The words in lines of at most `cells` cells, those that differ underlined in `mark`.

    The blank between two words that differ is underlined too, so that a run reads as one.
    """
    lines: list[list[Content]] = [[]]
    used, before_differs = 0, False
    for word, same in words:
        for piece in pieces(clean(word), max(1, cells)):
            wide = width_of(piece)
            if lines[-1] and used + 1 + wide > cells:
                lines.append([])
                used = 0
            style = base if same else f"underline {mark}"
            if lines[-1]:
                lines[-1].append(text(" ", style if before_differs and not same else ""))
                used += 1
            lines[-1].append(text(piece, style))
            used += wide
            before_differs = not same
    return [join(*line) for line in lines]
