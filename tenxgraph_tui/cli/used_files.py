"""Which files of the project a run imports and reads: what watch mode has to follow."""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tenxgraph_tui.evaluation.events import Files, RunFinished, RunStarted
from tenxgraph_tui.evaluation.formats.module_paths import file_in
from tenxgraph_tui.evaluation.paths import real
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult, ResultSink
from tenxgraph_tui.evaluation.stream import EventStream
from tenxgraph_tui.session.watching.ignoring import Ignoring
from tenxgraph_tui.session.watching.known_files import keep_known

GATHERED = 0.02
"""Seconds after the first file until it is told of, with those that came up meanwhile."""
NO_FILE = "\N{NO-BREAK SPACE}"
"""A name that no file has, to ask about its folder."""

_listening: Callable[[Any, Any, Any], None] | None = None
_is_hooked = False


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    # every audit event of the process comes through here: it must cost next to nothing
    if event == "open" and _listening is not None:
        _listening(*arguments)


class UsedFiles:
    """While it is entered, files below `root` that are opened are told to `stream` as `Files`.

    They are told by their real paths, each once: soon after `tell_from_now_on`, and at the latest
    when it is left; without a stream they are gathered only, for `keep`. A link below `root` counts
    wherever it leads. Nothing in ignored folders is told (see `Ignoring`).
    """

    def __init__(self, root: Path, stream: EventStream | None = None) -> None:
        self._stream = stream
        self._root, self._real_root = os.path.abspath(root), real(root)  # noqa: PTH100 - a link
        self._ignoring = Ignoring(self._real_root)
        self._opened: dict[tuple[str, bool], None] = {}
        self._seen: set[tuple[str, bool]] = set()
        self._told: set[tuple[Path, bool]] = set()
        self._elsewhere: dict[str, bool] = {}
        self._telling = threading.Lock()
        self._has_news, self._is_over = threading.Event(), threading.Event()

    def __enter__(self) -> Self:
        global _is_hooked, _listening  # noqa: PLW0603 - a hook of the process, which stays
        if not _is_hooked:
            sys.addaudithook(_hook)
            _is_hooked = True
        _listening = self._hear
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        global _listening  # noqa: PLW0603 - as above
        self.tell()
        _listening = None
        self._is_over.set()
        self._has_news.set()

    def tell_from_now_on(self) -> None:
        """The run has begun: those who hear of files know by now whose they are."""
        threading.Thread(target=self._tell_by_and_by, daemon=True, name="used files").start()

    def tell(self) -> None:
        """Tell what is not told yet, modules that were loaded by other ways among it."""
        modules = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        for file in modules:
            if isinstance(file, str):
                self._note(file, writes=False)
        self._tell_noted()

    def keep(self, folder: Path, sets: Iterable[str]) -> None:
        """Tell what is not told yet, and keep all but the eval `sets` for watch modes to come.

        Which files are eval sets depends on what a session opens. No file is heard of after it:
        those that are opened then are not the agent's.
        """
        global _listening  # noqa: PLW0603 - a hook of the process
        _listening = None
        self.tell()
        files = {real(file_in(path)) for path in sets}
        with self._telling:
            told = [each for each in self._told if each[0] not in files]
        keep_known(folder, self._real_root, _paths(told, False), _paths(told, True))

    def _hear(self, path: Any, mode: Any, flags: Any) -> None:
        """One file is opened, by whatever thread; `mode` is None where the system was asked."""
        if isinstance(path, int):
            return
        writes = bool(flags & (os.O_WRONLY | os.O_RDWR)) if isinstance(flags, int) else False
        if isinstance(mode, str) and not writes:
            writes = any(sign in mode for sign in "wax+")
        try:
            self._note(os.fsdecode(path), writes=writes)
        except (TypeError, ValueError):
            return  # it will not be opened either

    def _note(self, path: str, *, writes: bool) -> None:
        if not os.path.isabs(path):  # noqa: PTH117 - a text, in a hook
            path = os.path.join(os.getcwd(), path)  # noqa: PTH109, PTH118 - as above
        entry = (path, writes)
        if entry in self._seen:
            return
        self._seen.add(entry)
        self._opened[entry] = None
        self._has_news.set()

    def _tell_by_and_by(self) -> None:
        while self._has_news.wait() and not self._is_over.wait(GATHERED):
            self._has_news.clear()
            self._tell_noted()

    def _tell_noted(self) -> None:
        with self._telling:
            noted = list(self._opened)
            for entry in noted:
                del self._opened[entry]
            found = [
                (path, writes)
                for text, writes in noted
                if not (writes and text.endswith(".pyc"))
                and (path := self._of_the_project(text)) is not None
            ]
            new = [each for each in dict.fromkeys(found) if each not in self._told]
            self._told.update(new)
        if new and self._stream is not None:
            self._stream.emit(Files, paths=_paths(new, False), written=_paths(new, True))

    def _of_the_project(self, text: str) -> Path | None:
        """The real path of what was opened; None where it is no file of the project."""
        text = os.path.normpath(text)
        if text.endswith(".pyc"):
            try:
                text = importlib.util.source_from_cache(text)
            except (NotImplementedError, ValueError):
                return None
        folder = os.path.dirname(text)  # noqa: PTH120 - a text, for speed
        if self._is_elsewhere(folder) and not os.path.islink(text):  # noqa: PTH114 - as above
            return None
        place = self._place_of(Path(text))
        return None if place is None or place.is_dir() else place

    def _is_elsewhere(self, folder: str) -> bool:
        """Whether no file of a folder is the project's; packages are many files in few folders."""
        if folder not in self._elsewhere:
            self._elsewhere[folder] = self._place_of(Path(folder, NO_FILE)) is None
        return self._elsewhere[folder]

    def _place_of(self, path: Path) -> Path | None:
        place = real(path)
        is_linked_here = path.is_relative_to(self._root) and not self._is_apart(path)
        is_here = place.is_relative_to(self._real_root)
        if not (is_here or is_linked_here) or self._is_apart(place):
            return None
        return place

    def _is_apart(self, path: Path) -> bool:
        prefixes = (prefix for prefix in {sys.prefix, sys.base_prefix} if prefix != self._root)
        return self._ignoring.is_in_ignored_folder(path) or any(
            path.is_relative_to(prefix) for prefix in prefixes
        )


class UsedFilesSink:
    """A `ResultSink` that lets it be told which files were used before the run's end is.

    `tell` is what does it, and may keep them, too.
    """

    def __init__(self, sink: ResultSink, used: UsedFiles, tell: Callable[[], object]) -> None:
        self._sink, self._used, self._tell = sink, used, tell

    def started(self, event: RunStarted) -> None:
        self._sink.started(event)
        self._used.tell_from_now_on()

    def save(self, key: CaseKey, result: EvalCaseResult) -> None:
        self._sink.save(key, result)

    def finished(self, event: RunFinished) -> None:
        self._tell()
        self._sink.finished(event)


def _paths(found: Iterable[tuple[Path, bool]], writes: bool) -> tuple[str, ...]:
    return tuple(str(path) for path, has_written in found if has_written == writes)
