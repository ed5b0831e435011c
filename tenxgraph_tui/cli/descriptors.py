"""The process's own standard streams: kept for us, while agents get others in their place."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, TextIO

STDIN, STDOUT, STDERR = 0, 1, 2
CHUNK = 64 * 1024


def fill_closed() -> None:
    """Put the null device in the place of standard streams that whoever started us has closed.

    The next file that is opened would get their descriptors, and what is printed would go into it.
    """
    for descriptor in (STDIN, STDOUT, STDERR):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free: this one
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            null = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - for as long as we live
            setattr(sys, name, null)


class Lines:
    """The lines that come from a descriptor, read in one thread while others close what they like.

    A buffered file cannot do that: closing it waits until its reader has got something.
    """

    def __init__(self, descriptor: int = STDIN) -> None:
        self._descriptor = os.dup(descriptor)
        self._waiting = b""

    def __iter__(self) -> Iterator[bytes]:
        while line := self.readline():
            yield line

    def readline(self) -> bytes:
        """The next line with its end; b"" when nothing comes any more."""
        while b"\n" not in self._waiting:
            chunk = os.read(self._descriptor, CHUNK)
            if not chunk:
                rest, self._waiting = self._waiting, b""
                return rest
            self._waiting += chunk
        line, _, self._waiting = self._waiting.partition(b"\n")
        return line + b"\n"


class StandardStreams:
    """Copies of descriptors 1 and 2 that stay ours whatever happens to the originals."""

    def __init__(self) -> None:
        self.events: IO[bytes] = os.fdopen(os.dup(STDOUT), "wb")
        self.out = _text(STDOUT, sys.stdout)
        self.err = _text(STDERR, sys.stderr)

    def tell(self, text: str) -> None:
        """A line on our standard error; nobody need be reading it."""
        with suppress(OSError):
            self.err.write(f"{text}\n")

    def close(self) -> None:
        """Flush and close; a reader that has gone away is no error."""
        for stream in (self.events, self.out, self.err):
            with suppress(OSError):
                stream.close()


def _text(descriptor: int, like: TextIO) -> TextIO:
    encoding = getattr(like, "encoding", None) or "utf-8"
    raw = os.fdopen(os.dup(descriptor), "wb")
    return io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace", write_through=True)


class Diversion:
    """Points 0 at the null device and 1 and 2 at a pipe whose text goes to `write`.

    So nothing that C code or a sub-process writes reaches the streams that are ours.
    """

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._saved = [os.dup(descriptor) for descriptor in (STDIN, STDOUT, STDERR)]
        self._end = b"\0tenx-" + os.urandom(16) + b"\0"
        source, sink = os.pipe()
        null = os.open(os.devnull, os.O_RDONLY)
        _flush_python()
        os.dup2(null, STDIN)
        os.dup2(sink, STDOUT)
        os.dup2(sink, STDERR)
        os.close(null)
        self._sink = sink
        self._thread = threading.Thread(target=self._read, args=(source,), daemon=True)
        self._thread.name = "diverted output"
        self._thread.start()

    def undo(self) -> None:
        """Put the originals back; everything written until now has been handed on."""
        _flush_python()
        # A sub-process may keep the pipe open for ever, so its end is marked, not awaited.
        os.write(self._sink, self._end)
        os.close(self._sink)
        for saved, descriptor in zip(self._saved, (STDIN, STDOUT, STDERR), strict=True):
            os.dup2(saved, descriptor)
            os.close(saved)
        self._thread.join()

    def _read(self, source: int) -> None:
        waiting = b""
        with os.fdopen(source, "rb", buffering=0) as pipe:
            while chunk := pipe.read(CHUNK):
                waiting += chunk
                if self._end in waiting:
                    waiting = waiting.partition(self._end)[0]
                    break
                *lines, waiting = waiting.split(b"\n")
                self._hand_on(b"".join(line + b"\n" for line in lines))
                if len(waiting) > CHUNK:
                    self._hand_on(waiting)
                    waiting = b""
        self._hand_on(waiting)

    def _hand_on(self, data: bytes) -> None:
        if data:
            self._write(data.decode("utf-8", "backslashreplace"))


def _flush_python() -> None:
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is None:
            continue
        with suppress(OSError, ValueError):
            stream.flush()
