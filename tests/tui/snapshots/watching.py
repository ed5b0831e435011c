"""What pictures of watch mode show: a save that made cases flip, a question, a mistake."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from textual.pilot import Pilot

from tenxgraph_tui.evaluation.events import CaseStatus, RunEvent
from tenxgraph_tui.session.models import Price
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.pump import EventPump
from tests.tui.saves import armed, of_run, save, watching
from tests.tui.script import Script, Stage, play
from tests.tui.snapshots.outcomes import outcome
from tests.tui.snapshots.world import (
    BEFORE,
    RUN_BEFORE,
    finished,
    in_run,
    told_of_baseline,
)


def earlier(over: Catalog) -> list[RunEvent]:
    """Run 17, as it stands when watch mode begins."""
    script = Script(RUN_BEFORE).begin(over, BEFORE)
    for key in in_run(over):
        status = outcome(key.eval_id).before or CaseStatus.PASSED
        script.finish(key, status, error="timed out" if status is CaseStatus.ERROR else None)
    return script.end().events


async def after_a_save(pilot: Pilot[Any], on: Stage) -> None:
    """The agent was saved, and run 18 is what came of it."""
    over = on.desk.catalog
    await play(pilot, on, earlier(over))
    await watching(pilot, on)
    await save(pilot, on, "agents.py")
    await play(pilot, on, of_run(on, finished(over)))
    run_id = on.children[-1].request.run_id
    compared = replace(told_of_baseline(over), run_id=run_id)
    on.app.post_message(EventPump.Drained((compared,)))


async def asked_first(pilot: Pilot[Any], on: Stage) -> None:
    """The agent was saved while criteria are in use that ask a judge."""
    over = on.desk.catalog
    await play(pilot, on, [*finished(over), told_of_baseline(over)])
    judges = on.desk.choices.judges
    judges.prices = lambda *_: Price(0.3, 2.5)
    judges.look_up(["gemini-2.5-flash"])
    await armed(pilot, on)
