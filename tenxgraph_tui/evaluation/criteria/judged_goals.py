"""Whether a simulated user got what it came for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from tenxgraph_tui.errors import JudgeError, JudgeFailure
from tenxgraph_tui.evaluation.criteria.judged_answers import STRINGS
from tenxgraph_tui.evaluation.criteria.judged_prompts import PromptedCriterion, expected_answer
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.execution import ExecutionResult
from tenxgraph_tui.evaluation.judging.forms import SCORED, AnswerForm, score_in
from tenxgraph_tui.evaluation.results import CriterionResult

BETWEEN = re.compile(r"[;\n]")
LISTS = ("achieved_goals", "unachieved_goals")


class SimulationGoalsCriterion(PromptedCriterion):
    """The share of its goals that a simulated user reached, over the whole conversation.

    The goals stand in the expected answer of the last turn, with a semicolon or a new line between
    them; one that stands twice counts once. The judge is asked once.
    """

    name = "simulation_goals"
    description = "LLM-based goal achievement evaluation for UserSimulator conversations"
    judges_turns: ClassVar[bool] = False
    answer_form: ClassVar[AnswerForm] = AnswerForm(
        {
            "reasoning": SCORED.fields["reasoning"],
            "achieved_goals": {**STRINGS, "description": "a list with the goals that were reached"},
            "unachieved_goals": {**STRINGS, "description": "a list with all others"},
            "score": SCORED.fields["score"],
        }
    )

    @property
    def _samples(self) -> int:
        return 1

    def _get_skip_result(
        self, actual: ExecutionResult, expected: EvalCase
    ) -> CriterionResult | None:
        if not goals_of(expected):
            return self._skipped("no goals")
        if any(map(str.strip, actual.responses())):
            return None
        return super()._get_skip_result(actual, expected)

    def _values(self, actual: ExecutionResult, expected: EvalCase) -> dict[str, Any]:
        talk = [{"question": turn.user_text, "answer": turn.response} for turn in actual.turns]
        goals = "\n".join(goals_of(expected))
        return super()._values(actual, expected) | {"goals": goals, "history": talk}

    def _score_in(self, verdict: Mapping[str, Any], expected: EvalCase) -> float:
        """What counts are the goals that the judge lists, not the number that it makes of them."""
        score_in(verdict)
        achieved, unachieved = (set(map(_plain, _texts(verdict, name))) for name in LISTS)
        goals = goals_of(expected)
        for goal in goals:
            if (_plain(goal) in achieved) is (_plain(goal) in unachieved):
                told = f"the judge put {goal!r} into both lists of goals, or into none"
                raise JudgeError(told, JudgeFailure.BAD_SCORE)
        return sum(_plain(goal) in achieved for goal in goals) / len(goals)

    def _collect_extras(self, result_dict: dict[str, Any]) -> dict[str, Any]:
        return {name: _texts(result_dict, name) for name in LISTS}

    def _aggregate_extras(self, per_sample: list[dict[str, Any]]) -> dict[str, Any]:
        return per_sample[0]


def goals_of(expected: EvalCase) -> list[str]:
    """The goals of a case, each once, whatever its case and spaces."""
    parts = BETWEEN.split(expected_answer(expected) or "")
    found: dict[str, str] = {}
    for part in filter(None, map(str.strip, parts)):
        found.setdefault(_plain(part), part)
    return list(found.values())


def _texts(verdict: Mapping[str, Any], name: str) -> list[str]:
    said = verdict.get(name)
    if not isinstance(said, list):
        raise JudgeError(f"the verdict has no list of {name}", JudgeFailure.BAD_SCORE)
    return [text for text in said if isinstance(text, str)]


def _plain(goal: str) -> str:
    return " ".join(goal.casefold().split())
