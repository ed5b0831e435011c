"""Everything that agents print is caught, told apart by case, and handed to viewers and a file."""

from __future__ import annotations

import io
import logging
import os
import sys
import time
import warnings
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TextIO

from tenxgraph_tui.adapters.port import CURRENT
from tenxgraph_tui.cli.descriptors import STDERR, STDOUT, Diversion
from tenxgraph_tui.cli.lines import Line, LineBook
from tenxgraph_tui.cli.logfile import LogFile
from tenxgraph_tui.evaluation.events import Log, RunFinished, RunStarted
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult, ResultSink
from tenxgraph_tui.evaluation.stream import EventStream

OURS = "tenxgraph_tui"
"""What the names of our own loggers begin with."""


def current_case() -> CaseKey | None:
    """The case whose context the calling code runs in."""
    key = getattr(CURRENT.get(), "key", None)
    return key if isinstance(key, CaseKey) else None


class Capture:
    """While it is entered, `print`, `logging`, `warnings` and descriptors 1 and 2 write to it."""

    def __init__(
        self,
        stream: EventStream,
        log_file: LogFile,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream, self._log_file = stream, log_file
        self._process = os.getpid()
        self.book = LineBook(log_file, self._show, clock=clock)

    def __enter__(self) -> Self:
        self._before = (sys.stdin, sys.stdout, sys.stderr)
        self._last_resort = logging.lastResort
        self._warn = warnings.showwarning
        self._diversion = Diversion(lambda text: self.book.write(None, "process", text))
        # Kept here as Python keeps `sys.__stdout__`: who puts a wrapper of his own around
        # `sys.stdout.buffer` lets go of the stream, which would close the buffer under him.
        self._written = [_Written(self, "stdout", STDOUT), _Written(self, "stderr", STDERR)]
        sys.stdout, sys.stderr = self._written
        logging.lastResort = _Records(self)
        warnings.showwarning = self._warning
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        warnings.showwarning = self._warn
        logging.lastResort = self._last_resort
        sys.stdin, sys.stdout, sys.stderr = self._before
        self._diversion.undo()
        self.book.close_all()
        self._log_file.flush()

    def take(self, source: str, text: str) -> None:
        """A piece of text from whoever calls."""
        if not self._is_elsewhere(text):
            self.book.write(current_case(), source, text)

    def take_lines(self, source: str, text: str, level: str) -> None:
        """Whole lines from whoever calls."""
        if not self._is_elsewhere(f"{text}\n"):
            for line in text.splitlines():
                self.book.line(current_case(), source, line, level)

    def _is_elsewhere(self, text: str) -> bool:
        """Whether this is a forked process: what it writes comes to us through the pipe.

        There, locks may be held by threads that it does not have, and events are not its to tell.
        """
        if os.getpid() == self._process:
            return False
        os.write(STDERR, text.encode("utf-8", "backslashreplace"))
        return True

    def _show(self, line: Line) -> None:
        self._stream.emit(
            Log,
            case=line.case,
            source=line.source,
            level=line.level,
            # An event is UTF-8; half a surrogate pair, which print() accepts, is not.
            text=line.text.encode("utf-8", "backslashreplace").decode(),
            dropped=line.dropped,
        )

    def _warning(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if file is not None:
            file.write(warnings.formatwarning(message, category, filename, lineno, line))
            return
        text = f"{filename}:{lineno}: {category.__name__}: {message}"
        self.take_lines("warnings", text, "warning")


class CaptureSink:
    """A `ResultSink` that lets a case's last words out before its result is kept and told."""

    def __init__(self, sink: ResultSink, book: LineBook) -> None:
        self._sink, self._book = sink, book

    def started(self, event: RunStarted) -> None:
        self._sink.started(event)

    def save(self, key: CaseKey, result: EvalCaseResult) -> None:
        self._book.close(key)
        self._sink.save(key, result)

    def finished(self, event: RunFinished) -> None:
        self._book.close_all()
        self._sink.finished(event)


class _Written(io.TextIOWrapper):
    """A `sys.stdout` whose text belongs to the case that writes it.

    It keeps the descriptor of the stream in whose place it stands, for sub-processes.
    """

    def __init__(self, capture: Capture, source: str, descriptor: int) -> None:
        self._capture, self._source, self._descriptor = capture, source, descriptor
        super().__init__(_Bytes(capture, source), encoding="utf-8", errors="backslashreplace")

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._capture.take(self._source, text)
        return len(text)

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return False

    def flush(self) -> None:
        """Nothing is held back here."""


class _Bytes(io.BufferedIOBase):
    """What `sys.stdout.buffer` writes to."""

    name = "<captured>"

    def __init__(self, capture: Capture, source: str) -> None:
        self._capture, self._source = capture, source

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        raw = bytes(data)
        self._capture.take(self._source, raw.decode("utf-8", "backslashreplace"))
        return len(raw)

    def close(self) -> None:
        """Stay open: a wrapper that an agent put around it and forgot closes it."""


class _Records(logging.Handler):
    """Shows the records of whoever did not configure logging, as Python itself would."""

    def __init__(self, capture: Capture) -> None:
        super().__init__(logging.WARNING)
        self._capture = capture

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = self.format(record)
        except Exception:  # noqa: BLE001 - a wrong format string of an agent
            self.handleError(record)
            return
        level = record.levelname.lower()
        if record.name.partition(".")[0] == OURS:
            self._capture.take_lines("tenxgraph", text, level)
        else:
            self._capture.take_lines("logging", f"{record.name}: {text}", level)
