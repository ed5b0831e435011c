"""The same behaviour gives the same calls, answers and verdicts, whatever kind of agent it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation.config import ReporterConfig
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.evaluation.results import EvalCaseResult, EvalReport
from tenxgraph_tui.evaluation.watched import WatchedEvaluation
from tests.parity.corpus import CASE
from tests.targets.playing import KINDS, Kind, replay, sample

CONFIG = EvalPresets.combine(
    EvalPresets.tool_usage(strict=False), EvalPresets.quick_check()
).model_copy(update={"reporter": ReporterConfig(enabled=False), "parallel": True})


def evaluated(kind: Kind, name: str, folder: Path) -> EvalReport:
    eval_set, scripts = sample(name)
    for case in eval_set.eval_cases:
        case.session_input.config[CASE] = case.eval_id
    return WatchedEvaluation(eval_set, kind(eval_set, scripts, folder), CONFIG).here()


@pytest.mark.parametrize("name", ["weather", "support", "library", "trains", "odd"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_everywhere(
    kind: Kind, name: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    report = evaluated(kind, name, tmp_path)

    _, scripts = sample(name)
    assert report.results
    for result in report.results:
        did_what_the_script_says(result, scripts[result.eval_id]["turns"])
    as_replayed = verdicts(evaluated(replay, name, tmp_path_factory.mktemp("replayed")))
    assert verdicts(report) == as_replayed


def did_what_the_script_says(result: EvalCaseResult, turns: list[dict[str, Any]]) -> None:
    at = result.eval_id
    scripted = [
        call for turn in turns for step in turn.get("steps", []) for call in step["tool_calls"]
    ]
    failed = [call for call in scripted if "error" in call or "unregistered" in call]
    assert [(call.name, call.args) for call in result.actual_tool_calls] == [
        (call["name"], call["args"]) for call in scripted
    ], at
    for call, planned in zip(result.actual_tool_calls, scripted, strict=True):
        if planned in failed:
            assert planned.get("error", planned["name"]) in str(call.error), at
        else:
            assert (call.result, call.error) == (planned.get("result"), None), at
    answers = [turn.get("response", "") for turn in turns]
    assert [turn["actual_response"] for turn in result.turn_results] == answers, at
    if raised := [turn["raise"] for turn in turns if "raise" in turn]:
        assert raised[0] in str(result.error), at


def verdicts(report: EvalReport) -> dict[str, Any]:
    """What was judged, and how; the words of an agent's error are its own kind's."""
    return {
        result.eval_id: (
            result.passed,
            result.error is None,
            {r.criterion: (r.verdict, round(r.score, 9)) for r in result.criterion_results},
        )
        for result in report.results
    }
