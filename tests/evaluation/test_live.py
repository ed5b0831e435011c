"""The steps of a case that runs: announced, ended, and never more than are kept."""

from __future__ import annotations

from typing import Any

import pytest

from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseInfo,
    CaseRestarted,
    CaseStarted,
    CaseStatus,
    RunFinished,
    RunStarted,
    SetInfo,
    StepRecorded,
    StepStarted,
    TurnStarted,
)
from tenxgraph_tui.evaluation.live import KEPT_STEPS, LiveSteps
from tenxgraph_tui.evaluation.progress import RunState
from tenxgraph_tui.evaluation.results import CaseKey

KEY = CaseKey(0, "a")


def began(at: float, node: str = "MAIN", tool: str | None = None, args: str = "") -> StepStarted:
    return StepStarted(seq=0, at=at, run_id="r", case=KEY, node=node, tool=tool, args=args)


def ended(at: float, node: str = "MAIN", **fields: Any) -> StepRecorded:
    return StepRecorded(seq=0, at=at, run_id="r", case=KEY, node=node, **fields)


@pytest.fixture
def state() -> RunState:
    """A run whose only case has begun."""
    made = RunState()
    sets = (SetInfo(eval_set_id="s", cases=(CaseInfo(eval_id="a"),)),)
    made.apply(RunStarted(seq=0, at=0.0, run_id="r", sets=sets))
    made.apply(CaseStarted(seq=1, at=1.0, run_id="r", case=KEY))
    return made


def steps(state: RunState) -> LiveSteps:
    found = state.cases[KEY].live
    assert found is not None
    return found


def test_a_step_is_there_from_its_begin_and_has_a_duration_from_its_end(state: RunState) -> None:
    state.apply(began(1.0))
    state.apply(began(1.5, tool="get_weather", args='city="Tokyo"'))
    assert [(step.node, step.tool, step.seconds) for step in steps(state)] == [
        ("MAIN", None, None),
        ("MAIN", "get_weather", None),
    ]
    state.apply(ended(1.75, tool="get_weather", args='city="Tokyo"', seconds=0.25, tokens=3))
    state.apply(ended(2.0))
    assert [(step.at, step.seconds, step.tokens) for step in steps(state)] == [
        (1.0, 1.0, 0),
        (1.5, 0.25, 3),
    ]


def test_calls_of_one_tool_side_by_side_end_each_for_itself(state: RunState) -> None:
    for city in ("Tokyo", "Kyoto"):
        state.apply(began(1.0, tool="look", args=f'city="{city}"'))
    state.apply(ended(2.0, tool="look", args='city="Kyoto"', seconds=1.0, error="no"))
    assert [(step.args, step.seconds, step.error) for step in steps(state)] == [
        ('city="Tokyo"', None, None),
        ('city="Kyoto"', 1.0, "no"),
    ]


def test_a_step_that_was_not_announced_is_there_when_it_ends(state: RunState) -> None:
    state.apply(ended(3.0, node="WRITER", seconds=0.5))
    assert [(step.node, step.at, step.seconds) for step in steps(state)] == [("WRITER", 2.5, 0.5)]


def test_steps_carry_their_turn_and_a_case_that_begins_again_has_none(state: RunState) -> None:
    state.apply(TurnStarted(seq=0, at=1.0, run_id="r", case=KEY, turn=1, of=2))
    state.apply(began(1.0))
    assert [step.turn for step in steps(state)] == [1]
    state.apply(CaseRestarted(seq=0, at=2.0, run_id="r", case=KEY, reason="blocked"))
    assert list(steps(state)) == []


def test_an_agent_that_goes_round_in_circles_fills_no_memory(state: RunState) -> None:
    for number in range(KEPT_STEPS + 5):
        state.apply(began(float(number), node=f"N{number}"))
    assert len(steps(state)) == KEPT_STEPS
    assert steps(state).forgotten == 5
    assert next(iter(steps(state))).node == "N5"


def test_steps_are_forgotten_when_the_case_or_the_run_is_over(state: RunState) -> None:
    state.apply(began(1.0))
    state.apply(CaseFinished(seq=0, at=2.0, run_id="r", case=KEY, status=CaseStatus.PASSED))
    assert state.cases[KEY].live is None
    state.apply(began(3.0))
    assert state.cases[KEY].live is None, "what comes late is of nobody any more"


def test_a_run_that_is_broken_off_keeps_no_steps(state: RunState) -> None:
    state.apply(began(1.0))
    state.apply(RunFinished(seq=0, at=2.0, run_id="r", was_cancelled=True))
    assert state.cases[KEY].live is None
