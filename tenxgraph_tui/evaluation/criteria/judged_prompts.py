"""Criteria whose question is a template: what they tell it of a case, turn by turn."""

from __future__ import annotations

from typing import Any, ClassVar

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.config import SLOTS
from tenxgraph_tui.evaluation.criteria.judged import TemplatedLLMCriterion, listed
from tenxgraph_tui.evaluation.criteria.prompting import as_text, is_file, prompt_for
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.judging.context import bench
from tenxgraph_tui.evaluation.judging.forms import SCORED, AnswerForm
from tenxgraph_tui.evaluation.results import CriterionResult, NotEvaluated, Score


class PromptedCriterion(TemplatedLLMCriterion):
    """Asks with the prompt of its slot, which a project may have one of its own of.

    `says` is the detail that tells whether it passed, `claims` the list in a verdict that is kept,
    if there are such.
    """

    answer_form: ClassVar[AnswerForm] = SCORED
    judges_turns: ClassVar[bool] = True
    says: ClassVar[str] = ""
    claims: ClassVar[str] = ""

    def validate_config(self) -> list[str]:
        """What is wrong with the config, a prompt that stands in it included."""
        problems = super().validate_config()
        own = self.config.prompt
        if own is None or is_file(own):
            return problems
        try:
            prompt_for(self._slot, own)
        except ConfigError as error:
            problems.append(str(error))
        return problems

    def _build_prompt(self, actual: ExecutionResult, expected: EvalCase) -> str:
        asked = bench()
        prompt = prompt_for(self._slot, self.config.prompt, asked.prompts_dir, asked.cwd)
        return prompt.fill(self._values(actual, expected), asked.marker)

    def _values(self, actual: ExecutionResult, expected: EvalCase) -> dict[str, Any]:
        """The values of the template's variables; those that are left out are empty."""
        return {
            "question": _question(actual, expected),
            "answer": actual.actual_response,
            "expected": expected_answer(expected) or "",
            "history": _history(actual, expected),
            "metadata": expected.metadata,
        }

    def _collect_extras(self, result_dict: dict[str, Any]) -> dict[str, Any]:
        return {self.claims: result_dict.get(self.claims)} if self.claims else {}

    def _aggregate_extras(self, per_sample: list[dict[str, Any]]) -> dict[str, Any]:
        return {self.claims: listed(per_sample, self.claims)} if self.claims else {}

    def _build_details(
        self,
        scores: list[float],
        reasonings: list[str],
        aggregated_extras: dict[str, Any],
        final_score: float,
    ) -> dict[str, Any]:
        details = super()._build_details(scores, reasonings, aggregated_extras, final_score)
        passed = {self.says: self._judged(Score(final_score)).passed} if self.says else {}
        return passed | details

    @property
    def _slot(self) -> str:
        return SLOTS[self.name]

    def _skipped(self, reason: str) -> CriterionResult:
        return self._judged(NotEvaluated(reason))


def expected_answer(expected: EvalCase) -> str | None:
    """What the last turn expects as an answer; None where it is blank or absent."""
    return expected.conversation[-1].expected_text() if expected.conversation else None


def facts(expected: EvalCase, key: str) -> str:
    """An entry of the case's metadata as a text."""
    return as_text(expected.metadata.get(key)).strip()


def _question(actual: ExecutionResult, expected: EvalCase) -> str:
    if expected.conversation:
        return expected.conversation[-1].user_content.get_text()
    return actual.turns[-1].user_text if actual.turns else ""


def _history(actual: ExecutionResult, expected: EvalCase) -> list[dict[str, str]]:
    before = expected.conversation[:-1]
    answers = [turn.response for turn in actual.turns]
    answers += [""] * (len(before) - len(answers))
    return [
        {"question": turn.user_content.get_text(), "answer": answer}
        for turn, answer in zip(before, answers, strict=False)
    ]
