"""Case results on demand: read from the store when somebody looks, the last few kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.events import Log
from tenxgraph_tui.evaluation.progress import KEPT_LOG_LINES
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.evidence import Evidence, configs, evidence
from tenxgraph_tui.session.records import RunRecord
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.tui.words import preview

KEPT = 16
SHORT = 200
"""Characters of a text up to which it is not worth looking whether it was there before."""
COMPARED = frozenset({"args"})
"""What is compared with the eval set, and so has to stay whole."""


class ResultReader:
    """Reads from the store, `cached` without it. `read` may be called in a thread."""

    def __init__(self, store: RunStore | None) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[str, CaseKey], EvalCaseResult] = OrderedDict()
        self._logs: dict[tuple[str, CaseKey], tuple[Log, ...]] = {}

    def runs(self) -> list[RunRecord]:
        """Every run that began, the newest first. May be called in a thread.

        Raises:
            StoreError: the store cannot be read.
        """
        return self._store.runs() if self._store is not None else []

    def config(self, run_id: str, set_index: int) -> dict[str, Any] | None:
        """What a set of a run was checked with; None if nothing is kept of it.

        May be called in a thread.

        Raises:
            TenxError: the store cannot be read, or has no such run.
        """
        if self._store is None:
            return None
        configs = self._store.configs(run_id)
        return configs[set_index] if set_index < len(configs) else None

    def cached(self, run_id: str, key: CaseKey) -> EvalCaseResult | None:
        return self._kept.get((run_id, key))

    def log(self, run_id: str, key: CaseKey) -> tuple[Log, ...]:
        """What was said while a case ran, as far as it came with its result."""
        return self._logs.get((run_id, key), ())

    def said(self, run_id: str) -> tuple[Log, ...]:
        """The last lines of a whole run, oldest first. May be called in a thread.

        Raises:
            StoreError: the store cannot be read.
        """
        return self._store.said(run_id, KEPT_LOG_LINES) if self._store is not None else ()

    def evidence(self, run_id: str, keys: Sequence[CaseKey]) -> Iterator[Evidence]:
        """What causes are found from, of many cases at a time. May be called in a thread.

        Raises:
            StoreError: the store cannot be read.
        """
        return evidence(self._store, run_id, keys) if self._store is not None else iter(())

    def configs(self, run_id: str) -> list[EvalConfig]:
        """How each set of a run was checked; none where nobody knows.

        Raises:
            StoreError: the store cannot be read.
        """
        return configs(self._store, run_id) if self._store is not None else []

    def read(self, run_id: str, key: CaseKey) -> EvalCaseResult | None:
        """The result with the beginnings of its texts, None where the store has none.

        Raises:
            StoreError: the store cannot be read.
        """
        result = self.whole(run_id, key)
        if result is not None:
            _cut_texts(result, set(), {})
            if self._store is not None:
                self._logs[run_id, key] = self._store.said_by(run_id, key)
            self._kept[run_id, key] = result
            while len(self._kept) > KEPT:
                oldest, _ = self._kept.popitem(last=False)
                self._logs.pop(oldest, None)
        return result

    def whole(self, run_id: str, key: CaseKey) -> EvalCaseResult | None:
        """The same with all of its texts, however long; it is not kept.

        Raises:
            StoreError: the store cannot be read.
        """
        return self._store.result(run_id, key) if self._store is not None else None


def _cut_texts(value: Any, cut: set[int], texts: dict[str, str]) -> Any:
    """`value` with the beginnings of its long texts instead of them, changed in place.

    What agents say has no limit, what a dashboard may need and how long it may look has one. `cut`
    are the objects that were seen: what several model calls were sent is the same object in all.
    `texts` are those that were cut: an answer stands in several places, and is kept once.
    """
    if isinstance(value, str):
        return texts.setdefault(value, preview(value)) if len(value) > SHORT else value
    if id(value) in cut:
        return value
    if isinstance(value, list):
        value[:] = [_cut_texts(item, cut, texts) for item in value]
    elif isinstance(value, dict | BaseModel):
        cut.add(id(value))
        held = value if isinstance(value, dict) else vars(value)
        held.update({key: _cut_texts(held[key], cut, texts) for key in held if key not in COMPARED})
    return value
