"""The files of a project are read again while the dashboard is open: in a thread, and told of."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.evaluation.formats.module_paths import CONFEVAL
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.tui.catalog import Catalog, SetFile
from tenxgraph_tui.tui.presets import Preset


@dataclass(frozen=True, slots=True)
class Reading:
    """What the files said when they were read: what there is to run, and what can be checked."""

    catalog: Catalog
    presets: tuple[Preset, ...]


@dataclass(frozen=True, slots=True)
class Reread:
    """What came of it: `reading` is None where `problem` says why nothing could be read."""

    reading: Reading | None
    problem: str = ""


class Rereader:
    """Reads in a thread of its own, one at a time; `tell` is called from there.

    What is asked for while it reads is one more reading, since files may have changed behind it.
    """

    def __init__(
        self, read: Callable[[], Catalog], entries_for: Callable[[Catalog], tuple[Preset, ...]]
    ) -> None:
        self._read, self._entries_for = read, entries_for
        self._lock = threading.Lock()
        self._waiting: list[Callable[[Reread], object]] = []
        self._is_reading = False

    def start(self, tell: Callable[[Reread], object]) -> None:
        """Read once more, and tell what came of it."""
        with self._lock:
            self._waiting.append(tell)
            if self._is_reading:
                return
            self._is_reading = True
        threading.Thread(target=self._go_on, daemon=True, name="rereading").start()

    def _go_on(self) -> None:
        while True:
            with self._lock:
                told, self._waiting = self._waiting, []
                if not told:
                    self._is_reading = False
                    return
            try:
                catalog = self._read()
                found = Reread(Reading(catalog, self._entries_for(catalog)))
            except TenxError as error:
                found = Reread(None, str(error))
            except OSError as error:
                found = Reread(None, f"the files cannot be read: {error.strerror or error}")
            for tell in told:
                tell(found)


BROKEN, MENDED = ("file", "cannot be read"), ("file", "can be read again")
STILL_BROKEN = ("file", "still cannot be read")
NEW, CHANGED, GONE = ("case", "new"), ("case", "changed"), ("case", "gone")
FILE_NEW, FILE_CHANGED, FILE_GONE = ("file", "new"), ("file", "changed"), ("file", "gone")
ORDER = (
    *(BROKEN, STILL_BROKEN, MENDED),
    *(NEW, CHANGED, GONE),
    *(FILE_NEW, FILE_CHANGED, FILE_GONE),
)


def changes(before: Catalog, after: Catalog) -> str:
    """What is different, in a few words; "" if nothing is."""
    old = {file.path: file for file in before.files}
    new = {file.path: file for file in after.files}
    counted: Counter[tuple[str, str]] = Counter()
    for path in {**old, **new}:
        counted.update(_between(old.get(path), new.get(path)))
    said = [f"{plural(counted[word], word[0])} {word[1]}" for word in ORDER if counted[word]]
    return ", ".join(said)


def _between(was: SetFile | None, now: SetFile | None) -> dict[tuple[str, str], int]:
    """What became of one file."""
    if now is None:
        return _gone(was)
    if now.problem:
        if was is None or not was.problem:
            return {BROKEN: 1}
        return {STILL_BROKEN: 1} if was.problem != now.problem else {}
    if was is None:
        return _size(now, NEW, FILE_NEW)
    if was.problem:
        return {MENDED: 1}
    earlier, later = ({case.eval_id for case in file.cases} for file in (was, now))
    found = {
        NEW: len(later - earlier),
        CHANGED: now.packed.differing(was.packed),
        GONE: len(earlier - later),
    }
    is_same = was == now and (was.near == now.near or _was_unread(was))
    return found if any(found.values()) or is_same else {FILE_CHANGED: 1}


def _was_unread(file: SetFile) -> bool:
    """Whether nobody knew what is above the file: to know it now is no change."""
    return file.near is not None and file.near.is_unread


def _gone(was: SetFile | None) -> dict[tuple[str, str], int]:
    """A `confeval.py` is listed only as long as it is wrong."""
    is_mended = was is not None and Path(was.path).name == CONFEVAL
    return {MENDED: 1} if is_mended else _size(was, GONE, FILE_GONE)


def _size(
    file: SetFile | None, cases: tuple[str, str], none: tuple[str, str]
) -> dict[tuple[str, str], int]:
    """A whole file in cases, or as a file where it has none."""
    return {cases: len(file.cases)} if file is not None and file.cases else {none: 1}
