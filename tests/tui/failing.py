"""A run that failed in several ways, kept in a store: what causes and thresholds are tried on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet, ToolCall
from tenxgraph_tui.evaluation.events import RunFinished, RunStarted
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.evaluation.results import CaseKey, CriterionResult, EvalCaseResult, Score
from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.tui.catalog import Catalog, SetFile
from tenxgraph_tui.tui.idle import criteria_of
from tenxgraph_tui.tui.results import ResultReader
from tests.tui.script import NOW, Script, Stage, stage

CONFIG = EvalPresets.combine(EvalPresets.tool_usage(strict=False), EvalPresets.quick_check())


def call(name: str, **args: Any) -> ToolCall:
    return ToolCall(name=name, args=args)


@dataclass(frozen=True, slots=True)
class Told:
    """One case: what was expected, what was called, how alike the answers are."""

    eval_id: str
    expected: Sequence[ToolCall] = (call("get_weather", city="Oslo"),)
    calls: Sequence[ToolCall] = (call("get_weather", city="Oslo"),)
    rouge: float = 0.9
    error: str = ""
    place: str = ""
    xfail: str = ""


def other_city(eval_id: str, city: str, rouge: float = 0.9) -> Told:
    expected, calls = [call("get_forecast", city=city)], [call("get_forecast", city="Kyoto")]
    return Told(eval_id, expected, calls, rouge)


CASES = (
    Told("fine"),
    other_city("tokyo_forecast", "Tokyo", rouge=0.41),
    other_city("osaka_weekend", "Osaka"),
    other_city("kobe_wind", "Kobe"),
    Told("no_alerts", [call("get_alerts")], [call("get_weather")]),
    Told("nearly", rouge=0.45),
    Told("raises", error="KeyError: 'city'", place="agents.py:31"),
    Told("known", rouge=0.2, xfail="not yet"),
)


def catalog_of(cases: Sequence[Told] = CASES, name: str = "weather") -> Catalog:
    made = []
    for one in cases:
        case = EvalCase.single_turn(one.eval_id, "?", "An answer.", list(one.expected))
        case.metadata.update({"xfail": one.xfail} if one.xfail else {})
        made.append(case)
    whole = EvalSet(eval_set_id=name, name=name, eval_cases=made)
    return Catalog((SetFile.of(FoundSet(Path(f"{name}.evalset.json"), whole)),), "samples")


def result_of(one: Told, config: EvalConfig = CONFIG) -> EvalCaseResult:
    """What the worker would have kept of it."""
    if one.error:
        broken = EvalCaseResult.failure(one.eval_id, one.error)
        broken.metadata["location"] = one.place
        return broken
    thresholds = {info.name: info.threshold for info in criteria_of(config)}
    same = [wanted == given for wanted, given in zip(one.expected, one.calls, strict=False)]
    named = [
        wanted.name == given.name for wanted, given in zip(one.expected, one.calls, strict=False)
    ]
    scores = {
        "tool_name_match_score": Score(sum(named) / len(one.expected), "names"),
        "tool_trajectory_avg_score": Score(
            sum(same) / len(one.expected), "calls", {"match_type": "IN_ORDER", "check_args": True}
        ),
        "rouge_match": Score(one.rouge, "words differ"),
    }
    verdicts = [
        CriterionResult.judged(name, score, thresholds[name])
        for name, score in scores.items()
        if name in thresholds
    ]
    result = EvalCaseResult.success(
        one.eval_id, verdicts, actual_tool_calls=list(one.calls), actual_response="An answer."
    )
    if one.xfail:
        result.metadata["unexpected_pass" if result.passed else "xfailed"] = one.xfail
        result.passed = True
    return result


def kept(path: Path, cases: Sequence[Told] = CASES, config: EvalConfig = CONFIG) -> RunStore:
    """A store with one run of the cases."""
    store = RunStore(path / "runs.db", clock=lambda: NOW)
    over = catalog_of(cases)
    with store.writer("run", configs=[config.model_dump(mode="json")]) as writer:
        script = Script("run").begin(over, number=writer.number)
        begun = script.events[0]
        assert isinstance(begun, RunStarted)
        infos = tuple(
            info.model_copy(update={"criteria": criteria_of(config)}) for info in begun.sets
        )
        writer.started(begun.model_copy(update={"sets": infos}))
        for one in cases:
            writer.save(CaseKey(0, one.eval_id), result_of(one, config))
        writer.finished(RunFinished(seq=1, at=NOW, run_id="run"))
    return store


def shown(store: RunStore, cases: Sequence[Told] = CASES) -> Stage:
    """The dashboard, and the run told to it."""
    on = stage(catalog_of(cases), reader=ResultReader(store))
    for event in store.events("run"):
        on.desk.apply(event)
    return on
