"""Every state of the dashboard of which a picture is kept, and how it comes to that.

Whoever adds a screen or a view adds a row: `pytest tests/tui/snapshots --update-pictures` draws it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from tenxgraph_tui.evaluation.events import Reply
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.look import Look
from tenxgraph_tui.tui.pump import EventPump
from tenxgraph_tui.tui.remembered import Remembered
from tests.tui.saves import save, watching
from tests.tui.script import NOW, Stage, play, stage, until
from tests.tui.snapshots.judged import JudgedResults
from tests.tui.snapshots.tales import Results
from tests.tui.snapshots.watching import after_a_save, asked_first
from tests.tui.snapshots.world import (
    finished,
    project,
    recalled,
    running,
    told_of_baseline,
)

Size = tuple[int, int]
Happening = Callable[[Pilot[Any], Stage], Awaitable[None]]
WIDE, MEDIUM, SMALL = (160, 45), (100, 30), (80, 24)
BOTH, ALL = (WIDE, SMALL), (WIDE, MEDIUM, SMALL)

SOURCE = '''\
def get_forecast(city: str, days: int = 1) -> dict:
    """Forecast for a city."""
    retrun _forecast(city, days)

graph = StateGraph()
'''


async def at_rest(pilot: Pilot[Any], on: Stage) -> None:
    on.app.post_message(EventPump.Drained((recalled(on.desk.catalog),)))
    await until(pilot, lambda: on.desk.last is not None)


async def in_a_run(pilot: Pilot[Any], on: Stage) -> None:
    """A run that was asked for here, so that it can be cancelled here."""
    over = on.desk.catalog
    await pilot.press("r")
    run_id = on.children[-1].request.run_id
    told = [event.model_copy(update={"run_id": run_id}) for event in running(over)]
    await play(pilot, on, [*told, replace(told_of_baseline(over), run_id=run_id)])


async def after_a_run(pilot: Pilot[Any], on: Stage) -> None:
    over = on.desk.catalog
    await play(pilot, on, [*finished(over), told_of_baseline(over)])


async def nothing(pilot: Pilot[Any], on: Stage) -> None:
    """Nothing has happened yet."""


def broken_agent() -> Path:
    """A file in the working directory that cannot be imported."""
    agents = Path("agents.py").absolute()
    agents.write_text(SOURCE, encoding="utf-8")
    return agents


async def in_trouble(pilot: Pilot[Any], on: Stage) -> None:
    await at_rest(pilot, on)
    agents = broken_agent()
    on.desk.root = agents.parent
    await pilot.press("r")
    await play(pilot, on, [syntax_error(on.children[-1].request.run_id, agents)])


def syntax_error(run_id: str, agents: Path) -> Reply:
    """What a worker says of an agent that cannot be imported."""
    return Reply(
        seq=0,
        at=NOW,
        run_id=run_id,
        request="run",
        error="target agents.py:assistant could not be imported, no case was run: SyntaxError: …",
        exit_code=5,
        data={
            "kind": "SyntaxError",
            "message": "invalid syntax",
            "file": str(agents),
            "line": 3,
            "column": 4,
            "end_column": 10,
            "python": ".venv/bin/python (3.12.1)",
            "traceback": ["Traceback (most recent call last):", "SyntaxError: invalid syntax"],
        },
    )


async def in_trouble_after_a_save(pilot: Pilot[Any], on: Stage) -> None:
    """The agent was saved with a mistake in it; the last results stay in sight."""
    await after_a_run(pilot, on)
    agents = broken_agent()
    on.desk.root = agents.parent
    await watching(pilot, on)
    await save(pilot, on, "agents.py")
    await play(pilot, on, [syntax_error(on.children[-1].request.run_id, agents)])


async def with_toasts(pilot: Pilot[Any], on: Stage) -> None:
    await after_a_run(pilot, on)
    toasts.done(on.app, "Saved", "evals/strict.evalconfig.json is preset strict.")
    folder = ".tenxgraph-tui is not writable."
    toasts.warn(on.app, "This run is not stored", f"{folder} Its results are gone when you quit.")


async def on_tour(pilot: Pilot[Any], on: Stage) -> None:
    on.app._shared.tour.begin(on.desk)
    on.app.changed.publish(None)


@dataclass(frozen=True, slots=True)
class State:
    """What has happened, what is pressed then, and in which terminals it is drawn."""

    happening: Happening
    keys: Sequence[str] = ()
    sizes: Sequence[Size] = BOTH
    over: Callable[[], Catalog] = project
    theme: str | None = None
    environ: Mapping[str, str] = field(default_factory=dict)
    reader: Callable[[], Results] = Results

    def set_stage(self) -> Stage:
        look = Look(Loaded(Path()), Remembered(theme=self.theme))
        return stage(self.over(), at=NOW + 24, reader=self.reader(), look=look)


def nowhere() -> Catalog:
    return Catalog((), "travel_agent", ("evals", "tests"))


TABS = {"why": "1", "trajectory": "2", "nodes": "3", "tokens": "4", "chat": "5", "log": "6"}
"""The views of a case and the keys that show them."""
TOKYO, RAISED = ("]",), ("[",)
DIVERGENCE = (*TOKYO, "enter", "2", "d", "enter")
"""What is pressed until the cursor is on a case that failed, or that raised."""
STATES = {
    "live": State(in_a_run, ["down"] * 5, ALL),
    "finished": State(after_a_run, ["]"], ALL),
    "at-rest": State(at_rest, ["]"], ALL),
    "narrow": State(after_a_run, ["]"], [(60, 20)]),
    "filter": State(after_a_run, ["slash", *"status:failed crit:tr"]),
    "sorted": State(after_a_run, ["s", "s", "s"]),
    "columns": State(after_a_run, ["C", "down", "space"]),
    "browser": State(
        after_a_run,
        ["b", "down", "down", "space", "down", "space", "end"],
        ALL,
        lambda: project(is_whole=False),
    ),
    "presets": State(at_rest, ["p", "down", "enter", "down", "space"]),
    "form": State(at_rest, ["p", "t", "down"]),
    "trouble": State(in_trouble, [], ALL),
    "trouble-watching": State(in_trouble_after_a_save),
    "flipped": State(after_a_save, ["]"], ALL),
    "armed": State(asked_first, [], ALL),
    "watched": State(after_a_save, ["W"]),
    "traceback": State(in_trouble, ["6"]),
    "empty": State(nothing, [], ALL, nowhere),
    "palette": State(after_a_run, ["ctrl+p"], ALL),
    "palette-search": State(after_a_run, ["ctrl+p", *"tok"]),
    "help": State(after_a_run, ["?"], ALL),
    "settings": State(nothing, ["comma"]),
    "keys": State(nothing, ["comma", "2"]),
    "light": State(after_a_run, ["]"], theme="tenx-light"),
    "contrast": State(after_a_run, ["]"], [WIDE], theme="tenx-contrast"),
    "no-color": State(after_a_run, ["]"], environ={"NO_COLOR": "1"}),
    "toasts": State(with_toasts, ["]"]),
    "tour": State(on_tour),
    "too-small": State(nothing, sizes=[(39, 10)]),
    **{
        f"pane-{name}": State(after_a_run, [*TOKYO, key], [WIDE, SMALL])
        for name, key in TABS.items()
        if name != "why"
    },
    **{
        f"case-{name}": State(after_a_run, [*TOKYO, "enter", key], ALL)
        for name, key in TABS.items()
    },
    "case-turns": State(after_a_run, ["down"] * 4 + ["enter", "5"]),
    "case-raised": State(after_a_run, [*RAISED, "enter"]),
    "case-raised-log": State(after_a_run, [*RAISED, "enter", "6"], [SMALL]),
    "case-timed-out": State(after_a_run, ["down"] * 8 + ["enter"], [SMALL]),
    "case-judged": State(after_a_run, [*TOKYO, "enter"], ALL, reader=JudgedResults),
    "case-judged-tokens": State(after_a_run, [*TOKYO, "enter", "4"], reader=JudgedResults),
    "case-running": State(in_a_run, ["home", "down", "enter", "2"]),
    "case-running-log": State(in_a_run, ["home", "down", "enter", "6"], [SMALL]),
    "value": State(after_a_run, DIVERGENCE),
    "value-search": State(
        after_a_run, [*TOKYO, "enter", "2", "d", "enter", "slash", *"kyoto", "enter"]
    ),
    "causes": State(after_a_run, ["g"], ALL),
    "what-if": State(after_a_run, ["t", "down", "down", "left", "left"], ALL),
    "export": State(after_a_run, ["e"]),
    "copies": State(after_a_run, [*TOKYO, "y"]),
}
