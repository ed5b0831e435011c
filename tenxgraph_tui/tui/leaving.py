"""The dashboard leaves when it is told to, and when nobody can see it any more.

The system tells that a terminal is gone to the processes that it controls, by SIGHUP. In any other
the thread that Textual reads keys in would read the end of its input over and over.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Callable
from enum import Enum
from queue import Empty, SimpleQueue
from types import FrameType, TracebackType
from typing import Any, Protocol, Self

from textual.app import App

INTERRUPTED = 130
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
LOOK = 0.25
"""Seconds between two looks at whether anybody is there: they cost microseconds."""

PATIENCE = 10.0
"""Seconds to end in good order, with a terminal to give back, and choices to save."""

ALONE = 1.0
"""The same where nobody waits. Workers end by themselves: they see the end of their input."""


class Told(Enum):
    """What the thread that waits can be told."""

    NOTHING = 0
    TO_LEAVE = 1
    HAS_ENDED = 2


class Audience(Protocol):
    """Who could see the dashboard."""

    def is_there(self) -> bool: ...

    def has_hung_up(self) -> bool:
        """Whether there is no terminal any more either, to give back as it was."""


class Onlookers:
    """A terminal, or a server in the place of one, and the process that started us."""

    def __init__(self, terminal: int = 0) -> None:
        self._parent = os.getppid()
        self._poll = select.poll() if hasattr(select, "poll") else None
        if self._poll is not None:
            self._poll.register(terminal, 0)

    def is_there(self) -> bool:
        return os.getppid() == self._parent and not self.has_hung_up()

    def has_hung_up(self) -> bool:
        told = self._poll.poll(0) if self._poll is not None else []
        return any(what & select.POLLHUP for _, what in told)


class Leaving:
    """While it is entered, on the main thread, the application quits when it should.

    `leave` ends the process where the application does not end in time.
    """

    def __init__(
        self,
        app: App[Any],
        audience: Audience | None = None,
        leave: Callable[[int], object] = os._exit,
    ) -> None:
        self._app, self._leave = app, leave
        self._audience = audience or Onlookers()
        self._told: SimpleQueue[Told] = SimpleQueue()
        self._thread = threading.Thread(target=self._wait, daemon=True, name="leaving")
        self._before: dict[signal.Signals, Any] = {}
        self.code = 0
        """130 once it was told to leave, or was left alone."""

    def __enter__(self) -> Self:
        signals = (getattr(signal, name, None) for name in SIGNALS)
        self._before = {each: signal.signal(each, self._ask) for each in signals if each}
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._told.put(Told.HAS_ENDED)
        self._thread.join()
        for each, handler in self._before.items():
            signal.signal(each, handler)

    def _ask(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - signal's interface
        self._told.put(Told.TO_LEAVE)  # the only queue that a signal handler may use

    def _wait(self) -> None:
        told = Told.NOTHING
        while told is Told.NOTHING and self._audience.is_there():
            told = self._listen()
        if told is Told.HAS_ENDED:
            return
        self.code = INTERRUPTED
        self._app.call_later(self._app.action_quit)
        if not self._ends_in_time():
            self._leave(INTERRUPTED)

    def _ends_in_time(self) -> bool:
        latest, has_let_go = time.monotonic() + PATIENCE, False
        while time.monotonic() < latest:
            if not has_let_go and self._audience.has_hung_up():
                has_let_go = True
                let_go()
                latest = time.monotonic() + ALONE
            if self._listen() is Told.HAS_ENDED:
                return True
        return False

    def _listen(self) -> Told:
        try:
            return self._told.get(timeout=LOOK)
        except Empty:
            return Told.NOTHING


def let_go() -> None:
    """From now on the process reads and writes nothing: what is left of it may be told to nobody.

    A thread that fails to write to a terminal leaves those that wait for it waiting for ever.
    """
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.close(null)
