"""The sample files fit together: sets, scripts, tools and the outcomes that CI expects."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.formats import read_eval_set
from tenxgraph_tui.evaluation.formats.modules import read_module

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "sample_evalsets"
NAMES = sorted(path.name.partition(".")[0] for path in FOLDER.glob("*.evalset.json"))
EXPECTED = json.loads((ROOT / ".ci/expected.json").read_text(encoding="utf-8"))


def eval_set(name: str) -> EvalSet:
    return read_eval_set(FOLDER / f"{name}.evalset.json").eval_set


def script(name: str) -> dict[str, Any]:
    text = (FOLDER / f"{name}.script.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.fixture
def agents(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(FOLDER)
    yield importlib.import_module("agents")
    for name in ("agents", "scripted_model"):  # other tests have files of these names
        sys.modules.pop(name, None)


def scripted_calls(name: str) -> Iterator[dict[str, Any]]:
    for case in script(name).values():
        for turn in case["turns"]:
            for step in turn.get("steps", []):
                yield from step["tool_calls"]


def test_there_are_four_good_sets_and_a_broken_one() -> None:
    assert NAMES == ["broken", "library", "support", "trains", "weather"]
    assert sum(len(eval_set(name).eval_cases) for name in NAMES if name != "broken") == 38


@pytest.mark.parametrize("name", NAMES)
def test_a_set_is_read_without_a_warning_and_names_its_agent(name: str, agents: ModuleType) -> None:
    loaded = read_eval_set(FOLDER / f"{name}.evalset.json")
    assert loaded.warnings == []
    file, _, attribute = loaded.eval_set.metadata["target"].partition(":")
    assert file == "agents.py"
    assert callable(getattr(agents, attribute))


@pytest.mark.parametrize("name", NAMES)
def test_every_case_tells_people_what_it_shows(name: str) -> None:
    for case in eval_set(name).eval_cases:
        assert case.name, case.eval_id
        assert case.description, case.eval_id
        assert case.tags, case.eval_id


def test_no_two_sets_share_an_id() -> None:
    ids = [case.eval_id for name in NAMES for case in eval_set(name).eval_cases]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", NAMES)
def test_the_first_question_tells_which_case_it_is(name: str) -> None:
    questions = [_question(case) for case in eval_set(name).eval_cases]
    assert len(questions) == len(set(questions))


@pytest.mark.parametrize("name", NAMES)
def test_a_script_has_every_turn_of_every_case_and_nothing_else(name: str) -> None:
    turns_of_cases = {case.eval_id: len(case.conversation) for case in eval_set(name).eval_cases}
    assert {key: len(case["turns"]) for key, case in script(name).items()} == turns_of_cases


@pytest.mark.parametrize("name", NAMES)
def test_every_scripted_line_costs_tokens_and_time(name: str) -> None:
    for key, case in script(name).items():
        for turn in case["turns"]:
            for line in (*turn.get("steps", []), turn):
                assert line["delay"] >= 0.05, key
                assert "raise" in line or line["usage"]["input_tokens"] > 0, key


@pytest.mark.parametrize("name", NAMES)
async def test_a_script_records_what_the_real_tools_give(name: str, agents: ModuleType) -> None:
    """So that replaying the script shows the same as the agent does."""
    calls = list(scripted_calls(name))
    outcomes = await asyncio.gather(*(_outcome(agents, call) for call in calls))
    recorded = [(call.get("result"), call.get("error")) for call in calls]
    assert outcomes == recorded


def test_what_ci_expects_names_cases_that_exist() -> None:
    ids = {case.eval_id for name in NAMES for case in eval_set(name).eval_cases}
    for name, run in EXPECTED.items():
        if name not in {"judged_set", "eval_module"}:  # they have tests of their own
            assert {*run["failed"], *run["error"], *run["known"], *run["skipped"]} <= ids


def test_the_eval_module_makes_the_cases_that_ci_expects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    found = read_module(str(FOLDER / "modules/units_eval.py"), ROOT)
    for name in [name for name in sys.modules if name.endswith("_units_eval")]:
        del sys.modules[name]
    assert found.problems == ()
    assert [path.rpartition(":")[2] for path in found.sets] == ["lengths", "weights"]
    ids = {case.eval_id for made in found.sets.values() for case in made.eval_cases}
    assert len(ids) == EXPECTED["eval_module"]["cases"]
    assert {*EXPECTED["eval_module"]["failed"]} <= ids


async def _outcome(agents: ModuleType, call: dict[str, Any]) -> tuple[Any, str | None]:
    function = getattr(agents, call["name"])
    try:
        if inspect.iscoroutinefunction(function):
            return await function(**call["args"]), None
        return await asyncio.to_thread(function, **call["args"]), None
    except (LookupError, OSError, ValueError) as error:
        return None, f"{type(error).__name__}: {error}"


def _question(case: EvalCase) -> str:
    return case.conversation[0].user_content.get_text()
