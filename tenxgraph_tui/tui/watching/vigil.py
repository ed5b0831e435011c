"""Watch mode of a dashboard: saves are read and decided upon, and runs follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from textual.app import App

from tenxgraph_tui.evaluation.events import Files
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.session.terms import Terms
from tenxgraph_tui.session.watching.followed import Role
from tenxgraph_tui.session.watching.loop import Ending
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.catalog import CaseId, Catalog
from tenxgraph_tui.tui.conductor import Conductor
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.lines.watched import WatchedFile
from tenxgraph_tui.tui.presets import Preset
from tenxgraph_tui.tui.pump import Fact
from tenxgraph_tui.tui.remembered import Remembered
from tenxgraph_tui.tui.rereading import Reread, Rereader
from tenxgraph_tui.tui.running import RunApp
from tenxgraph_tui.tui.watching.costs import models_asked
from tenxgraph_tui.tui.watching.course import Course
from tenxgraph_tui.tui.watching.news import News
from tenxgraph_tui.tui.watching.question import Answer
from tenxgraph_tui.tui.watching.reading import Reader, Reload
from tenxgraph_tui.tui.watching.saves import MakeWatcher, Save, Saves, real_watcher
from tenxgraph_tui.tui.watching.state import Saved, WatchMode

UNNAMED = "the eval sets"
"""What was saved, where it was noticed only when watch mode began."""


class Vigil:
    """Accompanies the application (see `companions`); all but `Saves` is on the interface's thread.

    A run that may cost more than `above` dollars is asked for first. `reload` reads the settings
    once more, `make` the watcher of files. `announce` is called with
    the news of every run that a save started.
    """

    def __init__(
        self,
        desk: Desk,
        conductor: Conductor,
        rereader: Rereader,
        settings: Loaded,
        remembered: Remembered,
        *,
        clock: Callable[[], float],
        above: float | None = 0.0,
        reload: Reload | None = None,
        make: MakeWatcher = real_watcher,
        announce: Callable[[News], object] = lambda _: None,
    ) -> None:
        self._desk, self._remembered, self._clock = desk, remembered, clock
        self._course = Course(desk, conductor, clock, announce=announce, above=above)
        reader = Reader(reload or (lambda: settings))
        self._saves = Saves(desk, rereader, reader, tell=self._tell, note=self._note, make=make)
        self._saves.recall(remembered.used)
        self._app: RunApp | None = None
        self._wanted = _is_wanted(settings, remembered)
        self._preset: Preset | None = None
        self._known_problems: frozenset[str] = frozenset()

    @property
    def is_on(self) -> bool:
        return self._desk.watch.is_on

    def begin(self, app: App[Any]) -> None:
        assert isinstance(app, RunApp)
        self._app = app
        app.changed.subscribe(app, lambda _: self._look(), immediate=True)
        app.call_after_refresh(self._begin_if_wanted)

    def tick(self, app: App[Any]) -> None:  # noqa: ARG002 - nothing is drawn here
        self._begin_if_wanted()

    def end(self, app: App[Any]) -> None:  # noqa: ARG002 - nothing is drawn here
        self._saves.end()

    def _begin_if_wanted(self) -> None:
        """As soon as the eval sets are read that the first frame did not wait for."""
        if self._wanted and not self._desk.files_to_come:
            self._wanted = False
            self._switch_on()

    def switch(self) -> None:
        """Watch, or do not watch any more, in this session and the next."""
        self._wanted = False
        if self.is_on:
            self._saves.end()
            watch = self._desk.watch
            watch.mode, watch.question, watch.note = WatchMode.OFF, None, ""
        else:
            self._switch_on()
        self._remembered.watch = self.is_on
        self._publish()

    def _switch_on(self) -> None:
        self._desk.watch.mode = WatchMode.WATCHING
        self._known_problems = frozenset(
            file.problem for file in self._desk.catalog.files if file.problem
        )
        self._course.begin()
        self._saves.begin()
        self._publish()

    def run(self, only: Iterable[CaseId] | None) -> None:
        """The user asks for a run."""
        self._course.wanted(only)
        self._publish()

    def answer(self, answer: Answer) -> None:
        """The user says what is to become of the run that was asked about."""
        self._course.answer(answer)
        self._publish()

    def hear(self, facts: Iterable[Fact]) -> None:
        """Follow the files that a run told of."""
        for fact in facts:
            if isinstance(fact, Files):
                self._saves.used(fact.paths, fact.written, self._course.began_at or None)
                self._remembered.used = self._saves.followed.used

    def files(self) -> list[WatchedFile]:
        """The files that are followed, those that were saved last on top."""
        if not self.is_on:
            return []
        followed, saves = self._saves.followed, self._desk.watch.saves
        files = dict.fromkeys((followed.root / name for name in saves), Role.CODE)
        files |= followed.files
        found = [
            WatchedFile(name := followed.shown(path), str(path), role, saves.get(name))
            for path, role in sorted(files.items())
            if path.exists() or followed.shown(path) in saves
        ]
        return sorted(found, key=lambda one: -(one.saved.at if one.saved is not None else 0.0))

    def _look(self) -> None:
        if self._preset is not self._desk.choices.preset:
            self._preset = self._desk.choices.preset
            self._saves.chose()
        if not self.is_on:
            return
        ending = self._course.look()
        if ending is not None:
            self._saves.ran(is_complete=ending is not Ending.FAILED)

    def _tell(self, save: Save) -> None:
        """In the thread that read the files: prices are read there too."""
        judges = self._desk.choices.judges
        judges.look_up(judges.unpriced(models_asked(self._desk)))
        if self._app is not None:
            self._app.call_later(self._take, save)

    def _note(self, told: str) -> None:
        if self._app is not None:
            self._app.call_later(self._take_note, told)

    def _take_note(self, told: str) -> None:
        self._desk.watch.note = told
        if self._app is not None:
            toasts.warn(self._app, "Watching is limited", told)

    def _take(self, save: Save) -> None:
        """Files were saved, and read again since."""
        if not self.is_on:
            return
        desk, watch = self._desk, self._desk.watch
        self._reread(save.found)
        if save.settings is not None:
            desk.choices.terms = Terms.of(save.settings, judge_cache=True)
        decision = self._saves.decide(save)
        names = tuple(self._saves.followed.shown(path) for path in sorted(save.paths))
        saved = Saved(names or (UNNAMED,), self._clock(), decision.reason)
        watch.saves.update(dict.fromkeys(names, saved))
        problems = frozenset(decision.problems)
        watch.problems = tuple(
            one
            for one in decision.problems
            if one not in self._known_problems or one in watch.problems
        )
        self._known_problems = problems
        if decision.rerun is not None:
            self._course.saved(saved, decision.rerun)
            self._tell_that_it_asks()
        self._publish()

    def _tell_that_it_asks(self) -> None:
        """Where the sheet that asks is out of sight."""
        question, app = self._desk.watch.question, self._app
        if question is not None and app is not None and len(app.screen_stack) > 1:
            cases = plural(question.cost.cases, "case")
            toasts.said(app, "Armed", f"Rerun {cases}? Go back to the cases to decide.")

    def _reread(self, found: Reread) -> None:
        desk = self._desk
        if found.reading is None:
            if self._app is not None:
                toasts.warn(self._app, "Not read again", found.problem)
        elif _is_other(desk.catalog, found.reading.catalog):
            desk.reread(found.reading.catalog, found.reading.presets)

    def _publish(self) -> None:
        if self._app is not None:
            self._app.changed.publish(None)
            self._app.refresh_bindings()


def _is_other(before: Catalog, now: Catalog) -> bool:
    """Whether any file was read anew: those that are as they were are the same objects."""
    return len(before.files) != len(now.files) or any(
        old is not new for old, new in zip(before.files, now.files, strict=True)
    )


def _is_wanted(settings: Loaded, remembered: Remembered) -> bool:
    """What is said at the start is stronger than what was chosen last time, a file is weaker."""
    said = settings.values.watch
    if settings.is_said_now("watch") or remembered.watch is None:
        return bool(said)
    return remembered.watch
