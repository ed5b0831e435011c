"""What watch mode makes known of a save: on the desk, and as a toast where it is not seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from textual.app import App

from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.session.terms import Terms
from tenxgraph_tui.session.watching.decision import Decision
from tenxgraph_tui.session.watching.followed import Followed, Role
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.lines.watched import WatchedFile
from tenxgraph_tui.tui.rereading import Reread
from tenxgraph_tui.tui.watching.saves import Save
from tenxgraph_tui.tui.watching.state import Saved

UNNAMED = "the eval sets"
"""What was saved, where it was noticed only when watch mode began."""


class Bulletin:
    """On the interface's thread. A file that was wrong before anybody watched is no news."""

    def __init__(self, desk: Desk, clock: Callable[[], float]) -> None:
        self._desk, self._clock = desk, clock
        self._app: App[Any] | None = None
        self._known_problems: frozenset[str] = frozenset()

    def attach(self, app: App[Any]) -> None:
        """Toasts are shown there."""
        self._app = app

    def begin(self) -> None:
        """Watch mode begins."""
        files = self._desk.catalog.files
        self._known_problems = frozenset(file.problem for file in files if file.problem)

    def limited(self, told: str) -> None:
        """Not everything can be watched."""
        self._desk.watch.note = told
        if self._app is not None:
            toasts.warn(self._app, "Watching is limited", told)

    def knows_nothing(self) -> None:
        """No run has told yet which files agents read."""
        if self._app is not None:
            told = f"{word('run.start')} once: until then only eval sets and .py files are watched."
            toasts.said(self._app, "What the agent reads is not known yet", told)

    def take_in(self, save: Save) -> None:
        """From now on the desk has what the files say since."""
        desk, reading = self._desk, save.found.reading
        if reading is None:
            self._tell_problem(save.found)
        elif _is_other(desk.catalog, reading.catalog):
            desk.reread(reading.catalog, reading.presets)
        if save.settings is not None:
            desk.choices.terms = Terms.of(save.settings, judge_cache=True)

    def _tell_problem(self, found: Reread) -> None:
        if self._app is not None:
            toasts.warn(self._app, "Not read again", found.problem)

    def tell(self, save: Save, decision: Decision, followed: Followed) -> Saved:
        """What was saved, and what is wrong in it."""
        watch = self._desk.watch
        names = tuple(followed.shown(path) for path in sorted(save.paths))
        saved = Saved(names or (UNNAMED,), self._clock(), decision.reason)
        watch.saves.update(dict.fromkeys(names, saved))
        watch.problems = tuple(
            one
            for one in decision.problems
            if one not in self._known_problems or one in watch.problems
        )
        self._known_problems = frozenset(decision.problems)
        return saved

    def tell_that_it_asks(self) -> None:
        """Where the sheet that asks is out of sight."""
        question, app = self._desk.watch.question, self._app
        if question is not None and app is not None and len(app.screen_stack) > 1:
            cases = plural(question.cost.cases, "case")
            toasts.said(app, "Armed", f"Rerun {cases}? Go back to the cases to decide.")


def files_of(followed: Followed, saves: Mapping[str, Saved]) -> list[WatchedFile]:
    """The files that are followed, those that were saved last on top."""
    files = dict.fromkeys((followed.root / name for name in saves), Role.CODE)
    files |= followed.files
    found = [
        WatchedFile(name := followed.shown(path), str(path), role, saves.get(name))
        for path, role in sorted(files.items())
        if path.exists() or followed.shown(path) in saves
    ]
    return sorted(found, key=lambda one: -(one.saved.at if one.saved is not None else 0.0))


def _is_other(before: Catalog, now: Catalog) -> bool:
    """Whether any file was read anew: those that are as they were are the same objects."""
    return len(before.files) != len(now.files) or any(
        old is not new for old, new in zip(before.files, now.files, strict=True)
    )
