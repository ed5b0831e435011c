"""Config files: what loads, and the one line that a bad one gets."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tenxgraph_tui.errors import ConfigError, ConfigNotFound
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.formats import read_config
from tenxgraph_tui.evaluation.presets import PRESETS


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_reads_back_the_same(tmp_path: Path, preset: str) -> None:
    config, path = PRESETS[preset](), str(tmp_path / "config.json")

    config.to_file(path)

    assert EvalConfig.from_file(path) == config


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(
            '{"criteria": {"tool_trajectry": {}}}',
            "1: criteria: unknown criterion 'tool_trajectry': did you mean 'trajectory'?",
            id="B59: a misspelt criterion",
        ),
        pytest.param(
            '{"criteria": {"tool_trajectory_avg_score": {}}}',
            "1: criteria: 'tool_trajectory_avg_score' is the reported name of a criterion; "
            "its slot is 'trajectory'",
            id="the reported name instead of the slot",
        ),
        pytest.param(
            '{\n"paralell": true}',
            "1: unknown key 'paralell': did you mean 'parallel'?",
            id="a misspelt setting",
        ),
        pytest.param(
            '{"criteria":\n{"rouge_match": {"treshold": 0.1}}}',
            "2: criteria.rouge_match: unknown key 'treshold': did you mean 'threshold'?",
            id="D44: a misspelt threshold",
        ),
        pytest.param(
            '{"criteria": {"rouge_match": {"threshold": 7}}}',
            "1: criteria.rouge_match.threshold: threshold must be between 0.0 and 1.0, not 7.0",
            id="D44: a threshold out of range",
        ),
        pytest.param(
            '{"criteria": {"trajectory": {"match_type": "exact"}}}',
            "1: criteria.trajectory.match_type must be 'EXACT', 'IN_ORDER' or 'ANY_ORDER', "
            'not "exact"',
            id="a match type in lower case",
        ),
        pytest.param(
            '{"criteria": {"rubric_based": {"rubrics": []}}}',
            "1: criteria: rubric_based needs at least one rubric",
            id="B49: no rubrics",
        ),
        pytest.param(
            '{"timeout": -1}', "1: timeout should be greater than 0, not -1", id="timeout"
        ),
        pytest.param(
            '{"max_concurrency": 0}',
            "1: max_concurrency should be greater than or equal to 1, not 0",
            id="concurrency",
        ),
        pytest.param(
            '{"parallel": "perhaps"}', "1: parallel must be true or false, not a text", id="a flag"
        ),
        pytest.param("[]", 'a config is an object like {"criteria": {…}}, not a list', id="a list"),
    ],
)
def test_a_bad_config_gets_one_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "config.json"
    path.write_text(content)

    with pytest.raises(ConfigError) as caught:
        read_config(path)

    assert str(caught.value).removeprefix(f"{path}:").strip() == message


def test_an_unknown_setting_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "config.json"
    path.write_text('{"colour": "red"}')

    with caplog.at_level(logging.WARNING):
        read_config(path)

    assert "unknown key colour" in caplog.text


def test_a_missing_config_is_both_kinds_of_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigNotFound, match="there is no such config file") as caught:
        EvalConfig.from_file(str(tmp_path / "nope.json"))

    assert isinstance(caught.value, FileNotFoundError)


def test_a_name_that_no_file_can_have_gets_one_line() -> None:
    with pytest.raises(ConfigError, match="no file can be called that"):
        read_config(Path("ci\0.json"))
