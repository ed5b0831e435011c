"""Users played by a model, under their documented names.

There is no model to play them yet: every simulation ends with the error that says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from pydantic import Field

from tenxgraph_tui.evaluation.config import UserSimulatorConfig
from tenxgraph_tui.evaluation.criteria.base import BaseCriterion
from tenxgraph_tui.evaluation.execution import TokenUsage, Usage
from tenxgraph_tui.evaluation.models import Handwritten, PublicModel
from tenxgraph_tui.evaluation.results import CriterionResult

NOT_AVAILABLE = "judge not available"


class ConversationScenario(Handwritten):
    """What a simulated user wants: `goals`, reached within `max_turns` (at least 1).

    The conversation starts with `starting_prompt`, or with what the model makes up.
    """

    scenario_id: str = ""
    description: str = ""
    starting_prompt: str = ""
    conversation_plan: str = ""
    goals: list[str] = Field(default_factory=list)
    max_turns: int = Field(default=10, ge=1)
    metadata: dict[str, Any] = Field(default_factory=dict)


class SimulationResult(PublicModel):
    """What came of a scenario.

    `completed` means that all goals were reached; where `error` is set, the rest holds what there
    was until then. `conversation` is a list of messages with `role` and `content`.
    """

    scenario_id: str = ""
    turns: int = 0
    conversation: list[dict[str, str]] = Field(default_factory=list)
    goals_achieved: list[str] = Field(default_factory=list)
    completed: bool = False
    error: str | None = None
    criterion_scores: dict[str, float] = Field(default_factory=dict)
    criterion_details: dict[str, Any] = Field(default_factory=dict)
    criterion_results: list[CriterionResult] = Field(default_factory=list)
    simulator_token_usage: Usage = Field(default_factory=TokenUsage)


class UserSimulator:
    """Plays the user of a `ConversationScenario` with a model, for `max_turns` (at least 1) turns.

    `config` takes the place of the model, temperature, turns and API style given beside it.
    `criteria` judge the finished conversation.

    Raises:
        ValueError: `max_turns` is below 1.
    """

    def __init__(
        self,
        model: str = "gemini/gemini-2.5-flash",
        temperature: float = 0.7,
        max_turns: int = 10,
        config: UserSimulatorConfig | None = None,
        criteria: list[BaseCriterion] | None = None,
        api_style: str = "responses",
    ) -> None:
        self.model = config.model if config else model
        self.temperature = config.temperature if config else temperature
        self.max_turns = config.max_invocations if config else max_turns
        self.api_style = config.api_style if config else api_style
        self.criteria = list(criteria or ())
        if self.max_turns < 1:
            raise ValueError(f"max_turns must be at least 1, not {self.max_turns}")

    async def run(
        self,
        graph: Any,  # noqa: ARG002 - nobody can talk to it yet
        scenario: ConversationScenario,
        config: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> SimulationResult:
        """Talk to `graph`; what goes wrong is in the result's `error`."""
        return SimulationResult(scenario_id=scenario.scenario_id, error=NOT_AVAILABLE)


class BatchSimulator:
    """Runs scenarios with one simulator, at most `max_concurrency` (at least 1) at once.

    Without `simulator`, one is made from the keyword arguments that `UserSimulator` takes.

    Raises:
        ValueError: `max_concurrency` is below 1.
        TypeError: both a simulator and what it is made from are given.
    """

    def __init__(
        self,
        simulator: UserSimulator | None = None,
        max_concurrency: int = 5,
        **kwargs: Any,
    ) -> None:
        if simulator is not None and kwargs:
            raise TypeError(
                f"give a simulator or what it is made from, not both: {', '.join(kwargs)}"
            )
        if max_concurrency < 1:
            raise ValueError(f"max_concurrency must be at least 1, not {max_concurrency}")
        self.simulator = simulator or UserSimulator(**kwargs)
        self.max_concurrency = max_concurrency

    async def run_batch(
        self,
        graph: Any,
        scenarios: list[ConversationScenario],
        config: dict[str, Any] | None = None,
    ) -> list[SimulationResult]:
        """The results, in the order of the scenarios."""
        slots = asyncio.Semaphore(self.max_concurrency)

        async def one(scenario: ConversationScenario) -> SimulationResult:
            async with slots:
                return await self.simulator.run(graph, scenario, config)

        return await asyncio.gather(*map(one, scenarios))

    def summary(self, results: Sequence[SimulationResult]) -> dict[str, Any]:
        """Counts over the results; `completion_rate` is from 0.0 to 1.0, 0.0 where there are none.

        The other keys: `total_scenarios`, `completed`, `total_goals_achieved`, `average_turns` and
        `errors`.
        """
        total = len(results)
        completed = sum(result.completed for result in results)
        return {
            "total_scenarios": total,
            "completed": completed,
            "completion_rate": completed / total if total else 0.0,
            "total_goals_achieved": sum(len(result.goals_achieved) for result in results),
            "average_turns": sum(result.turns for result in results) / total if total else 0.0,
            "errors": sum(result.error is not None for result in results),
        }
