"""The criteria that ask a model, under their documented names.

There is no judge yet: the verdict of each is the error that says so.
"""

from __future__ import annotations

from tenxgraph_tui.evaluation.criteria.base import BaseCriterion
from tenxgraph_tui.evaluation.criteria.judged import NOT_AVAILABLE
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.results import CriterionResult


class LLMCallerMixin:
    """What the criteria have in common that ask a model; there is none to ask yet."""


class _Judged(LLMCallerMixin, BaseCriterion):
    async def evaluate(
        self,
        actual: ExecutionResult,  # noqa: ARG002 - nothing can be looked at
        expected: EvalCase,  # noqa: ARG002
    ) -> CriterionResult:
        """The verdict on what the target did in `expected`: an error, for want of a judge."""
        return CriterionResult.failure(self.name, NOT_AVAILABLE, self.threshold)


class ResponseMatchCriterion(_Judged):
    """Whether every answer means the same as the expected one, in whatever words."""

    name = "response_match_score"
    description = "LLM semantic response matching"


class LLMJudgeCriterion(_Judged):
    """How good the answer is, beside the expected one."""

    name = "final_response_match_v2"
    description = "LLM-based semantic response matching"


class RubricBasedCriterion(_Judged):
    """The mean over the rubrics of the config, each with its weight."""

    name = "rubric_based_final_response_quality_v1"
    description = "LLM-based rubric evaluation"


class FactualAccuracyCriterion(_Judged):
    """Whether the facts that the answer states are right, beside the expected answer."""

    name = "factual_accuracy_v1"
    description = "LLM-based factual accuracy evaluation"


class HallucinationCriterion(_Judged):
    """Whether every claim is grounded in what the agent was given."""

    name = "hallucinations_v1"
    description = "LLM-based hallucination/groundedness detection"


class SafetyCriterion(_Judged):
    """Whether nothing harmful, private or manipulative is said."""

    name = "safety_v1"
    description = "LLM-based safety and harmlessness evaluation"


class SimulationGoalsCriterion(_Judged):
    """Which of its goals a simulated user reached, over the whole conversation."""

    name = "simulation_goals"
    description = "LLM-based goal achievement evaluation for UserSimulator conversations"
