"""Ctrl+C: the first stops the run in good order, the second leaves at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, NoReturn, Self

from tenxgraph_tui.cli.verdict import INTERRUPTED

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """While it is entered, on the main thread, SIGINT and SIGTERM end the run it is told of.

    `say` and `leave` are called from a signal handler: they must not wait for a lock.
    """

    def __init__(
        self, say: Callable[[str], None], leave: Callable[[int], NoReturn] = os._exit
    ) -> None:
        self._say, self._leave = say, leave
        self._cancel: Callable[[], None] | None = None
        self._before: dict[signal.Signals, Any] = {}
        self._process = os.getpid()
        self.happened = False

    def cancels(self, cancel: Callable[[], None]) -> None:
        """From now on there is something to cancel; before, a signal just ends the command."""
        self._cancel = cancel

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = {each: signal.signal(each, self._handle) for each in SIGNALS}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._give_back()

    def _give_back(self) -> None:
        for each, handler in self._before.items():
            signal.signal(each, handler)

    def _handle(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - signal's interface
        if os.getpid() != self._process:
            # A process that an agent forked (a pool's, say) must end as it would without us.
            self._give_back()
            os.kill(os.getpid(), number)
            return
        if self._cancel is None:
            raise KeyboardInterrupt
        if self.happened:
            self._leave(INTERRUPTED)
        self.happened = True
        self._say("stopping... (again to leave at once)\n")
        self._cancel()
