"""Watching folders, and telling which files have other content than before.

The only module that imports watchfiles.
"""

from __future__ import annotations

import logging
import os
import platform
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import watchfiles

from tenxgraph_tui.evaluation.paths import real
from tenxgraph_tui.session.files import Stamp, stamp_of
from tenxgraph_tui.session.watching.fingerprints import Fingerprints
from tenxgraph_tui.session.watching.followed import Followed
from tenxgraph_tui.session.watching.ground import Ground, matters
from tenxgraph_tui.session.watching.ignoring import Ignoring
from tenxgraph_tui.session.watching.places import identity, written_after
from tenxgraph_tui.session.watching.settling import Settling

log = logging.getLogger(__name__)

OnChange = Callable[[frozenset[Path]], None]
OnNote = Callable[[str], None]
Batches = Iterator[set[tuple[watchfiles.Change, str]]]

STEP = 20
"""Milliseconds after which the system is asked again what happened, and whether to stop."""
POLL = 0.3
"""Seconds until files are looked at again where the system does not tell of them."""
SHARE = 0.1
"""The part of the time that looking at them may take."""
AGAIN = 0.2
"""Seconds until folders are looked for again that went away just when they were to be watched."""


class Watcher:
    """Watches the folders of a project in a thread of its own.

    `on_change` is called there with the real paths of followed files whose content is not what it
    was, those that are gone among them; `on_note` with a line about what cannot be watched as it
    should be. Neither may block. A touch, and a save of the same bytes, is no change; several
    steps of one save are one.
    """

    def __init__(
        self,
        followed: Followed,
        on_change: OnChange,
        on_note: OnNote,
        *,
        ignoring: Ignoring | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._followed, self._on_change, self._on_note = followed, on_change, on_note
        self._ignoring = ignoring or Ignoring(followed.root)
        self._clock = clock
        self._known, self._settling = Fingerprints(), Settling()
        self._changing = threading.RLock()
        self._late: set[Path] = set()
        self._folders: frozenset[Path] = frozenset()
        self._renew, self._over = threading.Event(), threading.Event()
        self._polls = must_poll(followed.root, os.environ)
        self._said: set[str] = set()
        self._thread: threading.Thread | None = None

    def start(self, *, since: float | None = None) -> None:
        """Begin to watch: nothing that is written from now on is missed.

        What was written after `since` (Unix seconds) and before is reported as changed too, be it
        known or not yet.
        """
        stamps = {path: stamp_of(path) for path in self._ground().files}
        if since is not None:
            self._late |= written_after(since, stamps)
        self._thread = threading.Thread(
            target=self._begin, args=(stamps,), daemon=True, name="watching"
        )
        self._thread.start()

    def follow(self, followed: Followed, *, since: float | None = None) -> None:
        """Follow other files from now on; any thread may ask.

        Of those that are new to it, what was written after `since` is reported as changed: the
        time (Unix seconds) when the run was asked for that used them, and may have read them
        before.
        """
        with self._changing:
            new = followed.files.keys() - self._followed.files.keys()
            unseen = {path for path in new if path not in self._known}
            self._known.look_at(unseen)
            if since is not None:
                self._late |= written_after(since, unseen)
            self._followed = followed
            if not followed.folders <= self._folders:
                self._renew.set()

    def stop(self, timeout: float = 1.0) -> bool:
        """End the thread; whether it is gone within `timeout` seconds."""
        self._over.set()
        self._renew.set()
        if self._thread is None:
            return True
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _begin(self, stamps: Mapping[Path, Stamp | None]) -> None:
        with self._changing:
            self._late |= self._known.look_at_since(stamps)
        self._watch()

    def _watch(self) -> None:
        while not self._over.is_set():
            self._renew.clear()
            if self._over.is_set():  # `stop` came between the two, and its signal is gone
                return
            ground = self._ground()
            self._folders = ground.folders
            if ground.is_too_large:
                self._note(
                    f"{self._followed.root} has too many folders to watch: only those of known "
                    "files are, so new eval sets are found when they are looked for"
                )
            if self._polls:
                self._poll(ground)
                continue
            try:
                self._hear()
            except FileNotFoundError:
                self._over.wait(AGAIN)
                self._report()
            except Exception as error:  # noqa: BLE001 - the library has errors of several kinds
                self._fall_back(error)

    def _hear(self) -> None:
        """Watch the folders until there are others."""
        is_new, root = True, identity(self._followed.root)
        for batch in self._batches():
            if identity(self._followed.root) != root:  # no folder above it is watched
                self._renew.set()
            if is_new:  # what happened before the folders were watched was not heard
                is_new = False
                ground = self._ground()
                unheard = _unheard(ground, self._known, self._followed, self._ignoring)
                self._settling.hear(unheard, self._clock())
                if not ground.folders <= self._folders:
                    self._renew.set()
            self._take(Path(path) for _, path in batch)
            self._report()

    def _ground(self) -> Ground:
        with self._changing:
            return Ground.of(self._followed, self._ignoring)

    def _poll(self, ground: Ground) -> None:
        """Look at the files again and again.

        That of the library compares times in whole seconds, and so misses a save soon after one.
        """
        heard = _unheard(ground, self._known, self._followed, self._ignoring)
        stamps = {path: stamp_of(path) for path in ground.files}
        pause = POLL
        while not self._over.wait(pause):
            began = self._clock()
            ground = self._ground()
            before, stamps = stamps, {path: stamp_of(path) for path in ground.files}
            heard |= {path for path, _ in before.items() ^ stamps.items()}
            self._settling.hear(heard, began)
            heard = set()
            self._report()
            pause = max(POLL, (self._clock() - began) / SHARE)

    def _batches(self) -> Batches:
        return watchfiles.watch(
            *sorted(self._folders),
            watch_filter=None,
            step=STEP,
            rust_timeout=STEP,
            yield_on_timeout=True,
            stop_event=self._renew,
            raise_interrupt=False,
            force_polling=False,
            recursive=False,
            ignore_permission_denied=True,
        )

    def _take(self, paths: Iterable[Path]) -> None:
        heard: set[Path] = set()
        followed, ignoring = self._followed, self._ignoring
        for path in paths:
            if path in self._folders and not path.is_dir():
                heard |= self._known.below(path)
                self._renew.set()
            elif path not in self._folders and self._is_new_folder(path):
                self._renew.set()
            else:
                heard |= {one for one in {path, real(path)} if matters(one, followed, ignoring)}
        self._settling.hear(heard, self._clock())

    def _is_new_folder(self, path: Path) -> bool:
        return path.is_dir() and not path.is_symlink() and not self._ignoring.ignores_folder(path)

    def _report(self) -> None:
        now = self._clock()
        with self._changing:
            late, self._late = self._late, set()
            changed = self._known.changed(self._settling.take(now)) | late
        if not changed:
            return
        self._settling.reported(now)
        try:
            self._on_change(frozenset(changed))
        except Exception:
            log.exception("a change was not taken")

    def _fall_back(self, error: Exception) -> None:
        self._polls = True
        self._note(f"the system cannot watch the files ({error}): they are looked at every 0.3 s")

    def _note(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self._on_note(text)


def _unheard(
    ground: Ground, known: Fingerprints, followed: Followed, ignoring: Ignoring
) -> set[Path]:
    """What may have changed while nobody told of it; a file that is gone is on no ground."""
    gone = {path for path in known.gone() if matters(path, followed, ignoring)}
    return known.suspicious(ground.files) | gone


def must_poll(root: Path, environ: Mapping[str, str]) -> bool:
    """Whether the system does not tell of changes, or somebody says that it does not.

    `WATCHFILES_FORCE_POLLING` is read as watchfiles reads it; Windows tells WSL nothing of its
    disks.
    """
    if said := environ.get("WATCHFILES_FORCE_POLLING"):
        return said.lower() not in {"false", "disable", "disabled"}
    return "microsoft" in platform.release().lower() and root.is_relative_to("/mnt")
