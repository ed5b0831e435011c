"""Prompts and scripts of judges go from where the config stands that names them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.cli.anchoring import anchored
from tenxgraph_tui.evaluation.config import CriterionConfig, CustomCriterion, EvalConfig
from tests.cli.conftest import Shell, WriteSet, case

ANSWERS = {"*": {"*": {"score": 0.9, "reasoning": "the script says so"}}}


def judged(model: str = "scripted:judge.json", **more: Any) -> dict[str, Any]:
    return {"criteria": {"llm_judge": {"judge_model": model, "num_samples": 2, **more}}}


@pytest.fixture
def folder(project: Path) -> Path:
    place = project / "sets"
    place.mkdir()
    (place / "judge.json").write_text(json.dumps({"answers": ANSWERS}))
    return place


def test_relative_paths_are_written_from_the_working_directory(folder: Path) -> None:
    (folder / "mine.j2").write_text("{{ answer }}")
    config = EvalConfig.model_validate(judged(prompt="mine.j2"))
    config.custom = [CustomCriterion(criterion="a:B", config=CriterionConfig(prompt="other.j2"))]
    found = anchored(config, folder)
    assert found.criteria.llm_judge is not None
    assert found.criteria.llm_judge.judge_model == "scripted:sets/judge.json"
    assert found.criteria.llm_judge.prompt == "sets/mine.j2"
    assert found.custom[0].config.prompt == "other.j2"  # it may be in prompts_dir
    assert config.criteria.llm_judge is not None
    assert config.criteria.llm_judge.prompt == "mine.j2"


def test_what_names_no_file_stays_the_same_object(folder: Path) -> None:
    config = EvalConfig.model_validate(judged("gpt-4o", prompt="Is {{ answer }} right?"))
    assert anchored(config, folder) is config
    absolute = EvalConfig.model_validate(judged(f"scripted:{folder}/judge.json"))
    assert anchored(absolute, folder) is absolute


@pytest.mark.parametrize("how", ["inline", "file", "flag"])
def test_a_set_is_judged_from_a_script_beside_it(
    shell: Shell, write_set: WriteSet, folder: Path, how: str
) -> None:
    (folder / "ci.evalconfig.json").write_text(json.dumps(judged()))
    config: Any = {"inline": judged(), "file": "ci.evalconfig.json", "flag": None}[how]
    write_set(case("a"), name="sets/judged", config=config, target="../agents.py:echo")
    flags = ("--config", "sets/ci.evalconfig.json") if how == "flag" else ()
    done = shell("run", "sets", "--report", "json", *flags)
    assert done.code == 0, done.err
    (file,) = Path("eval_reports").glob("*.json")
    (result,) = json.loads(file.read_text())["results"]
    found = result["criterion_results"][0]
    assert found["score"] == pytest.approx(0.9)
    assert found["details"]["judge_model"] == "scripted:sets/judge.json"
    assert [each["reasoning"] for each in found["details"]["judge_samples"]] == [
        "the script says so"
    ] * 2


def test_the_settings_name_a_script_and_a_folder_from_the_root(
    shell: Shell, write_set: WriteSet, folder: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_set(case("a"), name="sets/judged", config=judged("gpt-4o"), target="../agents.py:echo")
    settings = 'judge_model = "scripted:sets/judge.json"\nprompts_dir = "prompts"\n'
    (project / "tenxgraph-tui.toml").write_text(settings)
    (project / "prompts").mkdir()
    monkeypatch.chdir(folder)
    assert shell("run", ".").code == 0
    (project / "prompts" / "llm_judge.j2").write_text("\n{{ answr }}")
    done = shell("run", ".")
    assert done.code == 4
    assert f"prompt {project}/prompts/llm_judge.j2:2: there is no variable 'answr'" in done.err
    assert "did you mean 'answer'?" in done.err


def test_a_script_that_is_missing_stops_before_the_first_case(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    write_set(case("a"), config=judged("scripted:gone.json"))
    done = shell("run")
    assert done.code == 4
    assert "judge script gone.json cannot be read" in done.err
    assert done.out == ""
