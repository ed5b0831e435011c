"""The criteria that ask a model. Until there is a judge, each of them says so as an error."""

from __future__ import annotations

from tenxgraph_tui.evaluation.config import REPORTED_NAMES, CriterionConfig
from tenxgraph_tui.evaluation.criteria.base import SyncCriterion
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.results import CriterionResult

NOT_AVAILABLE = "judge not available"


class UnavailableCriterion(SyncCriterion):
    """Stands in for the criterion of a judged slot; its verdict is always an error."""

    def __init__(self, slot: str, config: CriterionConfig | None = None) -> None:
        super().__init__(config)
        self.name = REPORTED_NAMES[slot]

    def evaluate_sync(
        self,
        actual: ExecutionResult,  # noqa: ARG002 - nothing can be looked at
        expected: EvalCase,  # noqa: ARG002
    ) -> CriterionResult:
        """An error that says that there is no judge."""
        return CriterionResult.failure(self.name, NOT_AVAILABLE, self.threshold)
