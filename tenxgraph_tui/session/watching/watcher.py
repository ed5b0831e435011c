"""Watching folders, and telling which files have other content than before.

The only module that imports watchfiles.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from watchfiles import watch

from tenxgraph_tui.session.watching.fingerprints import Fingerprints
from tenxgraph_tui.session.watching.followed import Followed
from tenxgraph_tui.session.watching.ignoring import Ignoring

OnChange = Callable[[frozenset[Path]], None]
OnNote = Callable[[str], None]

STEP = 25
"""Milliseconds of quiet after which what was heard is looked at."""


class Watcher:
    """Watches the folders of a project in a thread of its own.

    `on_change` is called there with the real paths of followed files whose content is not what it
    was, those that are gone among them; `on_note` with a line about what cannot be watched as it
    should be. Neither may block. A touch, and a save of the same bytes, is no change.
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
        self._known = Fingerprints()
        self._clock = clock
        self._heard: dict[Path, float] = {}
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Take down what the files say now, then begin to watch. Returns when nothing is missed."""
        self._known.look_at(self._followed.files)
        self._thread = threading.Thread(target=self._watch, daemon=True, name="watching")
        self._thread.start()

    def follow(self, followed: Followed, *, since: float | None = None) -> None:
        """Follow other files from now on; any thread may ask.

        What is followed anew and was written after `since` (a reading of the clock, when the run
        began that used it) is reported as changed.
        """
        new = set(followed.files) - set(self._followed.files)
        self._followed = followed
        self._known.look_at(followed.files)
        late = {path for path in new if since is not None and self._heard.get(path, 0.0) > since}
        if late:
            self._on_change(frozenset(late))

    def stop(self, timeout: float = 1.0) -> bool:
        """End the thread; whether it is gone within `timeout` seconds."""
        self._stopping.set()
        if self._thread is None:
            return True
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _watch(self) -> None:
        for batch in watch(
            self._followed.root,
            watch_filter=None,
            step=STEP,
            stop_event=self._stopping,
            raise_interrupt=False,
        ):
            paths = {Path(path) for _, path in batch}
            paths = {path for path in paths if not self._ignoring.ignores(path)}
            self._heard |= dict.fromkeys(paths, self._clock())
            followed = {path for path in paths if self._followed.is_followed(path)}
            if changed := self._known.changed(followed):
                self._on_change(frozenset(changed))
