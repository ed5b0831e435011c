"""Several samples of one question, asked at once, and what they come to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean
from typing import Any

from tenxgraph_tui.errors import JudgeError, JudgeFailure, worded
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.judging.context import Bench, bench, judged_case
from tenxgraph_tui.evaluation.judging.forms import SCORED, AnswerForm, score_in
from tenxgraph_tui.evaluation.judging.port import JudgeReply, JudgeRequest
from tenxgraph_tui.evaluation.judging.reading import verdict_of

Verdict = Mapping[str, Any]
ScoreOf = Callable[[Verdict], float]
"""The score of a verdict; raises `JudgeError` where it has none that counts."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer: its score and verdict, or the error that it is instead; `number` is from 1.

    A verdict may be there beside an error: it is one whose score does not count.
    """

    number: int
    score: float | None = None
    verdict: Verdict = field(default_factory=dict)
    error: JudgeError | None = None
    reply: JudgeReply | None = None

    @property
    def reasoning(self) -> str:
        """Why, as the judge said it."""
        said = self.verdict.get("reasoning")
        return said if isinstance(said, str) else ""

    def to_dict(self) -> dict[str, Any]:
        """The sample as details and reports show it."""
        told: dict[str, Any] = {"sample": self.number}
        if self.error is not None:
            told |= {"error": str(self.error), "cause": str(self.error.cause)}
        else:
            told |= {"score": self.score, "reasoning": self.reasoning}
        if self.reply is not None:
            told["finish_reason"] = self.reply.finish_reason
            told |= {"cached": True} if self.reply.cached else {}
            told |= {"notes": list(self.reply.notes)} if self.reply.notes else {}
        return told


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the samples of one question came to. `model` is the name that it was asked by."""

    model: str
    samples: Sequence[Sample]

    @property
    def valid(self) -> list[Sample]:
        """The samples that are verdicts."""
        return [sample for sample in self.samples if sample.error is None]

    @property
    def scores(self) -> list[float]:
        """The scores of the valid samples."""
        return [sample.score for sample in self.valid if sample.score is not None]

    @property
    def score(self) -> float:
        """The mean of the valid samples.

        Raises:
            JudgeError: fewer than half of the samples are valid.
        """
        if self.error is not None:
            raise self.error
        return mean(self.scores)

    @property
    def spread(self) -> float:
        """How far the highest of the valid scores lies above the lowest."""
        return max(self.scores) - min(self.scores) if self.scores else 0.0

    @property
    def reason(self) -> str:
        """The reason of the first sample that gives one."""
        return next((sample.reasoning for sample in self.valid if sample.reasoning), "")

    @property
    def error(self) -> JudgeError | None:
        """Why there is no score: fewer than half of the samples are valid."""
        failed = [sample.error for sample in self.samples if sample.error is not None]
        if 2 * len(self.valid) >= len(self.samples) and self.valid:
            return None
        first = failed[0] if failed else JudgeError("no sample was asked for")
        if len(self.samples) == 1:
            return first
        told = f"{len(self.valid)} of {len(self.samples)} samples can be used: {first}"
        alike = {error.cause for error in failed} == {first.cause}
        return JudgeError(told, first.cause if alike else JudgeFailure.TOO_FEW)

    @property
    def usage(self) -> TokenUsage:
        """The tokens of all samples, as far as they are known; cached answers took none."""
        return sum((reply.usage for reply in self._paid() if reply.usage), TokenUsage())

    @property
    def cost(self) -> float | None:
        """US dollars of all samples; None where the price of one is not known."""
        costs = [reply.cost for reply in self._paid()]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None

    def details(self) -> dict[str, Any]:
        """Everything about the samples, for `CriterionResult.details`."""
        return {
            "judge_model": self.model,
            "individual_scores": self.scores,
            "reasonings": [sample.reasoning for sample in self.valid],
            "spread": self.spread,
            "judge_samples": [sample.to_dict() for sample in self.samples],
            "judge_cost": self.cost,
        }

    def _paid(self) -> list[JudgeReply]:
        replies = (sample.reply for sample in self.samples)
        return [reply for reply in replies if reply is not None and not reply.cached]


async def opinion(
    prompt: str,
    *,
    model: str,
    criterion: str = "",
    samples: int = 1,
    form: AnswerForm = SCORED,
    score_of: ScoreOf = score_in,
    temperature: float = 0.0,
    turn: int = 0,
) -> Opinion:
    """Ask the judge of this context `samples` times at once.

    How to answer, with the marker that a verdict must carry, is added to `prompt`: data in it may
    be fenced with the same marker, `bench().marker`. A sample that fails is an error in the
    opinion, nothing is raised for it.
    """
    asked, case = bench(), judged_case()
    model = asked.model or model
    text = f"{prompt.rstrip()}\n\n{form.instructions(asked.marker)}\n"

    async def one(number: int) -> Sample:
        request = JudgeRequest(
            prompt=text,
            marker=asked.marker,
            model=model,
            schema=form.schema,
            temperature=temperature,
            sample=number,
            criterion=criterion,
            eval_id=case.eval_id,
            turn=turn,
            attempt=case.attempt,
        )
        if case.announce is not None:
            case.announce(criterion, number, samples)
        return await _sample(asked, request, score_of)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(number)) for number in range(1, samples + 1)]
    return Opinion(model, tuple(task.result() for task in tasks))


async def _sample(asked: Bench, request: JudgeRequest, score_of: ScoreOf) -> Sample:
    known = _known(asked, request, score_of)
    if known is not None:
        return known
    number, reply, verdict = request.sample, None, dict[str, Any]()
    try:
        reply = await asked.judge.ask(request)
        verdict = verdict_of(reply, request.marker)
        score = score_of(verdict)
    except JudgeError as error:
        return Sample(number, None, verdict, error, reply)
    except Exception as error:  # noqa: BLE001 - a judge of one's own: an error verdict, no crash
        return Sample(number, None, verdict, JudgeError(worded(error)), reply)
    if asked.answers is not None:
        asked.answers.keep(request, reply)
    return Sample(number, score, verdict, reply=reply)


def _known(asked: Bench, request: JudgeRequest, score_of: ScoreOf) -> Sample | None:
    """The sample of an earlier run; one that is no verdict any more is asked for anew."""
    reply = asked.answers.known(request) if asked.answers is not None else None
    if reply is None:
        return None
    try:
        verdict = verdict_of(reply, request.marker)
        return Sample(request.sample, score_of(verdict), verdict, reply=reply)
    except Exception:  # noqa: BLE001 - whatever reads verdicts now, the judge can be asked
        return None
