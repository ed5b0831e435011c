"""What the dashboard says to its worker while it runs, and that it is still there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from tenxgraph_tui.cli.staying import LEAVE
from tenxgraph_tui.cli.verdict import INTERRUPTED
from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.evaluation.runner import Run
from tenxgraph_tui.session.protocol import parse_command

GRACE = 2.0
"""How long (seconds) a worker without a dashboard may take to come to an end."""


class Commands:
    """Reads command lines in a thread of its own; what comes before the run waits for it."""

    def __init__(self, source: Iterable[bytes], complain: Callable[[str], None]) -> None:
        self._source, self._complain = source, complain
        self._lock = threading.RLock()
        self._run: Run | None = None
        self._early: list[CaseKey | None] = []
        threading.Thread(target=self._read, daemon=True, name="commands").start()

    def give_to(self, run: Run) -> None:
        """From now on commands go to `run`."""
        with self._lock:
            self._run = run
            early, self._early = self._early, []
        for key in early:
            run.cancel(key)

    def cancel(self, key: CaseKey | None = None) -> None:
        """Stop one attempt, or everything."""
        with self._lock:
            run = self._run
            if run is None:
                self._early.append(key)
        if run is not None:
            run.cancel(key)

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
