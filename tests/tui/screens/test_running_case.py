"""Looking at a case while it runs: its steps come in, and the cursor goes along with the last."""

from __future__ import annotations

from typing import Any

from textual.pilot import Pilot

from tenxgraph_tui.evaluation.dataset import ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.events import CaseFinished, CaseStarted, CaseStatus, StepStarted
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.widgets.step_pane import Position, StepPane
from tests.tui.script import RUN, Script, Stage, catalog, play, screen_text, stage, until

KEY = CaseKey(0, "a")


class Told(ResultReader):
    """Knows the one result: two calls, the first with another city than expected."""

    def __init__(self) -> None:
        super().__init__(None)

    def read(self, run_id: str, key: CaseKey) -> EvalCaseResult | None:
        calls = [ToolCall(name="get_weather", args={"city": "x"}), ToolCall(name="other")]
        steps = [TrajectoryStep.tool(call.name, call.args) for call in calls]
        verdict = CriterionResult.judged("tool_trajectory_avg_score", Score(0.0), 1.0)
        result = EvalCaseResult.success(key.eval_id, [verdict], steps, calls)
        self._kept[run_id, key] = result
        return result


async def tell(pilot: Pilot[Any], on: Stage, script: Script) -> None:
    """Play what was added since the last time."""
    await play(pilot, on, script.events)
    script.events = []


def at(on: Stage) -> int:
    pane = on.app.screen.query_one(StepPane)
    assert isinstance(pane.position, Position)
    return pane.position.selected


async def test_the_cursor_goes_along_until_it_is_moved_and_then_to_what_went_wrong() -> None:
    over = catalog(weather=("a", "b"))
    on = stage(over, reader=Told())
    async with on.app.run_test(size=(160, 45), notifications=True) as pilot:
        script = Script().begin(over).add(CaseStarted, case=KEY)
        script.add(StepStarted, case=KEY, node="MAIN")
        await pilot.press("2")
        await tell(pilot, on, script)
        assert at(on) == 0
        for number in range(3):
            script.add(StepStarted, case=KEY, node="TOOL", tool=f"look_{number}")
            await tell(pilot, on, script)
        assert at(on) == 3
        assert 'get_weather(city="a")' in screen_text(on.app), "what is expected is still to come"
        assert "▸ now" in screen_text(on.app)

        await pilot.press("d")
        await until(pilot, lambda: "The case still runs." in screen_text(on.app))

        script.add(CaseFinished, case=KEY, status=CaseStatus.FAILED)
        await tell(pilot, on, script)
        await until(pilot, lambda: "first divergence" in screen_text(on.app))
        assert at(on) == 0, "it is put on what went wrong"


async def test_a_cursor_that_was_moved_stays_where_it_is() -> None:
    over = catalog(weather=("a", "b"))
    on = stage(over)
    async with on.app.run_test(size=(160, 45)) as pilot:
        script = Script(RUN).begin(over).add(CaseStarted, case=KEY)
        for number in range(3):
            script.add(StepStarted, case=KEY, node="TOOL", tool=f"look_{number}")
        await pilot.press("enter", "2")
        await tell(pilot, on, script)
        await pilot.press("tab")
        on.app.screen.query_one(StepPane).focus()
        await pilot.press("up", "up")
        assert at(on) == 0
        script.add(StepStarted, case=KEY, node="TOOL", tool="look_again")
        await tell(pilot, on, script)
        assert "look_again" in screen_text(on.app)
        assert at(on) == 0
