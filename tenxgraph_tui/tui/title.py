"""The terminal's title: the project, and how its run goes, for a window that is not looked at."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from textual.app import App

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.evaluation.progress import RunState
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.glyphs import CANCELLED, ERROR, FAILED, PASSED, RUNNING, TO_ASCII
from tenxgraph_tui.tui.words import clean, shorten

NO_TITLES = frozenset({"dumb", "linux", "vt100", "vt220", "cons25"})
LONGEST = 60
KEPT, GIVEN_BACK = "\x1b[22;0t", "\x1b[23;0t"
"""Have the terminal keep its title, and show it again."""
Write = Callable[[str], object]


def title_of(desk: Desk) -> str:
    """The title for what goes on now; what changes comes first, because tabs show little."""
    news, project = _news(desk), shorten(clean(desk.catalog.title), LONGEST)
    return f"{news} {project}" if news else f"tenxgraph: {project}"


def _news(desk: Desk) -> str:
    state = desk.state
    if desk.trouble is not None:
        return f"{ERROR} error"
    if desk.is_busy:
        planned = len(state.cases) - state.counts[CaseStatus.SKIPPED]
        return f"{RUNNING} {state.done}/{planned}"
    return _outcome(state) if state.started_at is not None else ""


def _outcome(state: RunState) -> str:
    failed, errors = state.counts[CaseStatus.FAILED], state.counts[CaseStatus.ERROR]
    if state.was_cancelled:
        return f"{CANCELLED} cancelled"
    if failed:
        return f"{FAILED} {failed} failed"
    if errors or state.error:
        return f"{ERROR} {plural(errors, 'error')}" if errors else f"{ERROR} error"
    return f"{PASSED} {state.counts[CaseStatus.PASSED]} passed"


class TerminalTitle:
    """Accompanies the application (see `companions`); without `write` its own terminal is told."""

    def __init__(self, desk: Desk, *, ascii_only: bool = False, write: Write | None = None) -> None:
        self._desk, self._ascii_only, self._write = desk, ascii_only, write
        self._shown = ""

    def begin(self, app: App[Any]) -> None:
        if self._write is None and (driver := app._driver) is not None:  # noqa: SLF001
            self._write = driver.write  # it writes whole frames: nothing gets in between
        self.tick(app)

    def tick(self, app: App[Any]) -> None:  # noqa: ARG002 - the desk has it all
        title = title_of(self._desk)
        if self._ascii_only:
            title = title.translate(TO_ASCII).encode("ascii", "replace").decode()
        if title != self._shown and self._write is not None:
            self._shown = title
            self._write(f"\x1b]0;{title}\x07")

    def end(self, app: App[Any]) -> None:
        """Nothing: `title_kept` gives the title back, whatever ended the application."""


def has_title() -> bool:
    """Whether this is a terminal with a title."""
    out = sys.__stdout__
    is_terminal = out is not None and out.isatty()
    return is_terminal and os.environ.get("TERM", "dumb") not in NO_TITLES


@contextmanager
def title_kept() -> Iterator[None]:
    """What the terminal's title was comes back afterwards."""
    out = sys.__stdout__
    if out is None or not has_title():
        yield
        return
    out.write(KEPT)
    out.flush()
    try:
        yield
    finally:
        out.write(GIVEN_BACK)
        out.flush()
