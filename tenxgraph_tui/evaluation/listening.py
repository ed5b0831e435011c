"""Who is told what becomes of the cases on a watched loop."""

from __future__ import annotations

from typing import Protocol

from tenxgraph_tui.evaluation.heldtime import Hold
from tenxgraph_tui.evaluation.results import CaseKey


class LoopListener(Protocol):
    """Told by the main thread what the watchdog had to do."""

    async def begin(self, generation: int) -> None:
        """On a new loop, before its first case."""

    def patience(self, key: CaseKey) -> float:
        """How long (seconds) `key` may hold the loop."""

    def slow(self, hold: Hold) -> None:
        """The loop has been held for half a second."""

    def blocked(self, key: CaseKey, where: str) -> None:
        """`key` never gave the loop back; it is over."""

    def restarted(self, key: CaseKey, culprit: CaseKey) -> None:
        """`key` starts again on a new loop, because of `culprit`."""

    def lost(self, key: CaseKey, reason: str) -> None:
        """`key` is over, because its loop was left and it cannot start again."""

    def cancelled(self, key: CaseKey) -> None:
        """`key` was cancelled before it had a result."""

    def is_tidying(self) -> bool:
        """Whether cancelled cases have something to do yet that is waited for."""

    def renew(self) -> None:
        """A new loop begins: load the targets afresh."""
