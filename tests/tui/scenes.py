"""Every screen of the dashboard and every state worth a look, and the keys that lead there.

Whoever adds a screen adds a scene: sizes, texts and keys are tried in each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from textual.pilot import Pilot

from tenxgraph_tui.evaluation.dataset import ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.events import CaseStatus, Log, Reply, RunEvent
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.pump import Fact
from tenxgraph_tui.tui.results import ResultReader
from tests.tui.saves import armed, run_by_save
from tests.tui.script import CRITERIA, NOW, RUN, Script, Stage, live, play, stage

State = Literal[
    "idle", "live", "done", "passed", "trouble", "tour", "empty", "flipped", "armed", "aside"
]
REFUSED = Reply(
    seq=0,
    at=NOW,
    run_id=RUN,
    request="run",
    error="agents.py:3: SyntaxError: invalid syntax",
    exit_code=5,
    data={
        "kind": "SyntaxError",
        "message": "invalid syntax",
        "file": __file__,
        "line": 3,
        "traceback": ["Traceback:", '  File "agents.py", line 3', "SyntaxError: invalid syntax"],
    },
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
    "the nodes of a case": Scene("done", ["]", "enter", "3"]),
    "the tokens of a case": Scene("done", ["]", "enter", "4"]),
    "the chat of a case": Scene("done", ["]", "enter", "5"]),
    "the log of a case": Scene("done", ["]", "enter", "6"]),
    "a search in a log": Scene("done", ["]", "enter", "6", "slash", *"line"]),
    "a value": Scene("done", ["]", "enter", "2", "home", "down", "enter"]),
    "a search in a value": Scene(
        "done", ["]", "enter", "2", "home", "down", "enter", "slash", "e"]
    ),
    "the causes": Scene("done", ["g"]),
    "no causes": Scene("passed", ["g"]),
    "what can be copied": Scene("done", ["y"]),
    "an export": Scene("done", ["e"]),
    "what if": Scene("done", ["t"]),
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
    "what flipped": Scene("flipped"),
    "armed": Scene("armed"),
    "the watched files": Scene("flipped", ["W"]),
    "trouble beside results": Scene("aside"),
    "trouble": Scene("trouble"),
    "its traceback": Scene("trouble", ["6"]),
    "the tour": Scene("tour"),
    "an empty project": Scene("empty"),
}


class FailedReader(ResultReader):
    """Finds for every case a result that failed, long enough to be scrolled through."""

    def __init__(self) -> None:
        super().__init__(None)

    def whole(self, run_id: str, key: CaseKey) -> EvalCaseResult:
        calls = [ToolCall(name=f"tool_{n}", args={"city": f"{n}" * 30}) for n in range(20)]
        steps = [
            step
            for at, call in enumerate(calls)
            for step in (
                TrajectoryStep.node("MAIN", NOW + at),
                TrajectoryStep.tool(call.name, call.args, NOW + at, node="MAIN"),
            )
        ]
        verdicts = [
            CriterionResult.judged(one.name, Score(0.2, "as told " * 40), one.threshold)
            for one in CRITERIA
        ]
        return EvalCaseResult.success(
            key.eval_id,
            verdicts,
            steps,
            calls,
            "This is the answer. " * 60,
            node_visits=["MAIN"] * len(calls),
            node_responses=[
                {
                    "node_name": "MAIN",
                    "response_text": "word " * 60,
                    "token_usage": {"input_tokens": 168, "output_tokens": 44},
                    "timestamp": NOW + at,
                }
                for at in range(len(calls))
            ],
            token_usage=TokenUsage(168 * len(calls), 44 * len(calls)),
        )


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
            for line in range(60):
                level = "warning" if line % 20 == 19 else "info"
                script.add(Log, case=key, text=f"line {line}", level=level)
            script.finish(key, CaseStatus.FAILED, (1.0, 1 / 3, 0.41), duration_seconds=1.9)
        elif place == 2:
            script.finish(key, CaseStatus.ERROR, (), error="timed out after 10 s")
        else:
            script.finish(key)
    return [*script.end().events]


def flipped(over: Catalog) -> list[RunEvent]:
    """The same a second time: what failed passes, and what passed fails, or breaks."""
    script = Script().begin(over, number=19)
    for place, file in enumerate(over.readable):
        for at, case in enumerate(file.cases):
            key = CaseKey(place, case.eval_id)
            if at == 1:
                script.finish(key)
            elif at % 5 == 3:
                script.finish(key, CaseStatus.FAILED, (1.0, 0.5, 0.4))
            elif at == 0:
                script.finish(key, CaseStatus.ERROR, (), error="timed out after 10 s")
            else:
                script.finish(key)
    return script.end().events


def all_passed(over: Catalog) -> list[Fact]:
    """A run to its end in which nothing failed."""
    script = Script().begin(over)
    for place, file in enumerate(over.readable):
        for case in file.cases:
            script.finish(CaseKey(place, case.eval_id))
    return [*script.end().events]


def set_stage(
    scene: Scene, over: Catalog | None = None, *, settings: Loaded | None = None
) -> Stage:
    """The app before anything has happened."""
    if scene.state == "empty":
        over = Catalog((), "nothing", ("/nowhere",))
    on = stage(over, reader=FailedReader(), settings=settings)
    if scene.state == "tour":
        on.app._shared.tour.begin(on.desk)
    return on


def _facts(state: State, over: Catalog) -> Sequence[Fact]:
    match state:
        case "live":
            return live(over)
        case "done" | "flipped" | "armed" | "aside":
            return done(over)
        case "passed":
            return all_passed(over)
        case "trouble":
            return [REFUSED]
    return []


async def enter(
    pilot: Pilot[Any], on: Stage, scene: Scene, facts: Sequence[Fact] | None = None
) -> None:
    """Have it happen; `facts` in place of those that the scenes are made for."""
    over = on.desk.catalog
    if not facts:
        facts = _facts(scene.state, over)
    if facts:
        await play(pilot, on, facts)
    match scene.state:
        case "flipped":
            await run_by_save(pilot, on, flipped(over))
        case "armed":
            await armed(pilot, on)
        case "aside":
            await run_by_save(pilot, on, [REFUSED])
    await pilot.pause()
    for key in scene.keys:
        await pilot.press(key)
    await pilot.pause()
