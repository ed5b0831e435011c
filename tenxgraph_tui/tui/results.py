"""Case results on demand: read from the store when somebody looks, the last few kept."""

from __future__ import annotations

from collections import OrderedDict

from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.store import RunStore

KEPT = 16


class ResultReader:
    """Reads from the store, `cached` without it. `read` may be called in a thread."""

    def __init__(self, store: RunStore | None) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[str, CaseKey], EvalCaseResult] = OrderedDict()

    def cached(self, run_id: str, key: CaseKey) -> EvalCaseResult | None:
        return self._kept.get((run_id, key))

    def read(self, run_id: str, key: CaseKey) -> EvalCaseResult | None:
        """The result, None where the store has none.

        Raises:
            StoreError: the store cannot be read.
        """
        if self._store is None:
            return None
        result = self._store.result(run_id, key)
        if result is not None:
            self._kept[run_id, key] = result
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return result
