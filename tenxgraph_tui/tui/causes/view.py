"""A cause as the screen shows it: with its sets, and what it was before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.labels import set_labels
from tenxgraph_tui.tui.causes.grouping import Cause, called
from tenxgraph_tui.tui.changes import Change
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.glyphs import BAD, ERROR, FAILED, WARN


@dataclass(frozen=True, slots=True)
class CauseView:
    """`changes` counts what became of the cases since the baseline with number `before`.

    `labels` are the names of all sets of the board, `sets` those that its cases are of.
    """

    cause: Cause
    labels: tuple[str, ...]
    sets: tuple[str, ...]
    changes: Counter[Change]
    before: int | None = None
    run: int | None = None

    @classmethod
    def of(cls, cause: Cause, desk: Desk, labels: tuple[str, ...]) -> CauseView:
        changes = Counter(
            change for key in cause.keys if (change := desk.change_of(key)) is not None
        )
        return cls(
            cause,
            labels,
            tuple(dict.fromkeys(labels[key.set_index] for key in cause.keys)),
            changes,
            desk.comparison.number,
            desk.state.number,
        )

    def set_of(self, key: CaseKey) -> str:
        """The set of a case, said where its cases are of several."""
        return f"{self.labels[key.set_index]}/" if len(self.sets) > 1 else ""

    def name_of(self, key: CaseKey) -> str:
        """The case as people call it here."""
        return self.set_of(key) + key.eval_id

    @property
    def count(self) -> int:
        return len(self.cause.members)

    @property
    def is_new(self) -> bool:
        """Whether no case of it was there to fail before."""
        fresh = self.changes[Change.REGRESSED] + self.changes[Change.NEW]
        return self.before is not None and fresh == self.count

    @property
    def sign(self) -> tuple[str, str]:
        """Glyph and style: whether its cases failed or broke."""
        return (ERROR, WARN) if self.cause.is_error else (FAILED, BAD)

    @property
    def criteria(self) -> str:
        return called(self.cause.criteria) or "error"

    @property
    def history(self) -> str:
        """`all 3 passed in #17`; "" where there is nothing to compare with."""
        passed = self.changes[Change.REGRESSED]
        if self.before is None or not self.changes:
            return ""
        if self.changes[Change.NEW] == self.count:
            return f"not in any run before #{self.run}"
        if passed == self.count:
            return f"{_all(self.count)} passed in #{self.before}"
        if not passed:
            none = "it did not pass" if self.count == 1 else f"none of {self.count} passed"
            return f"{none} in #{self.before}"
        return f"{passed} of {self.count} passed in #{self.before}"

    @property
    def where(self) -> str:
        """`call 2`, or `calls 2 to 4`: where its cases part from what was expected."""
        found = [one.finding for one in self.cause.members]
        places = sorted({one.at for one in found if one.at is not None})
        if not places:
            return ""
        unit = found[0].unit
        if len(places) == 1:
            return f"{unit} {places[0]}"
        return f"{unit}s {places[0]} to {places[-1]}"


def _all(count: int) -> str:
    return {1: "it", 2: "both"}.get(count, f"all {count}")


def views(causes: Sequence[Cause], desk: Desk) -> list[CauseView]:
    """The causes with what the desk knows of their cases."""
    labels = set_labels(desk.board.sets)
    return [CauseView.of(cause, desk, labels) for cause in causes]
