"""A project in which everything that has a name has a nasty one: no screen minds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet, ToolCall, TrajectoryStep
from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseStarted,
    CaseStatus,
    CriterionInfo,
    Log,
    Reply,
    RunFinished,
    RunStarted,
    SetInfo,
    StepStarted,
    TurnStarted,
    VerdictPreview,
)
from tenxgraph_tui.evaluation.results import (
    CaseKey,
    CriterionResult,
    EvalCaseResult,
    Score,
    Verdict,
)
from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.catalog import Catalog, SetFile
from tenxgraph_tui.tui.presets import Preset
from tenxgraph_tui.tui.pump import Fact
from tenxgraph_tui.tui.results import ResultReader
from tests.tui.scenes import SCENES, Scene, enter
from tests.tui.screens.test_nasty import CONTROL, MARKUP, NASTY
from tests.tui.script import NOW, RUN, Script, Stage, screen_text, stage

FORBIDDEN = frozenset(chr(code) for code in (*range(9), *range(11, 32), *range(127, 160)))
WORST = (*MARKUP[:2], CONTROL, "two\nlines", "👨‍👩‍👧 family")


def nasty_call(text: str) -> ToolCall:
    return ToolCall(name=text, args={text: [text, {text: text}]}, result=text, error=text)


def nasty_case(eval_id: str) -> EvalCase:
    case = EvalCase.single_turn(
        eval_id,
        eval_id,
        f"{eval_id} and {CONTROL}",
        [nasty_call(eval_id), nasty_call("[/]")],
        [eval_id, "[/]"],
    )
    case.name = case.description = eval_id
    case.tags = [eval_id, CONTROL]
    return case


def nasty_set(text: str, ids: list[str]) -> SetFile:
    whole = EvalSet(
        eval_set_id=text,
        name=text,
        description=text,
        eval_cases=[nasty_case(eval_id) for eval_id in ids],
        metadata={"target": text, "config": text, "tags": [text]},
    )
    path = Path(text.replace("\0", "")) / f"{text.replace('/', '|')}.evalset.json"
    return SetFile.of(FoundSet(path, whole, warnings=(text,)))


def nasty_catalog() -> Catalog:
    files = [nasty_set(CONTROL, NASTY), *(nasty_set(text, ["one"]) for text in WORST[:2])]
    broken = [SetFile(f"{text}.evalset.json", problem=f"{text}: {text}") for text in WORST]
    return Catalog((*files, *broken), CONTROL, (CONTROL,), modules=(CONTROL,), notes=(CONTROL,))


class NastyReader(ResultReader):
    """Finds a nasty result for every case."""

    def __init__(self) -> None:
        super().__init__(None)

    def whole(self, run_id: str, key: CaseKey) -> EvalCaseResult:
        text = key.eval_id
        call = nasty_call(text)
        details: dict[str, Any] = {text: text, "match_type": text, "matched": 1}
        return EvalCaseResult.success(
            text,
            [
                CriterionResult.judged(name, Score(0.2, text, details), 0.5)
                for name in ("tool_trajectory_avg_score", "rouge_match", text)
            ],
            [TrajectoryStep.node(text, NOW), TrajectoryStep.tool(text, call.args, NOW, node=text)],
            [call],
            f"{text}\n{CONTROL}",
            node_visits=[text],
            node_responses=[{"node_name": text, "response_text": text}],
        )


def nasty_run(over: Catalog, *, is_over: bool) -> list[Fact]:
    script = Script()
    criteria = tuple(CriterionInfo(slot=text, name=text, threshold=0.5) for text in WORST)
    sets = tuple(
        SetInfo(
            eval_set_id=file.label,
            file=file.path,
            target=CONTROL,
            config=CONTROL,
            criteria=criteria,
            cases=file.cases,
        )
        for file in over.readable
    )
    script.add(RunStarted, sets=sets, number=18)
    for place, file in enumerate(over.readable):
        for index, case in enumerate(file.cases):
            _tell(script, CaseKey(place, case.eval_id), criteria, runs_on=index < 3 and not is_over)
    if is_over:
        script.add(RunFinished, error=CONTROL)
    return [*script.events]


def _tell(
    script: Script, key: CaseKey, criteria: tuple[CriterionInfo, ...], *, runs_on: bool
) -> None:
    text = key.eval_id
    script.add(CaseStarted, case=key)
    script.add(TurnStarted, case=key, turn=0, of=1)
    script.add(StepStarted, case=key, node=text, tool=text, args=text)
    script.add(Log, case=key, text=text)
    if not runs_on:
        verdicts = tuple(
            VerdictPreview(criterion=c.name, verdict=Verdict.FAILED, score=0.2, threshold=0.5)
            for c in criteria
        )
        status = CaseStatus.ERROR if len(text) % 2 else CaseStatus.FAILED
        fields = {"verdicts": verdicts, "error": text, "reason": text, "response": text}
        script.add(CaseFinished, case=key, status=status, **fields)


def nasty_refusal() -> list[Fact]:
    traceback = f'Traceback:\n  File "{CONTROL}", line 3\n{CONTROL}'
    data = {"traceback": traceback, "remedy": CONTROL}
    reply = Reply(seq=0, at=NOW, run_id=RUN, request="run", error=CONTROL, exit_code=5, data=data)
    return [reply]


def nasty_stage(scene: Scene) -> Stage:
    over = nasty_catalog()
    if scene.state == "empty":
        over = Catalog((), CONTROL, (CONTROL, *MARKUP), modules=(CONTROL,), notes=(CONTROL,))
    on = stage(over, reader=NastyReader())
    for text in WORST:
        on.desk.choices.offer(Preset(text, text, None, problem=text))
    if scene.state == "tour":
        on.app._shared.tour.begin(on.desk)
    return on


async def assert_harmless(pilot: Pilot[Any], on: Stage, width: int) -> None:
    await pilot.pause()
    text = screen_text(on.app)
    assert not set(text) & FORBIDDEN - {"\n"}
    assert {cell_len(line) for line in text.splitlines()} == {width}, text


@pytest.mark.parametrize("size", [(160, 45), (80, 24)], ids=["wide", "small"])
@pytest.mark.parametrize("name", SCENES)
async def test_no_screen_minds(name: str, size: tuple[int, int]) -> None:
    scene = SCENES[name]
    on = nasty_stage(scene)
    facts = {
        "live": lambda: nasty_run(on.desk.catalog, is_over=False),
        "done": lambda: nasty_run(on.desk.catalog, is_over=True),
        "trouble": nasty_refusal,
    }.get(scene.state)
    async with on.app.run_test(size=size, notifications=True) as pilot:
        await enter(pilot, on, scene, facts() if facts else None)
        await assert_harmless(pilot, on, size[0])
        for key in ("pagedown", "end", "up", "down"):
            await pilot.press(key)
            await assert_harmless(pilot, on, size[0])
        for text in WORST:
            toasts.warn(on.app, text, text)
            await assert_harmless(pilot, on, size[0])


@pytest.mark.parametrize("view", ["1", "2", "3", "4", "5", "6"])
async def test_no_case_minds(view: str) -> None:
    on = nasty_stage(SCENES["a case"])
    async with on.app.run_test(size=(100, 30)) as pilot:
        run = nasty_run(on.desk.catalog, is_over=True)
        await enter(pilot, on, Scene("done", ["]", "enter", view]), run)
        for _ in NASTY:
            await assert_harmless(pilot, on, 100)
            await pilot.press("end", "]")


async def test_markup_in_every_place_is_shown_literally() -> None:
    on = nasty_stage(SCENES["after a run"])
    async with on.app.run_test(size=(160, 45)) as pilot:
        await enter(pilot, on, Scene("done"), nasty_run(on.desk.catalog, is_over=True))
        text = screen_text(on.app)
    for shown in MARKUP:
        assert shown in text
