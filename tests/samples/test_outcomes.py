"""Every sample case comes out as its description promises, under both configs that CI uses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation.config import CriteriaConfig, CriterionConfig, EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseStatus,
    RunEvent,
    RunFinished,
    RunStarted,
)
from tenxgraph_tui.evaluation.formats import read_eval_set
from tenxgraph_tui.evaluation.plan import RunOptions, SetPlan
from tenxgraph_tui.evaluation.presets import PRESETS
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.evaluation.runner import Run
from tenxgraph_tui.evaluation.stream import EventStream
from tenxgraph_tui.targets import resolve

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "sample_evalsets"
GOOD = ("library", "support", "trains", "weather")
EXPECTED = json.loads((ROOT / ".ci/expected.json").read_text(encoding="utf-8"))


class Kept:
    """A sink that keeps the results in memory."""

    def __init__(self) -> None:
        self.results: dict[str, EvalCaseResult] = {}

    def started(self, event: RunStarted) -> None: ...

    def save(self, key: CaseKey, result: EvalCaseResult) -> None:
        self.results[key.eval_id] = result

    def finished(self, event: RunFinished) -> None: ...


def without_waiting(name: str) -> EvalSet:
    eval_set = read_eval_set(FOLDER / f"{name}.evalset.json").eval_set
    for case in eval_set.eval_cases:
        case.session_input.config["pace"] = 0
    return eval_set


def play(
    names: tuple[str, ...], config: EvalConfig, *, target: str = "", timeout: float = 60
) -> tuple[dict[str, list[str]], dict[str, EvalCaseResult]]:
    """The case ids by status, and the results by case id."""
    plans = [
        SetPlan(
            eval_set,
            resolve(target.format(name=name) or eval_set.metadata["target"], base=FOLDER),
            config,
        )
        for name in names
        for eval_set in [without_waiting(name)]
    ]
    events: list[RunEvent] = []
    kept = Kept()
    options = RunOptions(max_concurrency=20, timeout=timeout)
    stream = EventStream(events.append, run_id=options.run_id)
    Run(plans, options, stream, kept).execute()
    return outcome(events), kept.results


def outcome(events: list[RunEvent]) -> dict[str, list[str]]:
    finished = [event for event in events if isinstance(event, CaseFinished)]
    found = {
        str(status): sorted(event.case.eval_id for event in finished if event.status == status)
        for status in (CaseStatus.FAILED, CaseStatus.ERROR, CaseStatus.SKIPPED)
    }
    return {**found, "known": [event.case.eval_id for event in finished if event.known]}


def promised(run: str) -> dict[str, list[str]]:
    expected: dict[str, Any] = EXPECTED[run]
    return {key: sorted(expected[key]) for key in ("failed", "error", "skipped", "known")}


@pytest.mark.parametrize(
    ("preset", "run"),
    [
        pytest.param("tool_usage", "good_sets_tool_usage", id="when tools alone are checked"),
        pytest.param("offline", "good_sets_no_preset", id="when answers are checked too"),
    ],
)
def test_the_good_sets_fail_exactly_where_they_should(preset: str, run: str) -> None:
    found, results = play(GOOD, PRESETS[preset]())
    assert found == promised(run)
    assert len(results) == 37


@pytest.mark.parametrize("preset", ["tool_usage", "offline"])
def test_without_a_short_timeout_the_slow_case_is_merely_slow(preset: str) -> None:
    found, results = play(("broken",), PRESETS[preset]())
    assert found["error"] == ["agent_raises", "nothing_to_check"]
    assert found["failed"] == []
    assert results["answers_after_eight_seconds"].passed
    assert "429" in str(results["agent_raises"].error)
    assert results["nothing_to_check"].error is not None


def test_a_tool_that_raises_is_evidence_and_no_error() -> None:
    _, results = play(("broken",), PRESETS["offline"]())
    (call,) = results["tool_raises"].actual_tool_calls
    assert call.error is not None
    assert "no weather station in Atlantis" in call.error
    assert results["tool_raises"].passed


def test_what_happened_before_the_agent_raised_is_kept() -> None:
    _, results = play(("broken",), PRESETS["offline"]())
    (call,) = results["agent_raises"].actual_tool_calls
    assert call.args == {"city": "Lisbon"}
    assert call.result == {"sky": "partly cloudy", "celsius": 22, "wind_kmh": 25}


def test_the_expected_nodes_are_those_that_the_graphs_visit() -> None:
    node_order = CriteriaConfig(node_order=CriterionConfig.node_order())
    _, results = play(GOOD, EvalConfig(criteria=node_order))
    stated = {
        case.eval_id
        for name in GOOD
        for case in without_waiting(name).eval_cases
        if case.expected_nodes()
    }
    assert len(stated) >= 5
    assert [key for key in sorted(stated) if not results[key].passed] == []


def test_replaying_the_scripts_gives_the_same_verdicts_as_the_agents() -> None:
    names = ("library", "trains")
    config = PRESETS["offline"]()
    played, results = play(names, config)
    replayed, again = play(names, config, target="replay:{name}.script.json")
    assert replayed == played
    for key, result in results.items():
        assert again[key].actual_response == result.actual_response
        assert again[key].actual_tool_calls == result.actual_tool_calls
        assert again[key].token_usage == result.token_usage
        assert again[key].node_visits == result.node_visits


def test_what_is_scripted_is_what_is_counted() -> None:
    _, results = play(("support",), PRESETS["offline"]())
    script = json.loads((FOLDER / "support.script.json").read_text(encoding="utf-8"))
    for key, result in results.items():
        turns = script[key]["turns"]
        lines = [line for turn in turns for line in (*turn.get("steps", []), turn)]
        tokens = sum(line["usage"]["input_tokens"] for line in lines)
        assert result.token_usage.input_tokens == tokens, key
