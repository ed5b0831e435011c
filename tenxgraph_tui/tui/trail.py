"""Which cases changed lately, for whoever looks at them once a frame."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

from tenxgraph_tui.evaluation.events import Log
from tenxgraph_tui.evaluation.results import CaseKey

LONGEST = 8192
"""More than one message of events holds; who is further behind looks at everything."""


class Trail:
    """Remembers the last changes in order; every reader keeps the mark up to which it has read."""

    def __init__(self) -> None:
        self._keys: deque[CaseKey] = deque(maxlen=LONGEST)
        self.mark = 0

    def note(self, fact: object) -> None:
        """Something happened; if it is of a case, that case changed."""
        key = getattr(fact, "case", None)
        if key is not None and not isinstance(fact, Log):
            self._keys.append(key)
            self.mark += 1

    def since(self, mark: int) -> Collection[CaseKey] | None:
        """The cases that changed after `mark`, each once; None where it could be any."""
        missed = self.mark - mark
        if missed > len(self._keys):
            return None
        return dict.fromkeys(self._keys[index] for index in range(-missed, 0))
