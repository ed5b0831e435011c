"""Says, once a run was judged again, how far the verdicts are those of the run it came from."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from textual.app import App

from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.session.disagreement import Disagreements
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.running import RunApp


class SecondOpinion:
    """Accompanies the application (see `companions`).

    `compare` gets the ids of the run that is over and of the one whose executions it judged, in a
    thread of its own.
    """

    def __init__(self, desk: Desk, compare: Callable[[str, str], Disagreements]) -> None:
        self._desk, self._compare = desk, compare
        self._was_busy = False

    def begin(self, app: App[Any]) -> None:
        assert isinstance(app, RunApp)
        app.changed.subscribe(app, lambda _: self._look(app), immediate=True)

    def tick(self, app: App[Any]) -> None:
        """Nothing is told by the clock."""

    def end(self, app: App[Any]) -> None:
        """Its thread is a daemon: nobody waits for it."""

    def _look(self, app: App[Any]) -> None:
        was_busy, self._was_busy = self._was_busy, self._desk.is_busy
        state = self._desk.state
        if not was_busy or self._was_busy or state.judged_from is None or state.number is None:
            return
        run_id, other = state.run_id, state.judged_from

        def compare() -> None:
            try:
                told = in_words(self._compare(run_id, other.run_id), f"#{other.number}")
            except TenxError as error:
                told = f"It cannot be compared: {error}"
            app.call_later(toasts.said, app, "Judged again", told)

        threading.Thread(target=compare, name="second opinion", daemon=True).start()


def in_words(found: Disagreements, other: str) -> str:
    """One sentence for any number of verdicts that differ."""
    if not found.cases:
        return f"No case has verdicts in both this run and {other}."
    if not found.found:
        return f"No verdict differs from {other}."
    many = len(found.found)
    differ = "differs" if many == 1 else "differ"
    of = f"in {found.differing} of {plural(found.cases, 'case')}"
    return f"{plural(many, 'verdict')} {differ} from {other}, {of}."
