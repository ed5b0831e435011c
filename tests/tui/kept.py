"""Runs as a worker would have kept them, for screens that look at earlier ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tenxgraph_tui.evaluation.events import CaseStatus, RunFinished, RunStarted
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.tui.catalog import Catalog
from tests.tui.script import CRITERIA, NOW, Script

SCORES = {CaseStatus.PASSED: (1.0, 1.0, 0.91), CaseStatus.FAILED: (1.0, 0.33, 0.41)}


def result(eval_id: str, status: CaseStatus) -> EvalCaseResult:
    """A result of that status, with a verdict of every criterion of the script."""
    if status is CaseStatus.ERROR:
        return EvalCaseResult.failure(eval_id, "RuntimeError: it broke")
    verdicts = [
        CriterionResult.judged(criterion.name, Score(score, "as told"), criterion.threshold)
        for criterion, score in zip(CRITERIA, SCORES[status], strict=True)
    ]
    return EvalCaseResult.success(
        eval_id, verdicts, token_usage=TokenUsage(400, 12), duration_seconds=1.2
    )


def keep(
    path: Path, over: Catalog, failed: Mapping[str, CaseStatus] | None = None, **end: Any
) -> int:
    """A run of everything in which all cases passed but the ones in `failed`; its number."""
    store = RunStore(path, clock=lambda: NOW)
    failed = failed or {}
    with store.writer(f"kept {len(store.runs()) + 1}") as writer:
        begun = Script(writer.run_id).begin(over, number=writer.number).events[0]
        assert isinstance(begun, RunStarted)
        writer.started(begun)
        for key in begun.planned():
            status = failed.get(key.eval_id, CaseStatus.PASSED)
            if status is not CaseStatus.CANCELLED:
                writer.save(CaseKey(*key), result(key.eval_id, status))
        passed = len(begun.planned()) - len(failed)
        writer.finished(
            RunFinished(seq=1, at=NOW, run_id=writer.run_id, **({"passed": passed} | end))
        )
    return writer.number
