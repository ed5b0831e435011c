"""The sink of a run that nobody wants kept."""

from __future__ import annotations

from tenxgraph_tui.evaluation.events import RunFinished, RunStarted
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult


class Unkept:
    """A `ResultSink` that forgets; the events still tell what happened."""

    def started(self, event: RunStarted) -> None:
        pass

    def save(self, key: CaseKey, result: EvalCaseResult) -> None:
        pass

    def finished(self, event: RunFinished) -> None:
        pass
