"""What the screen tests share: a recorded run, an app over it, and ways to look at the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textual.app import App
from textual.pilot import Pilot

from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet, ToolCall
from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseInfo,
    CaseStarted,
    CaseStatus,
    CriterionInfo,
    RunEvent,
    RunFinished,
    RunStarted,
    SetInfo,
    StepStarted,
    TurnStarted,
    VerdictPreview,
)
from tenxgraph_tui.evaluation.execution import TokenUsage
from tenxgraph_tui.evaluation.results import CaseKey, Verdict
from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.session.watching.followed import Followed
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.tui.app import TenxApp
from tenxgraph_tui.tui.catalog import Catalog, SetFile
from tenxgraph_tui.tui.choices import Choices, chosen, presets
from tenxgraph_tui.tui.control import OnEvent, OnExit, RunControl
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.historian import Historian
from tenxgraph_tui.tui.lines.notices import Empty
from tenxgraph_tui.tui.look import Look
from tenxgraph_tui.tui.past_runs import PastRuns
from tenxgraph_tui.tui.pump import EventPump
from tenxgraph_tui.tui.remembered import Remembered
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.watching.saves import OnChange, OnNote

NOW = 1_800_000_000.0
RUN = "run-1"
CRITERIA = (
    CriterionInfo(slot="tool_name_match", name="tool_name_match_score", threshold=1.0),
    CriterionInfo(slot="trajectory", name="tool_trajectory_avg_score", threshold=1.0),
    CriterionInfo(slot="rouge_match", name="rouge_match", threshold=0.5),
)
WEATHER = (
    "london_now",
    "tokyo_forecast",
    "osaka_weekend",
    "kobe_wind",
    "paris_then_rome_then_home",
    "fahrenheit_for_us_cities",
    "two_cities_compared",
    "missing_city_asks_back",
    "seven_day_table",
    "münchen_umlaut",
    "refuses_stock_advice",
    "tool_down_falls_back",
    "pollen_and_uv",
)
SUPPORT = (
    "refund_denied_by_policy",
    "change_address_then_confirm",
    "escalates_angry_customer",
    "two_orders_one_email",
    "closes_the_account",
)


def eval_set(name: str, ids: Sequence[str], **metadata: Any) -> EvalSet:
    cases = [
        EvalCase.single_turn(
            eval_id,
            f"What about {eval_id}?",
            f"This is about {eval_id}.",
            [ToolCall(name="get_weather", args={"city": eval_id})],
        )
        for eval_id in ids
    ]
    return EvalSet(eval_set_id=name, name=name, eval_cases=cases, metadata=metadata)


def catalog(**sets: Sequence[str]) -> Catalog:
    """A catalog of `name=ids`; without any, the two sets that the script is about."""
    named = sets or {"weather": WEATHER, "support": SUPPORT}
    made = {name: eval_set(name, ids, target="agents.py:assistant") for name, ids in named.items()}
    files = [SetFile.of(FoundSet(Path(f"{name}.evalset.json"), one)) for name, one in made.items()]
    return Catalog(tuple(files), "sample_evalsets", ("sample_evalsets",))


class FakeChild:
    """Stands for a worker; a test plays what it tells."""

    def __init__(self, request: WorkerRequest, on_event: OnEvent, on_exit: OnExit) -> None:
        self.request, self.on_event, self.on_exit = request, on_event, on_exit
        self.calls: list[str] = []

    def cancel(self, case: CaseKey | None = None) -> None:
        self.calls.append(f"cancel {case.eval_id}" if case else "cancel")

    def stop_in_background(self) -> None:
        self.calls.append("stop")

    def stop(self, grace: float) -> bool:
        self.calls.append(f"stop within {grace}")
        return True


class FakeWatcher:
    """Stands for a watcher of files; a test says what was saved."""

    def __init__(self, followed: Followed, on_change: OnChange, on_note: OnNote) -> None:
        self.followed, self.on_change, self.on_note = followed, on_change, on_note
        self.is_on = False

    def start(self, *, since: float | None = None) -> None:
        self.since, self.is_on = since, True

    def follow(self, followed: Followed, *, since: float | None = None) -> None:
        self.followed = followed

    def stop(self) -> bool:
        self.is_on = False
        return True


@dataclass
class Stage:
    """An app over a catalog, and the children and watchers that it started."""

    app: TenxApp
    children: list[FakeChild] = field(default_factory=list)
    watchers: list[FakeWatcher] = field(default_factory=list)

    @property
    def desk(self) -> Desk:
        return self.app.desk

    @property
    def remembered(self) -> Remembered:
        return self.app._shared.remembered


def stage(
    over: Catalog | None = None,
    *,
    at: float = NOW + 10,
    reader: ResultReader | None = None,
    store: RunStore | None = None,
    look: Look | None = None,
    settings: Loaded | None = None,
    read: Callable[[], Catalog] | None = None,
) -> Stage:
    over = over if over is not None else catalog()
    entries = presets(over)
    desk = Desk(over, Choices(entries, chosen(entries, None)), Path())
    children: list[FakeChild] = []

    def launch(request: WorkerRequest, on_event: OnEvent, on_exit: OnExit) -> FakeChild:
        children.append(FakeChild(request, on_event, on_exit))
        return children[-1]

    watchers: list[FakeWatcher] = []

    def watcher(followed: Followed, on_change: OnChange, on_note: OnNote) -> FakeWatcher:
        watchers.append(FakeWatcher(followed, on_change, on_note))
        return watchers[-1]

    pump = EventPump()
    app = TenxApp(
        desk,
        pump=pump,
        control=RunControl(pump, launch),
        reader=reader or ResultReader(None),
        empty=Empty(over.looked_in),
        clock=lambda: at,
        look=look,
        settings=settings,
        past=PastRuns(store, pump) if store is not None else None,
        companions=[Historian(store, desk, pump)] if store is not None else [],
        read=read,
        watcher=watcher,
    )
    return Stage(app, children, watchers)


class Script:
    """Writes down a run, one second an event."""

    def __init__(self, run_id: str = RUN) -> None:
        self.run_id = run_id
        self.events: list[RunEvent] = []

    def add(self, kind: Callable[..., RunEvent], **fields: Any) -> Script:
        seq = len(self.events)
        self.events.append(kind(seq=seq, at=NOW + seq / 4, run_id=self.run_id, **fields))
        return self

    def begin(self, over: Catalog, number: int = 18, **fields: Any) -> Script:
        sets = tuple(
            SetInfo(
                eval_set_id=file.label,
                file=file.path,
                target="agents.py:assistant",
                config="offline (default)",
                criteria=CRITERIA,
                cases=tuple(
                    CaseInfo(eval_id=case.eval_id, turns=case.turns) for case in file.cases
                ),
            )
            for file in over.readable
        )
        return self.add(RunStarted, sets=sets, number=number, **fields)

    def finish(
        self,
        key: CaseKey,
        status: CaseStatus = CaseStatus.PASSED,
        scores: Sequence[float | None] = (1.0, 1.0, 0.91),
        **fields: Any,
    ) -> Script:
        verdicts = tuple(verdict(*pair) for pair in zip(CRITERIA, scores, strict=False))
        values = {"usage": TokenUsage(400, 12), "duration_seconds": 1.2} | fields
        self.add(CaseStarted, case=key)
        return self.add(CaseFinished, case=key, status=status, verdicts=verdicts, **values)

    def end(self, **fields: Any) -> Script:
        return self.add(RunFinished, **fields)


def verdict(criterion: CriterionInfo, score: float | None) -> VerdictPreview:
    state = Verdict.NOT_EVALUATED
    if score is not None:
        state = Verdict.PASSED if score >= criterion.threshold else Verdict.FAILED
    return VerdictPreview(
        criterion=criterion.name, verdict=state, score=score or 0.0, threshold=criterion.threshold
    )


def live(over: Catalog | None = None) -> list[RunEvent]:
    """A run in the middle of its work: passed, failed, an error, three that run, some that wait."""
    script = Script().begin(over or catalog())
    weather = [CaseKey(0, name) for name in WEATHER]
    script.finish(weather[0])
    script.finish(weather[1], CaseStatus.FAILED, (1.0, 1 / 3, 0.41), duration_seconds=1.9)
    script.finish(weather[2], CaseStatus.FAILED, (1.0, 0.5, 0.66))
    script.finish(weather[4], scores=(1.0, 1.0, 0.83), duration_seconds=64.0)
    script.finish(
        weather[8],
        CaseStatus.ERROR,
        (),
        error="timed out after 10 s",
        usage=TokenUsage(),
        duration_seconds=10.0,
    )
    script.finish(weather[10], scores=(1.0, 1.0, None))
    for key, node, step in (
        (CaseKey(1, SUPPORT[0]), "MAIN", None),
        (CaseKey(1, SUPPORT[1]), "TOOL", "update_address"),
        (CaseKey(1, SUPPORT[2]), "TOOL", "find_orders"),
    ):
        script.add(CaseStarted, case=key)
        script.add(TurnStarted, case=key, turn=0, of=1)
        script.add(StepStarted, case=key, node=node, tool=step, args='order="A-1077"')
    return script.events


SCRIPT = live()


async def until(pilot: Pilot[Any], condition: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait for a fact, not for a time."""
    for _ in range(int(seconds / 0.02)):
        if condition():
            return
        await pilot.pause(0.02)
    assert condition(), f"never happened; the screen shows:\n{screen_text(pilot.app)}"


def screen_text(app: App[Any]) -> str:
    """What the screen shows, as plain text."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in line) for line in lines)


async def play(pilot: Pilot[Any], on: Stage, events: Sequence[Any]) -> None:
    """Give the app what a worker tells, and wait until it was taken in."""
    version = on.desk.state.version
    on.app.post_message(EventPump.Drained(tuple(events)))
    await until(pilot, lambda: on.desk.state.version != version or on.desk.trouble is not None)
    await pilot.pause()
