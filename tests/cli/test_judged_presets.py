"""Every preset that asks a judge, from the command line to a real server and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.criteria import judged_slots
from tenxgraph_tui.evaluation.presets import PRESETS
from tests.cli.conftest import Shell, WriteSet, case
from tests.evaluation.judging.server import ModelServer, model_server

JUDGED = [name for name, make in PRESETS.items() if judged_slots(make())]


@pytest.fixture(scope="module")
def models() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


def test_the_presets_of_the_seed_are_among_them() -> None:
    seed = {"response_quality", "conversation_flow", "safety_check", "comprehensive"}
    assert seed | {"default", "strict", "relaxed"} <= set(JUDGED)


@pytest.mark.parametrize("preset", JUDGED)
def test_a_preset_runs_to_its_verdicts(
    shell: Shell, write_set: WriteSet, models: ModelServer, preset: str
) -> None:
    write_set(case("a"))
    model = f"good|{preset}"  # counted by itself
    done = shell(
        *("run", "--preset", preset, "--report", "json"),
        *("--judge-model", model, "--judge-base-url", models.url),
    )
    config = PRESETS[preset]()
    asked = [criterion.num_samples for slot, criterion in config.criteria.enabled()
             if slot in judged_slots(config)]  # fmt: skip
    assert len(models.asked(model)) == sum(asked)
    (file,) = Path("eval_reports").glob("*.json")
    (result,) = json.loads(file.read_text())["results"]
    assert result["error"] is None, result["error"]
    strict = preset == "strict"  # it needs 0.9, and the server says 0.8
    assert done.code == int(strict), done.err
    judged = [each for each in result["criterion_results"] if "judge_samples" in each["details"]]
    assert len(judged) == len(asked)
    assert {each["score"] for each in judged} == {0.8}
    assert all(each["details"]["judge_model"] == model for each in judged)
    assert result["token_usage"]["total_tokens"] == 120 * sum(asked)
    assert result["agent_token_usage"]["total_tokens"] == 0


@pytest.mark.parametrize("preset", JUDGED)
def test_without_a_key_there_is_one_message_and_no_agent_is_called(
    shell: Shell, write_set: WriteSet, project: Path, preset: str
) -> None:
    agent = project / "calls.py"
    agent.write_text("def loud(messages):\n    open('called', 'w').close()\n    return 'hi'\n")
    write_set(case("a"), target="calls.py:loud")
    done = shell("run", "--preset", preset)
    assert done.code == 4
    assert done.out == ""
    assert done.err.count("set GEMINI_API_KEY or GOOGLE_API_KEY") == 1
    assert len(done.err.splitlines()) == 1
    assert not (project / "called").exists()
