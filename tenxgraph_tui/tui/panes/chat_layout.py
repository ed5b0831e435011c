"""Where the pieces of *Chat* stand: expected beside actual, or below each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Protocol

from textual.content import Content

from tenxgraph_tui.tui.glyphs import FAINT, MUTED
from tenxgraph_tui.tui.kit import BLANK, clip, flush, join, pad, spread, text
from tenxgraph_tui.tui.panes.blocks import label_cells, labelled, room_beside
from tenxgraph_tui.tui.panes.chat_parts import (
    NOTHING_EXPECTED,
    Answers,
    call_mark,
    call_sides,
)
from tenxgraph_tui.tui.panes.step import Step
from tenxgraph_tui.tui.words import wrap

WIDEST, GAP, RIGHT = 72, 2, 16


class Layout(Protocol):
    """Draws what it is given in lines of a width; `score` is that of the turn."""

    @property
    def room(self) -> int:
        """The cells of one answer."""

    def heads(self, criterion: str) -> list[Content]:
        """What stands above everything."""

    def asked(self, value: str, at_most: int, label: str, score: Content) -> list[Content]:
        """A question; one line more than `at_most` where there is more of it."""

    def call(self, step: Step, label: str) -> list[Content]: ...

    def answers(self, answers: Answers, score: Content) -> list[Content]: ...


@dataclass(frozen=True, slots=True)
class Beside:
    """Two columns, and what is said of them at the right."""

    width: int

    @property
    def _side(self) -> int:
        """The cells of a column with the gap after it."""
        rest = self.width - label_cells(self.width) - RIGHT
        return max(1, min(WIDEST, rest // 2))

    @property
    def room(self) -> int:
        return max(1, self._side - GAP)

    def heads(self, criterion: str) -> list[Content]:
        sides = [text("expected", MUTED)], [text("actual", MUTED)]
        return self._rows("", *sides, text(criterion, MUTED))

    def asked(self, value: str, at_most: int, label: str, score: Content) -> list[Content]:  # noqa: ARG002 - it stands beside the answer
        return _asked(value, at_most, label, BLANK, self.width)

    def call(self, step: Step, label: str) -> list[Content]:
        left, right = call_sides(step, self.room)
        return self._rows(label, [left], [right], call_mark(step))

    def answers(self, answers: Answers, score: Content) -> list[Content]:
        left, right = answers.expected or answers.actual, answers.actual
        if answers.note == NOTHING_EXPECTED:
            left = [text(line, FAINT) for line in wrap(answers.note, self.room)]
        elif answers.note:
            right = [*right, text(answers.note, MUTED)]
        return self._rows("answer", left, right, score)

    def _rows(
        self, label: str, left: Sequence[Content], right: Sequence[Content], said: Content
    ) -> list[Content]:
        """Lines of both sides, the label and what is said beside the first of them."""
        columns = [
            join(pad(one, self._side), pad(other, self._side), flush(said if not at else "", RIGHT))
            for at, (one, other) in enumerate(zip_longest(left, right, fillvalue=BLANK))
        ]
        return labelled(label, columns, self.width)


@dataclass(frozen=True, slots=True)
class Stacked:
    """One column: what was expected above what came."""

    width: int

    @property
    def room(self) -> int:
        return room_beside(self.width)

    def heads(self, criterion: str) -> list[Content]:  # noqa: ARG002 - every layout is asked alike
        return []

    def asked(self, value: str, at_most: int, label: str, score: Content) -> list[Content]:
        return _asked(value, at_most, label, score, self.width)

    def call(self, step: Step, label: str) -> list[Content]:
        """A call on a line of its own; what differs on two, as it was expected above."""
        marked = call_mark(step)
        room = max(1, self.room - marked.cell_length - GAP)
        expected, actual = call_sides(step, room)
        row = step.row
        below = [spread(actual if row.actual is not None else expected, marked, self.room)]
        above = [expected] if row.keys else []
        return labelled(label, above + below, self.width)

    def answers(self, answers: Answers, score: Content) -> list[Content]:  # noqa: ARG002 - it stands beside the question
        note = [text(answers.note, FAINT)] if answers.note else []
        return [
            *labelled("expected", answers.expected, self.width),
            *labelled(answers.label, answers.actual, self.width),
            *labelled("", note, self.width),
        ]


def _asked(value: str, at_most: int, label: str, score: Content, width: int) -> list[Content]:
    """The question beside the number of its turn, and the score at the end of the first line."""
    column = label_cells(width)
    room = max(1, width - column - (score.cell_length + GAP if score else 0))
    found = wrap(value, room, at_most + 1)
    more = [text("…", MUTED)] if len(found) > at_most else []
    first, *rest = [text(line) for line in found[:at_most] or [""]]
    head = join(pad(text(label, "bold"), column), first)
    top = spread(head, score, width) if score else clip(head, width)
    return [top, *labelled("", [*rest, *more], width)]
