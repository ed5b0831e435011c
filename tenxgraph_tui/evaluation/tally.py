"""Counting how the cases of a run ended, for its last event."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tenxgraph_tui.evaluation.events import CaseStatus
from tenxgraph_tui.evaluation.execution import TokenUsage


@dataclass(slots=True)
class Tally:
    """Counts by status, from any thread."""

    usage: TokenUsage = field(default_factory=TokenUsage)
    _by: Counter[CaseStatus] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, status: CaseStatus, usage: TokenUsage | None = None) -> None:
        with self._lock:
            self._by[status] += 1
            if usage is not None:
                self.usage += usage

    @property
    def errors(self) -> int:
        """How many cases errored."""
        return self._by[CaseStatus.ERROR]

    def counts(self) -> dict[str, Any]:
        """The fields of `RunFinished` that count."""
        return {
            "passed": self._by[CaseStatus.PASSED],
            "failed": self._by[CaseStatus.FAILED],
            "errors": self._by[CaseStatus.ERROR],
            "cancelled": self._by[CaseStatus.CANCELLED],
            "skipped": self._by[CaseStatus.SKIPPED],
            "usage": self.usage,
        }
