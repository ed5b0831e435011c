"""No result waits for a look at everything that was loaded before the run began."""

from __future__ import annotations

import gc

from tenxgraph_tui.evaluation.events import RunFinished, RunStarted
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult, ResultSink


class SettlingSink:
    """A `ResultSink` from whose start on Python leaves what there is by then out of its garbage.

    It is the libraries and the targets: 50,000 objects and more, which stay. A full collection of
    them holds every thread for 40 to 100 ms, the one that commits results among them.
    """

    def __init__(self, sink: ResultSink) -> None:
        self._sink = sink

    def started(self, event: RunStarted) -> None:
        self._sink.started(event)
        gc.freeze()

    def save(self, key: CaseKey, result: EvalCaseResult) -> None:
        self._sink.save(key, result)

    def finished(self, event: RunFinished) -> None:
        self._sink.finished(event)
