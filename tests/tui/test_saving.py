from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.formats import read_config
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.tui.offered import project_config
from tenxgraph_tui.tui.presets import Preset, combined
from tenxgraph_tui.tui.saving import ConfigSaver, suggested_name

CONFIG = EvalPresets.tool_usage(threshold=0.9)


def test_a_config_is_kept_under_the_name_that_is_typed(tmp_path: Path) -> None:
    saver = ConfigSaver(tmp_path, CONFIG)
    assert saver.accept(" ci ") == ""
    assert read_config(tmp_path / "ci.evalconfig.json") == CONFIG
    assert saver.saved is not None
    assert (saver.saved.name, saver.saved.config) == ("ci", CONFIG)


@pytest.mark.parametrize("typed", ["ci.evalconfig.json", "ci.json", "ci"])
def test_what_the_file_ends_in_may_be_typed_too(tmp_path: Path, typed: str) -> None:
    ConfigSaver(tmp_path, CONFIG).accept(typed)
    assert [path.name for path in tmp_path.iterdir()] == ["ci.evalconfig.json"]


def test_a_folder_that_exists_may_be_named(tmp_path: Path) -> None:
    (tmp_path / "evals").mkdir()
    saver = ConfigSaver(tmp_path, CONFIG)
    assert saver.accept("nowhere/ci") == f"there is no folder nowhere in {tmp_path}"
    assert saver.accept("evals/ci") == ""
    assert (tmp_path / "evals" / "ci.evalconfig.json").exists()


def test_a_name_that_is_taken_is_written_over_only_when_it_is_given_twice(tmp_path: Path) -> None:
    for name in ("ci", "other"):
        EvalConfig.relaxed().to_file(str(tmp_path / f"{name}.evalconfig.json"))
    saver = ConfigSaver(tmp_path, CONFIG)
    assert saver.accept("ci") == "ci.evalconfig.json exists: enter once more replaces it"
    assert saver.accept("other") == "other.evalconfig.json exists: enter once more replaces it"
    assert read_config(tmp_path / "ci.evalconfig.json") == EvalConfig.relaxed()
    assert saver.accept("other") == ""
    assert read_config(tmp_path / "other.evalconfig.json") == CONFIG


@pytest.mark.parametrize("typed", ["", "  ", "../up", "/etc/ci", ".hidden", "a//b", "a b", "x\x1b"])
def test_a_name_that_is_none_is_said_and_nothing_is_written(tmp_path: Path, typed: str) -> None:
    assert ConfigSaver(tmp_path, CONFIG).accept(typed).startswith("a name of letters")
    assert not [*tmp_path.iterdir()]


def test_presets_keep_their_names(tmp_path: Path) -> None:
    assert ConfigSaver(tmp_path, CONFIG).accept("strict").startswith("strict is what a preset is")


def test_a_name_that_is_too_long_is_said(tmp_path: Path) -> None:
    assert ConfigSaver(tmp_path, CONFIG).accept("x" * 101) == "a name of at most 100 characters"


def test_what_cannot_be_written_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "write_bytes", refuse)
    saver = ConfigSaver(tmp_path, CONFIG)
    assert saver.accept("ci") == f"{tmp_path / 'ci.evalconfig.json'}: Permission denied"
    assert saver.saved is None


def test_a_file_keeps_its_name_and_a_preset_gets_another(tmp_path: Path) -> None:
    CONFIG.to_file(str(tmp_path / "ci.evalconfig.json"))
    assert suggested_name(project_config(tmp_path / "ci.evalconfig.json", tmp_path)) == "ci"
    tools, words = (Preset(name, name, CONFIG) for name in ("tool_usage", "quick_check"))
    assert suggested_name(tools) == "my_tool_usage"
    assert suggested_name(combined([tools, words])) == "my_tool_usage_quick_check"
