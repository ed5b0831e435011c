"""The tour: three things to do once, told beside the cases until they are done."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.session.project import make_private
from tenxgraph_tui.tui.desk import Desk

MARK = "tour-shown"


@dataclass(frozen=True, slots=True)
class Hint:
    """A key by the id of its binding, the key it has as long as nobody remaps it, what it does."""

    id: str
    key: str
    does: str


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do."""

    title: str
    hints: tuple[Hint, ...]
    note: str


CHOOSE = Step(
    "Choose cases and a preset",
    (
        Hint("dashboard.sets", "b", "goes to the eval sets"),
        Hint("browser.select", "space", "selects; nothing selected is everything"),
        Hint("dashboard.preset", "p", "goes to the presets, enter uses one"),
    ),
    "A preset says what is checked.",
)
RUN = Step(
    "Run them",
    (
        Hint("run.start", "r", "runs what is selected, or everything"),
        Hint("run.cancel", "x", "stops a run"),
    ),
    "Offline presets ask no model and need no key.",
)
OPEN = Step(
    "Open a case that failed",
    (
        Hint("cases.next_failed", "]", "goes to the next one"),
        Hint("cases.open", "enter", "shows all of it, esc leads back"),
    ),
    "Why says what was missing, Trajectory where.",
)
STEPS = (CHOOSE, RUN, OPEN)


class Tour:
    """Where in the tour somebody is; `at` is None when it is not shown."""

    def __init__(self) -> None:
        self.at: int | None = None
        self._began_with: object = None

    @property
    def step(self) -> Step | None:
        return STEPS[self.at] if self.at is not None else None

    def begin(self, desk: Desk) -> None:
        self.at, self._began_with = 0, desk.choices.preset

    def next(self) -> None:
        """Go on; the last step ends it."""
        if self.at is not None:
            self.at = self.at + 1 if self.at + 1 < len(STEPS) else None

    def end(self) -> None:
        self.at = None

    def look(self, desk: Desk) -> None:
        """Go on if what the step asks for has been done."""
        if self.step is CHOOSE and (
            desk.choices.selected or desk.choices.preset is not self._began_with
        ):
            self.next()
        if self.step in (CHOOSE, RUN) and desk.is_busy:
            self.at = STEPS.index(OPEN)

    def case_opened(self) -> bool:
        """Whether that was what the tour asked for: it is over then."""
        if self.step is not OPEN:
            return False
        self.end()
        return True


def is_new_here(folder: Path) -> bool:
    """Whether the user has never been shown the tour; `folder` keeps what is the user's own."""
    return not (folder / MARK).exists()


def note_shown(folder: Path) -> None:
    """Show it to nobody twice. Where this cannot be kept it is shown again: no harm is done."""
    with contextlib.suppress(OSError, StoreError):
        make_private(folder)
        (folder / MARK).touch()
