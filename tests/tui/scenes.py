"""Every screen of the dashboard and every state worth a look, and the keys that lead there.

Whoever adds a screen adds a scene: sizes, texts and keys are tried in each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from textual.pilot import Pilot

from tenxgraph_tui.evaluation.events import CaseStatus, Reply
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.pump import Fact
from tests.tui.script import NOW, RUN, Script, Stage, live, play, stage

State = Literal["idle", "live", "done", "trouble", "tour", "empty"]
REFUSED = Reply(
    seq=0,
    at=NOW,
    run_id=RUN,
    request="run",
    error="agents.py:3: SyntaxError: invalid syntax",
    exit_code=5,
    data={"traceback": 'Traceback:\n  File "agents.py", line 3\nSyntaxError: invalid syntax'},
)


@dataclass(frozen=True, slots=True)
class Scene:
    """What has happened, and what is pressed then."""

    state: State
    keys: Sequence[str] = ()


SCENES = {
    "before a run": Scene("idle"),
    "a run": Scene("live"),
    "after a run": Scene("done"),
    "a case below the others": Scene("done", ["]", "2"]),
    "a case": Scene("done", ["]", "enter"]),
    "the trajectory of a case": Scene("done", ["]", "enter", "2"]),
    "a running case": Scene("live", ["home", "enter"]),
    "the eval sets": Scene("done", ["b"]),
    "the presets": Scene("idle", ["p"]),
    "the criteria": Scene("idle", ["p", "t"]),
    "a value of a criterion": Scene("idle", ["p", "t", "tab", "enter"]),
    "a name for a config": Scene("idle", ["p", "S"]),
    "the help": Scene("done", ["?"]),
    "the palette": Scene("done", ["ctrl+p"]),
    "a search in the palette": Scene("done", ["ctrl+p", "e"]),
    "the settings": Scene("idle", ["comma"]),
    "the keys": Scene("idle", ["comma", "2"]),
    "the colours": Scene("idle", ["ctrl+p", *"colours", "enter"]),
    "the columns": Scene("done", ["C"]),
    "the filter": Scene("done", ["slash", *"sta"]),
    "a filter with a mistake": Scene("done", ["slash", *"statsu:x"]),
    "a filter that nothing matches": Scene("done", ["slash", *"nowhere", "enter"]),
    "a toast": Scene("idle", ["f"]),
    "trouble": Scene("trouble"),
    "its traceback": Scene("trouble", ["6"]),
    "the tour": Scene("tour"),
    "an empty project": Scene("empty"),
}


def done(over: Catalog) -> list[Fact]:
    """A run to its end: the first failed, then an error, the rest passed."""
    script = Script().begin(over)
    keys = [
        CaseKey(place, case.eval_id)
        for place, file in enumerate(over.readable)
        for case in file.cases
    ]
    for place, key in enumerate(keys):
        if place == 1:
            script.finish(key, CaseStatus.FAILED, (1.0, 1 / 3, 0.41), duration_seconds=1.9)
        elif place == 2:
            script.finish(key, CaseStatus.ERROR, (), error="timed out after 10 s")
        else:
            script.finish(key)
    return [*script.end().events]


def set_stage(scene: Scene, over: Catalog | None = None) -> Stage:
    """The app before anything has happened."""
    on = stage(Catalog((), "nothing", ("/nowhere",)) if scene.state == "empty" else over)
    if scene.state == "tour":
        on.app._shared.tour.begin(on.desk)
    return on


async def enter(
    pilot: Pilot[Any], on: Stage, scene: Scene, facts: Sequence[Fact] | None = None
) -> None:
    """Have it happen; `facts` in place of those that the scenes are made for."""
    over = on.desk.catalog
    made = {"live": live, "done": done}.get(scene.state)
    if scene.state == "trouble":
        facts = facts or [REFUSED]
    elif made is not None:
        facts = facts or made(over)
    if facts:
        await play(pilot, on, facts)
    await pilot.pause()
    for key in scene.keys:
        await pilot.press(key)
    await pilot.pause()
