"""What all criteria have in common that ask a model: from a prompt to a verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from tenxgraph_tui.errors import worded
from tenxgraph_tui.evaluation.config import CriterionConfig
from tenxgraph_tui.evaluation.criteria.base import BaseCriterion
from tenxgraph_tui.evaluation.criteria.over_turns import View, over_turns, views_of
from tenxgraph_tui.evaluation.criteria.prompting import declared, fenced
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult, TokenUsage
from tenxgraph_tui.evaluation.judging.context import bench
from tenxgraph_tui.evaluation.judging.forms import SCORED, AnswerForm, score_in
from tenxgraph_tui.evaluation.judging.sampling import Opinion, opinion
from tenxgraph_tui.evaluation.results import CriterionResult, Score

TEMPERATURE = 0.3
"""As documented: samples that differ a little show how sure a judge is."""
NO_RESPONSE = "no response"
NO_REASON = "the judge gave no reason"
ANYTHING = AnswerForm({}, is_open=True)


class LLMCallerMixin:
    """For criteria that ask the judge of the run, in whatever way: see `TemplatedLLMCriterion`.

    The model is `config.judge_model`, unless the run has another. What fails raises `JudgeError`.
    """

    name: str
    config: CriterionConfig

    async def _call_llm_json(self, prompt: str) -> tuple[dict[str, Any], TokenUsage]:
        """The fields that the prompt asks for, and what they took."""
        found = await self._opinion(prompt, ANYTHING, score_of=lambda _: 0.0)
        _ = found.score  # raises where there is no verdict
        return dict(found.valid[0].verdict), found.usage

    async def _call_llm_score(self, prompt: str) -> tuple[float, str, TokenUsage]:
        """A score from 0.0 to 1.0, the reason for it, and what it took."""
        found = await self._opinion(prompt, SCORED)
        return found.score, found.reason, found.usage

    async def _opinion(
        self, prompt: str, form: AnswerForm, samples: int = 1, turn: int = 0, **how: Any
    ) -> Opinion:
        marker = bench().marker
        return await opinion(
            declared(prompt, marker) if marker in prompt else prompt,
            model=self.config.judge_model,
            criterion=self.name,
            samples=samples,
            form=form,
            temperature=TEMPERATURE,
            turn=turn,
            **how,
        )


class TemplatedLLMCriterion(LLMCallerMixin, BaseCriterion):
    """Asks a judge `config.num_samples` times; the score is the mean of the samples that count.

    A subclass writes `_build_prompt`, and what else of the hooks it needs. `answer_form` says which
    fields a verdict has; with one that `is_open` the prompt itself may ask for more of them. With
    `judges_turns` the hooks see each turn of a conversation as if it were the last one, and the
    worst of them is the score.
    """

    name: str = "templated_llm_criterion"
    answer_form: ClassVar[AnswerForm] = AnswerForm(SCORED.fields, is_open=True)
    judges_turns: ClassVar[bool] = False

    async def evaluate(self, actual: ExecutionResult, expected: EvalCase) -> CriterionResult:
        """The verdict of the judge; an error where it has none that counts."""
        views = views_of(actual, expected) if self.judges_turns else [View(0, actual, expected)]
        begun = [self._begin(view) for view in views]
        async with asyncio.TaskGroup() as group:
            asking = {
                view.turn: group.create_task(self._asked(prompt, view))
                for view, prompt in zip(views, begun, strict=True)
                if isinstance(prompt, str)
            }
        results = [
            (view.turn, asking[view.turn].result() if isinstance(known, str) else known)
            for view, known in zip(views, begun, strict=True)
        ]
        return over_turns(self.name, self.threshold, results)

    def _get_skip_result(
        self,
        actual: ExecutionResult,
        expected: EvalCase,  # noqa: ARG002 - for subclasses
    ) -> CriterionResult | None:
        """The verdict where no judge need be asked, else None: saying nothing scores 0.0."""
        if actual.actual_response.strip():
            return None
        return self._judged(Score(0.0, NO_RESPONSE))

    def _build_prompt(self, actual: ExecutionResult, expected: EvalCase) -> str:
        """What the judge is asked; how it shall answer is added. Must be overridden.

        `self._fenced(name, text)` puts data between tags that nobody else can write.
        """
        raise NotImplementedError(f"{type(self).__name__} has no _build_prompt")

    def _collect_extras(self, result_dict: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """What of one verdict the details shall have."""
        return {}

    def _aggregate_extras(self, per_sample: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: ARG002
        """The extras of all samples as one."""
        return {}

    def _build_details(
        self,
        scores: list[float],
        reasonings: list[str],
        aggregated_extras: dict[str, Any],
        final_score: float,  # noqa: ARG002 - for subclasses
    ) -> dict[str, Any]:
        """The details, beside what is always there of the samples."""
        return {"samples": len(scores), "reasonings": reasonings, **aggregated_extras}

    def _score_in(self, verdict: Mapping[str, Any], expected: EvalCase) -> float:  # noqa: ARG002
        """The score of one verdict, from 0.0 to 1.0; raises `JudgeError` where it has none."""
        return score_in(verdict)

    def _fenced(self, name: str, text: str) -> str:
        """Data for a prompt: what stands in it is judged, never followed."""
        return fenced(text, name, bench().marker)

    @property
    def _samples(self) -> int:
        return self.config.num_samples

    def _begin(self, view: View) -> CriterionResult | str:
        known = self._get_skip_result(view.actual, view.expected)
        return known if known is not None else self._build_prompt(view.actual, view.expected)

    async def _asked(self, prompt: str, view: View) -> CriterionResult:
        found = await self._opinion(
            prompt,
            self.answer_form,
            self._samples,
            view.turn,
            score_of=lambda verdict: self._score_in(verdict, view.expected),
        )
        result = self._failure(str(found.error)) if found.error else self._scored(found)
        result.details |= found.details() | self._details(found)
        result.token_usage = found.usage
        return result

    def _scored(self, found: Opinion) -> CriterionResult:
        reason, valid, total = (
            self._reason(found) or NO_REASON,
            len(found.valid),
            len(found.samples),
        )
        if valid < total:
            reason += f" ({valid} of {total} samples count)"
        return self._judged(Score(found.score, reason))

    def _reason(self, found: Opinion) -> str:
        return found.reason

    def _details(self, found: Opinion) -> dict[str, Any]:
        """What the hooks make of it; one that raises costs neither the score nor the tokens."""
        if found.error is not None:
            return {}
        reasonings = [sample.reasoning for sample in found.valid]
        try:
            extras = self._aggregate_extras(
                [self._collect_extras(dict(sample.verdict)) for sample in found.valid]
            )
            return self._build_details(found.scores, reasonings, extras, found.score)
        except Exception as error:  # noqa: BLE001 - hooks may be a user's
            return {"samples": len(found.scores), "extras_error": worded(error)}


def listed(per_sample: Iterable[Mapping[str, Any]], name: str) -> list[Any]:
    """What stands in the lists called `name`, each once; a judge may write anything there."""
    found: dict[str, Any] = {}
    for extras in per_sample:
        value = extras.get(name)
        items: Sequence[Any] = value if isinstance(value, list) else [value]
        found |= {repr(item): item for item in items if item not in (None, "")}
    return list(found.values())
