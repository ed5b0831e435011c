"""Watch mode of a dashboard: saves are read and decided upon, and runs follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from textual.app import App

from tenxgraph_tui.evaluation.events import Files
from tenxgraph_tui.session.watching.loop import Ending
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.tui.catalog import CaseId
from tenxgraph_tui.tui.conductor import Conductor
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.lines.watched import WatchedFile
from tenxgraph_tui.tui.presets import Preset
from tenxgraph_tui.tui.pump import Fact
from tenxgraph_tui.tui.remembered import Remembered
from tenxgraph_tui.tui.rereading import Rereader
from tenxgraph_tui.tui.running import RunApp
from tenxgraph_tui.tui.watching.bulletin import Bulletin, files_of
from tenxgraph_tui.tui.watching.course import Course
from tenxgraph_tui.tui.watching.news import News
from tenxgraph_tui.tui.watching.question import Answer
from tenxgraph_tui.tui.watching.reading import Reader, Reload
from tenxgraph_tui.tui.watching.saves import MakeWatcher, Save, Saves, real_watcher
from tenxgraph_tui.tui.watching.state import WatchMode


class Vigil:
    """Accompanies the application (see `companions`); all but `Saves` is on the interface's thread.

    A run that may cost more than `above` dollars is asked for first. `reload` reads the settings
    once more, `make` the watcher of files. `announce` is called with
    the news of every run that a save started; `known` says what runs used so far.
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
        known: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self._desk, self._remembered, self._known = desk, remembered, known
        self._course = Course(desk, conductor, clock, announce=announce, above=above)
        reader = Reader(reload or (lambda: settings))
        self._bulletin = Bulletin(desk, clock)
        self._saves = Saves(
            desk,
            rereader,
            reader,
            tell=partial(self._later, self._take),
            note=partial(self._later, self._bulletin.limited),
            make=make,
        )
        self._app: RunApp | None = None
        self._wanted = _is_wanted(settings, remembered)
        self._preset: Preset | None = None

    @property
    def is_on(self) -> bool:
        return self._desk.watch.is_on

    def begin(self, app: App[Any]) -> None:
        assert isinstance(app, RunApp)
        self._app = app
        self._bulletin.attach(app)
        app.changed.subscribe(app, lambda _: self._look(), immediate=True)
        app.call_after_refresh(self.tick, app)

    def tick(self, app: App[Any]) -> None:  # noqa: ARG002 - nothing is drawn here
        """Begin as soon as the eval sets are read that the first frame did not wait for."""
        if self._wanted and not self._desk.files_to_come:
            self._wanted = False
            self._switch_on()

    def end(self, app: App[Any]) -> None:  # noqa: ARG002 - nothing is drawn here
        self._saves.end()

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
        self._saves.recall(self._known())
        if not (self._saves.followed.used or self._desk.is_busy):
            self._bulletin.knows_nothing()
        self._bulletin.begin()
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

    def files(self) -> list[WatchedFile]:
        """The files that are followed, those that were saved last on top."""
        if not self.is_on:
            return []
        return files_of(self._saves.followed, self._desk.watch.saves)

    def _look(self) -> None:
        if self._preset is not self._desk.choices.preset:
            self._preset = self._desk.choices.preset
            self._saves.chose()
        if not self.is_on:
            return
        ending = self._course.look()
        if ending is not None:
            self._saves.ran(is_complete=ending is not Ending.FAILED)
            self._desk.watch.lists_all = self._saves.followed.is_complete

    def _later(self, take: Callable[[Any], object], told: object) -> None:
        """In the thread that read the files: hand it over to the interface's."""
        if self._app is not None:
            self._app.call_later(take, told)

    def _take(self, save: Save) -> None:
        """Files were saved, and read again since."""
        if not self.is_on:
            return
        self._bulletin.take_in(save)
        decision = self._saves.decide(save)
        saved = self._bulletin.tell(save, decision, self._saves.followed)
        if decision.rerun is not None:
            self._course.saved(saved, decision.rerun)
            self._bulletin.tell_that_it_asks()
        self._publish()

    def _publish(self) -> None:
        if self._app is not None:
            self._app.changed.publish(None)
            self._app.refresh_bindings()


def _is_wanted(settings: Loaded, remembered: Remembered) -> bool:
    """What is said at the start is stronger than what was chosen last time, a file is weaker."""
    said = settings.values.watch
    if settings.is_said_now("watch") or remembered.watch is None:
        return bool(said)
    return remembered.watch
