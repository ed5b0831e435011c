"""A run that was judged again ends with a word about how far it agrees."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.events import RunRef
from tenxgraph_tui.session.disagreement import Disagreement, Disagreements
from tenxgraph_tui.session.workers import WorkerExit
from tenxgraph_tui.tui.second_opinion import SecondOpinion, in_words
from tests.tui.script import Script, Stage, play, stage, until


def other(eval_id: str, criterion: str = "rouge_match") -> Disagreement:
    return Disagreement("s", eval_id, 0, criterion, "passed 0.80", "failed 0.40")


@pytest.mark.parametrize(
    ("found", "told"),
    [
        pytest.param(Disagreements((), 5), "No verdict differs from #8.", id="none"),
        pytest.param(
            Disagreements((other("a"),), 5), "1 verdict differs from #8, in 1 of 5 cases.", id="one"
        ),
        pytest.param(
            Disagreements((other("a"), other("a", "trajectory"), other("b")), 5),
            "3 verdicts differ from #8, in 2 of 5 cases.",
            id="several of a case",
        ),
        pytest.param(
            Disagreements((), 0), "No case has verdicts in both this run and #8.", id="no case"
        ),
    ],
)
def test_it_is_one_sentence(found: Disagreements, told: str) -> None:
    assert in_words(found, "#8") == told


def told_by(on: Stage) -> list[tuple[str, str]]:
    return [(toast.title, str(toast.message)) for toast in on.app._notifications]


@pytest.mark.parametrize("is_broken", [False, True])
async def test_the_end_of_a_second_judgement_is_told_and_that_of_a_run_is_not(
    is_broken: bool,
) -> None:
    on = stage()
    asked: list[tuple[str, str]] = []

    def compare(run_id: str, before: str) -> Disagreements:
        asked.append((run_id, before))
        if is_broken:
            raise StoreError("the disk is gone")
        return Disagreements((), 5)

    on.app._companions.append(SecondOpinion(on.desk, compare))
    async with on.app.run_test(size=(160, 45), notifications=True) as pilot:
        await over(pilot, on)
        assert not asked
        await over(pilot, on, judged_from=RunRef(run_id="before", number=8))
        await until(pilot, lambda: bool(told_by(on)))
        told = (
            "It cannot be compared: the disk is gone"
            if is_broken
            else "No verdict differs from #8."
        )
        assert told_by(on) == [("– Judged again", told)]
        assert asked == [(on.desk.state.run_id, "before")]


async def over(pilot: Pilot[Any], on: Stage, **fields: Any) -> None:
    """A run is asked for, begins and ends."""
    before = len(on.children)
    on.app.begin_run()
    await until(pilot, lambda: len(on.children) > before)  # the worker before may still leave
    run_id = on.children[-1].request.run_id
    await play(pilot, on, Script(run_id).begin(on.desk.catalog, **fields).end().events)
    on.children[-1].on_exit(WorkerExit(0, False, False, ()))
    await until(pilot, lambda: not on.desk.is_busy)
