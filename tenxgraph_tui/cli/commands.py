"""What the dashboard says to its worker while it runs, and that it is still there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Protocol

from tenxgraph_tui.cli.staying import LEAVE
from tenxgraph_tui.cli.verdict import INTERRUPTED
from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.session.protocol import parse_command

GRACE = 2.0
"""How long (seconds) a worker without a dashboard may take to come to an end."""


class Cancellable(Protocol):
    """What is under way: a run, or an export."""

    def cancel(self, key: CaseKey | None = None) -> None:
        """Stop one attempt, or everything; returns at once."""


class Commands:
    """Reads command lines in a thread of its own; what comes before the work waits for it."""

    def __init__(self, source: Iterable[bytes], complain: Callable[[str], None]) -> None:
        self._source, self._complain = source, complain
        self._lock = threading.RLock()
        self._work: Cancellable | None = None
        self._early: list[CaseKey | None] = []
        threading.Thread(target=self._read, daemon=True, name="commands").start()

    def give_to(self, work: Cancellable) -> None:
        """From now on commands go to `work`."""
        with self._lock:
            self._work = work
            early, self._early = self._early, []
        for key in early:
            work.cancel(key)

    def cancel(self, key: CaseKey | None = None) -> None:
        """Stop one attempt, or everything."""
        with self._lock:
            work = self._work
            if work is None:
                self._early.append(key)
        if work is not None:
            work.cancel(key)

    def _read(self) -> None:
        for line in self._source:
            self._obey(line)
        self.cancel()
        last = threading.Timer(GRACE, LEAVE, (INTERRUPTED,))
        last.daemon = True
        last.start()

    def _obey(self, line: bytes) -> None:
        try:
            command = parse_command(line)
        except UsageError as error:
            self._complain(str(error))
            return
        if command is not None:
            self.cancel(command.case)
