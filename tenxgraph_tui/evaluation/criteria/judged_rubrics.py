"""Answers judged by rules in words, each for itself, and weighed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from statistics import mean
from typing import Any, ClassVar

from tenxgraph_tui.errors import JudgeError, JudgeFailure
from tenxgraph_tui.evaluation.config import Rubric
from tenxgraph_tui.evaluation.criteria.judged_prompts import PromptedCriterion
from tenxgraph_tui.evaluation.criteria.prompting import Trusted
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.judging.forms import SCORED, AnswerForm, share
from tenxgraph_tui.evaluation.judging.sampling import Opinion, Sample

IDS = "rubric_id"


class RubricBasedCriterion(PromptedCriterion):
    """The mean over the rubrics of the config by their weights, in the worst turn.

    A sample that leaves out a rubric does not count; one that the config does not have is ignored,
    and `ignored_rubrics` names it.
    """

    name = "rubric_based_final_response_quality_v1"
    description = "LLM-based rubric evaluation"
    answer_form: ClassVar[AnswerForm] = AnswerForm(
        {
            "reasoning": SCORED.fields["reasoning"],
            "rubrics": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        IDS: {"type": "string"},
                        "reasoning": {"type": "string"},
                        "score": {"type": "number"},
                    },
                    "required": [IDS, "reasoning", "score"],
                    "additionalProperties": False,
                },
                "description": f'a list with an object for each rule: its id as "{IDS}", then '
                '"reasoning" (why, in a sentence) and "score" (from 0.0 to 1.0)',
            },
        }
    )

    def validate_config(self) -> list[str]:
        """What is wrong with the config: without a rubric there is nothing to judge by."""
        problems = super().validate_config()
        return problems if self.config.rubrics else [*problems, "there is no rubric to judge by"]

    def _values(self, actual: ExecutionResult, expected: EvalCase) -> dict[str, Any]:
        rubrics = [
            {"id": Trusted(rubric.rubric_id), "content": Trusted(rubric.content)}
            for rubric in self.config.rubrics
        ]
        return super()._values(actual, expected) | {"rubrics": rubrics}

    def _score_in(self, verdict: Mapping[str, Any], expected: EvalCase) -> float:  # noqa: ARG002
        entries = _by_id(verdict)
        parts = [(_score(entries, rubric), rubric.weight) for rubric in self.config.rubrics]
        return math.fsum(score * weight for score, weight in parts) / math.fsum(w for _, w in parts)

    def _reason(self, found: Opinion) -> str:
        """That of the rubric which was kept worst."""
        verdicts = [_verdict(rubric, found) for rubric in self.config.rubrics]
        worst = min(verdicts, key=lambda verdict: verdict.get("score", 1.0))
        is_bad = worst.get("score", 1.0) < 1.0 and worst["reason"]
        return f"{worst[IDS]}: {worst['reason']}" if is_bad else super()._reason(found)

    def _details(self, found: Opinion) -> dict[str, Any]:
        ids = [rubric.rubric_id for rubric in self.config.rubrics]
        said = {name: None for sample in found.samples for name in _by_id(sample.verdict)}
        ignored = [name for name in said if name not in ids]
        return super()._details(found) | {
            "rubrics": ids,
            "scores": found.scores,
            "rubric_verdicts": [_verdict(rubric, found) for rubric in self.config.rubrics],
            **({"ignored_rubrics": ignored} if ignored else {}),
        }


def _by_id(verdict: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The entries of a verdict by their rubric. One that stands twice has no score that counts."""
    found: dict[str, Mapping[str, Any]] = {}
    for name, entry in _entries(verdict.get("rubrics")):
        found[name] = {"score": "it stands twice"} if name in found else entry
    return found


def _entries(said: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """A list as it was asked for; also an object with an entry, or a number, for each id."""
    if isinstance(said, Mapping):
        for name, entry in said.items():
            yield str(name), entry if isinstance(entry, Mapping) else {"score": entry}
    for entry in said if isinstance(said, list) else ():
        if isinstance(entry, Mapping) and IDS in entry:
            yield str(entry[IDS]), entry


def _score(entries: Mapping[str, Mapping[str, Any]], rubric: Rubric) -> float:
    entry = entries.get(rubric.rubric_id)
    called = f"the judge's score for rubric {rubric.rubric_id!r}"
    if entry is None or "score" not in entry:
        told = f"the verdict has no score for rubric {rubric.rubric_id!r}"
        raise JudgeError(told, JudgeFailure.BAD_SCORE)
    return share(entry["score"], called)


def _verdict(rubric: Rubric, found: Opinion) -> dict[str, Any]:
    """What all samples say of one rubric: the mean of those that score it, else why there is none.

    Fewer than half of the samples are not enough.
    """
    told: dict[str, Any] = {IDS: rubric.rubric_id, "weight": rubric.weight}
    scores, reasons, problem = [], [], "the judge gave no verdict"
    for sample in found.samples:
        try:
            scores.append(_score(_by_id(sample.verdict), rubric))
            reasons.append(_reason(sample, rubric))
        except JudgeError as error:
            problem = str(sample.error or error)
    if scores and 2 * len(scores) >= len(found.samples):
        reason = next((reason for reason in reasons if reason), "")
        return told | {"score": mean(scores), "reason": reason, "scores": scores}
    return told | {"error": problem, "scores": scores}


def _reason(sample: Sample, rubric: Rubric) -> str:
    said = _by_id(sample.verdict)[rubric.rubric_id].get("reasoning")
    return said if isinstance(said, str) else ""
