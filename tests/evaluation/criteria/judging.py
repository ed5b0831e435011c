"""Criteria asked about a case, with a judge that answers from a script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tenxgraph_tui.evaluation.config import CriterionConfig, Rubric
from tenxgraph_tui.evaluation.criteria import CRITERIA_REGISTRY, BaseCriterion, assess
from tenxgraph_tui.evaluation.dataset import EvalCase, ToolCall
from tenxgraph_tui.evaluation.execution import ExecutionResult, TokenUsage, TurnExecution
from tenxgraph_tui.evaluation.judge import Bench, ScriptedJudge, judged_by
from tenxgraph_tui.evaluation.judging.scripted import Answer
from tenxgraph_tui.evaluation.results import CriterionResult

TONE, LAW = Rubric.create("tone", "It is formal."), Rubric.create("law", "It names the law.", 3.0)
FIVE = ("response_match", "llm_judge", "factual_accuracy", "hallucination", "safety")
ALL = (*FIVE, "rubric_based")
GOOD: dict[str, Any] = {
    "reasoning": "fine",
    "score": 0.9,
    "rubrics": [{"rubric_id": name, "score": 0.9, "reasoning": name} for name in ("tone", "law")],
}
"""A verdict of which every criterion makes 0.9."""


def made(slot: str, **config: Any) -> BaseCriterion:
    if slot == "rubric_based":
        config = {"rubrics": [TONE, LAW], **config}
    return CRITERIA_REGISTRY[slot](config=CriterionConfig(**{"num_samples": 1, **config}))


def case(*turns: tuple[str, str], **metadata: Any) -> EvalCase:
    found = EvalCase.multi_turn("c", [*(turns or [("What is the fee?", "The fee is 12 EUR")])])
    found.metadata = metadata
    return found


def done(*answers: str, calls: Sequence[ToolCall] = (), questions: Sequence[str] = ()) -> Any:
    """What the agent answered, turn by turn; the calls were made in the first one."""
    asked = [*questions, *["?"] * len(answers)]
    turns = [
        TurnExecution(user_text=user, response=answer)
        for user, answer in zip(asked, answers, strict=False)
    ]
    turns[0].tool_calls = list(calls)
    return ExecutionResult(turns=turns, actual_response=answers[-1], tool_calls=list(calls))


class Asked:
    """A judge with its script, and what came of asking it."""

    def __init__(self, *answers: Answer, prompts_dir: str | None = None) -> None:
        self.judge = ScriptedJudge(answers or [GOOD], usage=TokenUsage(10, 5), cost=0.001)
        self.bench = Bench(self.judge, prompts_dir=prompts_dir)

    async def about(
        self, criterion: BaseCriterion, actual: ExecutionResult, expected: EvalCase
    ) -> CriterionResult:
        with judged_by(self.bench):
            return await assess(criterion, actual, expected)

    @property
    def prompts(self) -> list[str]:
        return [request.prompt for request in self.judge.requests]

    def fenced(self, called: str, text: str) -> str:
        """How data stands in a prompt."""
        return f"<{called} {self.bench.marker}>\n{text}\n</{called} {self.bench.marker}>"
