from __future__ import annotations

import json
from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.session.discovery import FoundSet
from tenxgraph_tui.tui.catalog import Catalog, SetFile
from tenxgraph_tui.tui.offered import presets, project_config
from tenxgraph_tui.tui.presets import (
    Preset,
    refusal,
    why_not_with,
)
from tests.tui.script import catalog, eval_set


def asking(**configs: object) -> Catalog:
    """A catalog of sets that ask for configs of their own."""
    made = {name: eval_set(name, ["a"], config=config) for name, config in configs.items()}
    return Catalog(
        tuple(SetFile.of(FoundSet(Path(f"{n}.evalset.json"), one)) for n, one in made.items())
    )


def test_a_set_that_asks_for_a_judge_is_named() -> None:
    first = presets(asking(weather="tool_usage", trains="strict"))[0]
    assert [(label, own.name, own.kind) for label, own in first.own] == [
        ("weather", "tool_usage", "offline"),
        ("trains", "strict", "judge"),
    ]
    told = refusal(first, lambda model: f"{model} has no key")
    assert told.startswith("trains asks for strict, which needs a model for")
    assert "gemini-2.5-flash has no key" in told
    assert refusal(first) == ""


def test_configs_inside_of_sets_are_read_and_what_cannot_be_is_left_to_the_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ci.json").write_text(json.dumps(EvalPresets.quick_check().model_dump(mode="json")))
    inline = {"criteria": {"trajectory": {"threshold": 0.5}}}
    first = presets(asking(a=inline, b="ci.json", c="gone.json", d={"criteria": 3}))[0]
    assert [own.kind for _, own in first.own] == ["offline", "offline", "file", "file"]
    assert refusal(first) == ""


def test_files_of_the_project_are_called_without_what_every_file_ends_in(tmp_path: Path) -> None:
    (tmp_path / "evals").mkdir()
    for name in ("ci", "evals/nightly", "strict"):
        EvalPresets.quick_check().to_file(str(tmp_path / f"{name}.evalconfig.json"))
    found = [
        project_config(tmp_path / f"{name}.evalconfig.json", tmp_path)
        for name in ("ci", "evals/nightly", "strict")
    ]
    assert [one.name for one in found] == ["ci", "evals/nightly", "strict.evalconfig.json"]
    assert found[0].carried == str(tmp_path / "ci.evalconfig.json")
    assert found[0].called == "ci.evalconfig.json (chosen)"
    assert {one.kind for one in found} == {"offline"}


def test_a_broken_file_is_offered_with_what_is_wrong_with_it(tmp_path: Path) -> None:
    path = tmp_path / "ci.evalconfig.json"
    path.write_text('{"criteria": {"trajectry": {}}}')
    broken = project_config(path, tmp_path)
    assert broken.kind == "broken"
    assert refusal(broken).startswith("ci.evalconfig.json:1: criteria: ")
    assert "did you mean 'trajectory'" in refusal(broken)
    assert why_not_with(presets(catalog())[0], broken) == broken.problem


def test_columns_are_those_of_all_the_configs_that_sets_ask_for() -> None:
    first = presets(asking(weather="tool_usage", trains="quick_check", other="gone.json"))[0]
    assert first.checked is not None
    assert [slot for slot, _ in first.checked.criteria.enabled()] == [
        "tool_name_match",
        "trajectory",
        "rouge_match",
    ]


def test_sets_that_ask_for_nothing_are_told_apart() -> None:
    some = asking(weather="tool_usage", trains=None)
    first = presets(some)[0]
    assert [(label, own.name) for label, own in first.own] == [
        ("weather", "tool_usage"),
        ("other sets", "offline"),
    ]
    standing = Preset("quick_check", None, EvalPresets.quick_check())
    assert presets(some, standing=standing)[0].own[1] == ("other sets", standing)


def test_a_preset_checks_what_its_config_says() -> None:
    for one in presets(catalog()):
        assert one.checked is one.config
