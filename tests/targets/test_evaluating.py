"""A target named by its spec is evaluated from Python, as a copied test does it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenxgraph_tui.errors import ConfigError, EvalSetError, TargetError
from tenxgraph_tui.evaluation.config import CriterionConfig, CustomCriterion, EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.evaluation.target_options import TargetOptions
from tenxgraph_tui.targets import evaluate_target
from tests.targets.conftest import Server

ECHO = "def echo(messages):\n    return messages[-1]['content']\n"
CONFIG = EvalPresets.quick_check()
SET = EvalSet(
    eval_set_id="echoes",
    eval_cases=[
        EvalCase.single_turn("same", "hello world", "hello world"),
        EvalCase.single_turn("other", "hello world", "good night"),
    ],
)


@pytest.fixture(autouse=True)
def _home(project: Path) -> Iterator[None]:
    """A project with an agent in `src` and one beside the settings."""
    path, modules = list(sys.path), set(sys.modules)
    (project / "src").mkdir()
    (project / "src/agents.py").write_text(ECHO)
    (project / "my_agents.py").write_text(ECHO)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name.startswith(("_target_", "my_")):
            del sys.modules[name]


@pytest.mark.parametrize("target", ["src/agents.py:echo", "my_agents:echo"])
def test_a_set_is_evaluated_on_what_a_spec_names(target: str) -> None:
    report = evaluate_target(target, SET, CONFIG)
    assert [(result.eval_id, result.passed) for result in report.results] == [
        ("same", True),
        ("other", False),
    ]
    assert not Path("eval_reports").exists()


def test_a_recording_is_a_target_too() -> None:
    Path("a.json").write_text(json.dumps({"same": {"turns": [{"response": "hello world"}]}}))
    assert evaluate_target("replay:a.json", SET, CONFIG, only=["same"]).passed


def test_a_server_is_described_as_the_settings_would(agent_server: Server) -> None:
    url = f"{agent_server.url}/chat"
    described = {
        "body": '{"q": {{ text | tojson }}, "thread": {{ thread_id | tojson }}}',
        "answer": "reply.text",
    }
    options = TargetOptions.model_validate({"http": {url: described}})
    assert evaluate_target(url, SET, CONFIG, only=["same"], options=options).passed


def test_only_the_cases_that_are_asked_for_run_from_a_file_too() -> None:
    SET.to_file("echoes.evalset.json")
    report = evaluate_target("my_agents:echo", "echoes.evalset.json", CONFIG, only=["other"])
    assert [result.eval_id for result in report.results] == ["other"]
    with pytest.raises(EvalSetError, match=r"no case 'smae' \(did you mean 'same'\?\)"):
        evaluate_target("my_agents:echo", SET, CONFIG, only=["smae"])


async def test_it_can_be_called_while_a_loop_runs() -> None:
    await asyncio.sleep(0)
    assert evaluate_target("my_agents:echo", SET, CONFIG, only=["same"]).passed


def test_modules_are_found_from_the_folder_of_the_project() -> None:
    Path("src/my_own.py").write_text(ECHO)
    assert evaluate_target("my_own:echo", SET, CONFIG, only=["same"], root="src").passed


def test_criteria_of_the_project_are_found_beside_its_target() -> None:
    Path("src/my_manners.py").write_text(
        "from tenxgraph_tui.evaluation import Score, SyncCriterion\n\n"
        "class Polite(SyncCriterion):\n"
        "    name = 'polite'\n"
        "    def score_sync(self, actual, expected):\n"
        "        return Score(0.0, 'no please')\n"
    )
    polite = CustomCriterion(criterion="my_manners:Polite", config=CriterionConfig(threshold=1.0))
    config = EvalConfig(custom=[polite])
    report = evaluate_target("src/agents.py:echo", SET, config, only=["same"], root="src")
    (criterion,) = report.results[0].criterion_results
    assert (criterion.criterion, criterion.reason) == ("polite", "no please")


def test_what_cannot_be_evaluated_is_said() -> None:
    with pytest.raises(TargetError, match="there is no file"):
        evaluate_target("gone.py:echo", SET, CONFIG)
    with pytest.raises(TargetError, match="there is no 'ecko' in"):
        evaluate_target("my_agents:ecko", SET, CONFIG)
    with pytest.raises(ConfigError):
        evaluate_target("my_agents:echo", SET, EvalConfig())
    Path("raises.py").write_text("def build():\n    raise RuntimeError('no key')\n")
    with pytest.raises(TargetError, match=r"target raises\.py:build: RuntimeError: no key"):
        evaluate_target("raises.py:build", SET, CONFIG)


@pytest.mark.parametrize(
    ("code", "place"),
    [
        ("def odd(messages):\n    raise SystemExit(3)\n", "odd_agent.py:2"),
        ("async def odd(messages):\n    raise KeyboardInterrupt\n", "odd_agent.py:2"),
        ("def odd(messages):\n    next(iter(()))\n", "odd_agent.py:2"),
        ("def odd(messages):\n    return None\n", None),
    ],
)
def test_an_error_is_where_the_agent_raised_it_and_never_in_our_code(
    project: Path, code: str, place: str | None
) -> None:
    (project / "odd_agent.py").write_text(code)

    report = evaluate_target("odd_agent.py:odd", SET, CONFIG)

    assert {result.metadata.get("location") for result in report.results} == {place}


def test_what_a_server_refused_is_in_nobodys_code(agent_server: Server) -> None:
    url = f"{agent_server.url}/refuse/500"
    options = TargetOptions.model_validate({"http": {url: {"answer": "reply.text"}}})

    report = evaluate_target(url, SET, CONFIG, options=options)

    assert all("answered 500" in (result.error or "") for result in report.results)
    assert not any("location" in result.metadata for result in report.results)
