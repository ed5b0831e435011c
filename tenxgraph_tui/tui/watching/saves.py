"""Notices that files of the project were saved, and reads again what is in them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from tenxgraph_tui.evaluation.presets import PRESETS
from tenxgraph_tui.session.watching.contents import Contents
from tenxgraph_tui.session.watching.decision import Decision, decide
from tenxgraph_tui.session.watching.followed import Followed
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.settings.layers import OTHER_PROGRAMS, OWN_FILE, SHARED_FILE
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.rereading import Reread, Rereader
from tenxgraph_tui.tui.watching.costs import models_asked
from tenxgraph_tui.tui.watching.reading import Reader

SETTINGS_FILES = (OWN_FILE, SHARED_FILE, *OTHER_PROGRAMS)
NOTHING: frozenset[Path] = frozenset()
OnChange = Callable[[frozenset[Path]], None]
OnNote = Callable[[str], None]


class FileWatcher(Protocol):
    """What `session.watching.watcher.Watcher` is, or a test's."""

    def start(self, *, since: float | None = None) -> None: ...

    def follow(self, followed: Followed, *, since: float | None = None) -> None: ...

    def stop(self) -> bool: ...


MakeWatcher = Callable[[Followed, OnChange, OnNote], FileWatcher]


def real_watcher(followed: Followed, on_change: OnChange, on_note: OnNote) -> FileWatcher:
    """Watches the file system."""
    # the first frame does not wait for watchfiles
    from tenxgraph_tui.session.watching.watcher import Watcher

    return Watcher(followed, on_change, on_note)


@dataclass(frozen=True, slots=True)
class Save:
    """What was saved, by its real paths, and what the files of the project say since.

    `settings` None where they cannot be read now.
    """

    paths: frozenset[Path]
    found: Reread
    contents: Contents
    settings: Loaded | None


class Saves:
    """Called from the interface's thread; `tell` and `note` are called from others.

    `tell` gets every save, in the order in which they happened; `decide` says what follows. Prices
    are known then: looking them up takes as long as reading files.
    """

    def __init__(
        self,
        desk: Desk,
        rereader: Rereader,
        reader: Reader,
        *,
        tell: Callable[[Save], object],
        note: OnNote,
        make: MakeWatcher = real_watcher,
    ) -> None:
        self._desk, self._rereader, self._reader = desk, rereader, reader
        self._tell, self._note, self._make = tell, note, make
        self._lock = threading.Lock()
        self._turn: object = None
        self._watcher: FileWatcher | None = None
        self._contents = Contents()
        self.followed = Followed(desk.root.resolve())

    @property
    def is_on(self) -> bool:
        return self._turn is not None

    def begin(self) -> None:
        """Watch from now on. What was written since the files were read last is noticed too."""
        turn, since = object(), time.time()
        self._turn = turn
        catalog = self._desk.catalog

        def prepare() -> None:
            contents, _ = self._reader.contents(catalog)
            with self._lock:
                if self._turn is not turn:
                    return
                self._contents = contents
                self.followed = self._with_sets(contents)
                watcher = self._watcher = self._make(self.followed, self._changed, self._note)
            watcher.start(since=since)  # nothing that is read tells that code was saved meanwhile
            self._changed(NOTHING)

        threading.Thread(target=prepare, daemon=True, name="watch begins").start()

    def end(self) -> None:
        """Notice nothing any more."""
        with self._lock:
            watcher, self._watcher, self._turn = self._watcher, None, None
        if watcher is not None:
            watcher.stop()

    def recall(self, used: Iterable[str]) -> None:
        """An earlier session knew that runs use these."""
        self._follow(self.followed.recalled(used))

    def used(
        self, paths: Iterable[str], written: Iterable[str] = (), since: float | None = None
    ) -> None:
        """A run told what it read and wrote; `since` (Unix seconds) is when it was asked for."""
        self._follow(self.followed.with_used(paths, written), since)

    def ran(self, *, is_complete: bool) -> None:
        """A run is over; `is_complete` when it could load its target, and so told all it used."""
        self._follow(self.followed.completed(is_complete=is_complete))

    def chose(self) -> None:
        """Another preset is in use, and so perhaps another config file."""
        self._follow(self._with_sets(self._contents))

    def decide(self, save: Save) -> Decision:
        """What follows from a save, on the ground of what the files said before it."""
        before, self._contents = self._contents, save.contents.over(self._contents)
        decision = decide(before, save.contents, save.paths, self.followed)
        self._follow(self._with_sets(self._contents))
        return decision

    def _with_sets(self, contents: Contents) -> Followed:
        root, choices = self._desk.root, self._desk.choices
        settings = [root / name for name in SETTINGS_FILES]
        if choices.terms.env_file is not None:
            settings.append(Path(choices.terms.env_file))
        configs = [choices.preset, *choices.preset.parts]
        used = [Path(str(one.value)) for one in configs if one.value not in (None, *PRESETS)]
        standing = choices.terms.fallbacks.config
        if standing is not None and standing not in PRESETS:
            used.append(Path(standing))
        return self.followed.with_sets(contents, used, settings)

    def _follow(self, followed: Followed, since: float | None = None) -> None:
        if followed == self.followed:
            return
        self.followed = followed
        if (watcher := self._watcher) is not None:
            # what is new is hashed, which may take a while
            work = partial(watcher.follow, followed, since=since)
            threading.Thread(target=work, daemon=True, name="following").start()

    def _changed(self, paths: frozenset[Path]) -> None:
        self._rereader.start(lambda found: self._read(paths, found))

    def _read(self, paths: frozenset[Path], found: Reread) -> None:
        catalog = found.reading.catalog if found.reading is not None else self._desk.catalog
        contents, settings = self._reader.contents(catalog)
        if self._turn is None:
            return
        judges = self._desk.choices.judges
        judges.look_up(judges.unpriced(models_asked(self._desk)))
        if self._turn is not None:
            self._tell(Save(paths, found, contents, settings))
