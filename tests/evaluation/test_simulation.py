"""Users played by a model: who plays them, many at once, and what comes of it without a model."""

from __future__ import annotations

from typing import Any

import pytest

from tenxgraph_tui.evaluation.config import UserSimulatorConfig
from tenxgraph_tui.evaluation.simulation import (
    BatchSimulator,
    ConversationScenario,
    SimulationResult,
    UserSimulator,
)


async def test_a_simulation_ends_with_an_error() -> None:
    scenario = ConversationScenario(scenario_id="refund", goals=["a refund"])
    result = await UserSimulator().run(None, scenario)
    assert result == SimulationResult(scenario_id="refund", error="judge not available")
    assert not result.completed


def test_the_config_of_a_simulator_takes_the_place_of_its_arguments() -> None:
    assert UserSimulator("m", 0.1, 3, api_style="chat").model == "m"
    config = UserSimulatorConfig(model="other", temperature=0.2, max_invocations=7)
    simulator = UserSimulator("m", 0.1, 3, config, api_style="chat")
    found = (simulator.model, simulator.temperature, simulator.max_turns, simulator.api_style)
    assert found == ("other", 0.2, 7, "responses")


async def test_a_batch_keeps_the_order_and_counts() -> None:
    class Played(UserSimulator):
        async def run(
            self, graph: Any, scenario: ConversationScenario, config: dict[str, Any] | None = None
        ) -> SimulationResult:
            assert (graph, config) == ("graph", {"user_id": "u"})
            done = scenario.scenario_id != "c"
            return SimulationResult(
                scenario_id=scenario.scenario_id,
                turns=3,
                goals_achieved=scenario.goals,
                completed=done,
                error=None if done else "boom",
            )

    batch = BatchSimulator(Played(), max_concurrency=2)
    scenarios = [ConversationScenario(scenario_id=name, goals=[name]) for name in "abc"]
    results = await batch.run_batch("graph", scenarios, {"user_id": "u"})
    assert [result.scenario_id for result in results] == ["a", "b", "c"]
    assert batch.summary(results) == {
        "total_scenarios": 3,
        "completed": 2,
        "completion_rate": pytest.approx(2 / 3),
        "total_goals_achieved": 3,
        "average_turns": 3.0,
        "errors": 1,
    }
    assert batch.summary([])["completion_rate"] == 0.0


def test_a_batch_makes_its_own_simulator_of_what_it_is_given() -> None:
    assert BatchSimulator(model="m", max_turns=4).simulator.max_turns == 4
    with pytest.raises(TypeError, match="not both: model"):
        BatchSimulator(UserSimulator(), model="m")


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: UserSimulator(max_turns=0), id="a simulator"),
        pytest.param(lambda: ConversationScenario(max_turns=0), id="a scenario"),
        pytest.param(lambda: BatchSimulator(max_concurrency=0), id="a batch"),
        pytest.param(lambda: BatchSimulator(max_turns=0), id="a simulator of a batch"),
    ],
)
def test_b93_less_than_one_turn_is_refused(make: Any) -> None:
    with pytest.raises(ValueError, match=r"(?s)(must be at least 1|greater than or equal to 1)"):
        make()
