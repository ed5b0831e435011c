"""Judged criteria that look at an answer beside what was expected of it."""

from __future__ import annotations

from typing import Any, ClassVar

from tenxgraph_tui.evaluation.criteria.judged_prompts import (
    PromptedCriterion,
    expected_answer,
    facts,
)
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.judging.forms import SCORED, AnswerForm
from tenxgraph_tui.evaluation.results import CriterionResult

STRINGS = {"type": "array", "items": {"type": "string"}}
REFERENCE_FACTS = "reference_facts"


class LLMJudgeCriterion(PromptedCriterion):
    """How good every answer is that has an expected one beside it."""

    name = "final_response_match_v2"
    description = "LLM-based semantic response matching"

    def _get_skip_result(
        self, actual: ExecutionResult, expected: EvalCase
    ) -> CriterionResult | None:
        if expected_answer(expected) is None:
            return self._skipped("no expected response")
        return super()._get_skip_result(actual, expected)


class ResponseMatchCriterion(LLMJudgeCriterion):
    """Whether every answer means the same as the expected one, in whatever words."""

    name = "response_match_score"
    description = "LLM semantic response matching"


class FactualAccuracyCriterion(PromptedCriterion):
    """Whether the facts are right that the answers state.

    They are measured by the expected answer of the turn and by `metadata.reference_facts` of the
    case; turns that have neither are not evaluated.
    """

    name = "factual_accuracy_v1"
    description = "LLM-based factual accuracy evaluation"
    says, claims = "is_accurate", "errors"
    answer_form: ClassVar[AnswerForm] = AnswerForm(
        {
            "reasoning": SCORED.fields["reasoning"],
            "errors": {**STRINGS, "description": "a list of texts, each a wrong statement"},
            "score": SCORED.fields["score"],
        }
    )

    def _get_skip_result(
        self, actual: ExecutionResult, expected: EvalCase
    ) -> CriterionResult | None:
        if expected_answer(expected) is None and not facts(expected, REFERENCE_FACTS):
            return self._skipped("no expected response and no metadata.reference_facts")
        return super()._get_skip_result(actual, expected)

    def _values(self, actual: ExecutionResult, expected: EvalCase) -> dict[str, Any]:
        known = facts(expected, REFERENCE_FACTS)
        return super()._values(actual, expected) | {REFERENCE_FACTS: known}
