"""A small run, written into a store the way a worker writes it."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation.events import CaseInfo, RunFinished, RunStarted, SetInfo
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.session.writer import RunWriter

BEGIN = 1_700_000_000.0


class Scribe:
    """Writes runs of two sets that share their case ids; the second set skips `skipped`."""

    begin = BEGIN

    def __init__(self, path: Path) -> None:
        ticks = itertools.count(BEGIN + 1)
        self.store = RunStore(path, clock=lambda: next(ticks))

    @staticmethod
    def planned(run_id: str, *ids: str, number: int | None = None) -> RunStarted:
        cases = tuple(CaseInfo(eval_id=each) for each in ids)
        skipped = CaseInfo(eval_id="skipped", skip="no key")
        sets = (
            SetInfo(eval_set_id="first", name="First", file="a.evalset.json", cases=cases),
            SetInfo(eval_set_id="second", target="agents.py:b", cases=(*cases, skipped)),
        )
        return RunStarted(seq=3, at=BEGIN, run_id=run_id, sets=sets, number=number)

    @staticmethod
    def result(eval_id: str, score: float = 1.0, **fields: Any) -> EvalCaseResult:
        verdict = CriterionResult.judged("rouge_match", Score(score, "as it was"), 0.5)
        made = EvalCaseResult.success(eval_id, [verdict], token_usage=TokenUsage(10, 5))
        return made.model_copy(update=fields)

    @staticmethod
    def over(run_id: str, **fields: Any) -> RunFinished:
        return RunFinished(seq=99, at=BEGIN + 60, run_id=run_id, **fields)

    def begun(self, run_id: str, *ids: str) -> RunWriter:
        writer = self.store.writer(run_id, configs=[{"which": "first"}, {"which": "second"}])
        writer.started(self.planned(run_id, *ids, number=writer.number))
        return writer

    def whole(self, run_id: str, *ids: str) -> int:
        """A run in which every case of both sets passed; its number."""
        with self.begun(run_id, *ids) as writer:
            for set_index, each in itertools.product((0, 1), ids):
                writer.save(CaseKey(set_index, each), self.result(each))
            writer.finished(self.over(run_id, passed=2 * len(ids), skipped=1))
        return writer.number


@pytest.fixture
def scribe(tmp_path: Path) -> Scribe:
    return Scribe(tmp_path / ".tenxgraph-tui" / "runs.db")
