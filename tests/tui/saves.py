"""Watch mode without a file system: what is saved, and what the runs that follow tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.pilot import Pilot

from tenxgraph_tui.evaluation.events import RunEvent
from tenxgraph_tui.tui.presets import find
from tests.tui.script import Stage, play, until


async def watching(pilot: Pilot[Any], on: Stage) -> None:
    """Watch mode is on, and would notice what is saved from now on."""
    await pilot.press("w")
    await until(pilot, lambda: bool(on.watchers) and on.watchers[-1].is_on)
    on.app.clear_notifications()  # that no run told of files yet


async def save(pilot: Pilot[Any], on: Stage, *names: str) -> None:
    """Files of the project were saved; waits until that was decided upon."""
    root, known = on.desk.root.resolve(), {name: on.desk.watch.saves.get(name) for name in names}
    on.watchers[-1].on_change(frozenset(root / name for name in names))
    await until(pilot, lambda: all(on.desk.watch.saves.get(n) is not known[n] for n in names))
    await pilot.pause()


def of_run(on: Stage, events: Sequence[RunEvent]) -> list[RunEvent]:
    """The events as the run tells them that was asked for last."""
    run_id = on.children[-1].request.run_id
    return [event.model_copy(update={"run_id": run_id}) for event in events]


async def run_by_save(pilot: Pilot[Any], on: Stage, events: Sequence[RunEvent]) -> None:
    """Agent code is saved, and what the run tells that follows."""
    await watching(pilot, on)
    await save(pilot, on, "agents.py")
    await play(pilot, on, of_run(on, events))


async def armed(pilot: Pilot[Any], on: Stage) -> None:
    """Agent code is saved, while criteria are in use that ask a judge."""
    judged = find(on.desk.choices.presets, "response_quality")
    assert judged is not None
    on.desk.choices.preset = judged
    await watching(pilot, on)
    await save(pilot, on, "agents.py")
    await until(pilot, lambda: on.desk.watch.question is not None)
    await pilot.pause()
