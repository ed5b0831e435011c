"""Single keys from the terminal, which is given back as it was found, whatever happens."""

from __future__ import annotations

import codecs
import os
import re
import select
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any, Self

from tenxgraph_tui.cli.descriptors import STDIN
from tenxgraph_tui.cli.watching.messages import EOF

SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.)")
"""What arrows and function keys send: none of them means anything here."""
BACKGROUND = 0.3
"""Seconds until it is looked again whether the terminal is ours."""


class Keyboard:
    """While it is entered, on the main thread, `on_key` gets each character that is typed.

    It is called in a thread of ours, and with `EOF` when the terminal is gone; `on_return` in a
    signal handler, when we are in front again after Ctrl+Z. Where standard input is no terminal
    there are no keys. Ctrl+C stays a signal.
    """

    def __init__(
        self, on_key: Callable[[str], None], on_return: Callable[[], None], *, source: int = STDIN
    ) -> None:
        self._on_key, self._on_return, self._source = on_key, on_return, source
        self._before: list[Any] | None = None
        self._handlers: dict[signal.Signals, Any] = {}
        self._wake: tuple[int, int] | None = None
        self._thread: threading.Thread | None = None
        self.is_there = sys.platform != "win32" and os.isatty(source)

    def __enter__(self) -> Self:
        if not self.is_there:
            return self
        import termios

        self._before = termios.tcgetattr(self._source)
        self._take()
        for each, handler in (
            (signal.SIGTSTP, self._suspend),
            (signal.SIGCONT, self._continue),
        ):
            self._handlers[each] = signal.signal(each, handler)
        self._wake = os.pipe()
        self._thread = threading.Thread(target=self._read, daemon=True, name="keys")
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._wake is None or self._thread is None:
            return
        for each, handler in self._handlers.items():
            signal.signal(each, handler)
        self._give_back()
        os.write(self._wake[1], b"x")
        self._thread.join()
        for end in self._wake:
            os.close(end)

    def _take(self) -> None:
        """Have keys come one by one and unseen, if the terminal is ours to change."""
        import termios
        import tty

        with suppress(OSError, termios.error):
            if self._is_in_front():
                tty.setcbreak(self._source)

    def _give_back(self) -> None:
        import termios

        with suppress(OSError, termios.error):
            if self._is_in_front():
                termios.tcsetattr(self._source, termios.TCSADRAIN, self._before or [])

    def _is_in_front(self) -> bool:
        """Whether no shell has sent us to the background: there it would stop us to touch it."""
        try:
            return os.tcgetpgrp(self._source) == os.getpgrp()
        except OSError:
            return True  # nobody controls jobs on it

    def _suspend(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - signal's interface
        self._give_back()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._suspend)

    def _continue(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - signal's interface
        self._take()
        self._on_return()

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        assert self._wake is not None
        woken = self._wake[0]
        while True:
            is_ours = self._is_in_front()
            sources = [woken, self._source] if is_ours else [woken]
            ready, _, _ = select.select(sources, [], [], None if is_ours else BACKGROUND)
            if woken in ready:
                return
            if not ready or not self._is_in_front():
                continue
            try:
                typed = os.read(self._source, 1024)
            except OSError:
                typed = b""
            if not typed:
                self._on_key(EOF)
                return
            for character in SEQUENCE.sub("", decoder.decode(typed)):
                self._on_key(character)
