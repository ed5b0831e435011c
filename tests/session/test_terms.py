"""What the settings ask of every run gets into its request, and a flag into no fallback."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.session.protocol import Fallbacks, RequestOptions, parse_request
from tenxgraph_tui.session.terms import Terms
from tenxgraph_tui.settings import load


def terms(root: Path, text: str, **flags: object) -> Terms:
    (root / "tenxgraph-tui.toml").write_text(text)
    return Terms.of(load(root, {}, flags))


def test_without_settings_nothing_is_asked(tmp_path: Path) -> None:
    assert terms(tmp_path, "") == Terms()


def test_what_the_settings_name_is_for_sets_that_name_nothing(tmp_path: Path) -> None:
    made = terms(
        tmp_path,
        'target = "a.py:b"\nconfig = "sets/ci.json"\nenv_file = ".env"\n'
        "timeout = 3\nmax_concurrency = 2\n",
    )
    assert made.fallbacks == Fallbacks(
        target="a.py:b",
        target_from="tenxgraph-tui.toml line 1",
        config=str(tmp_path / "sets/ci.json"),
        config_from="tenxgraph-tui.toml",
    )
    assert made.options == RequestOptions(timeout=3.0, max_concurrency=2)
    assert made.env_file == str(tmp_path / ".env")


def test_a_file_that_is_called_like_a_preset_is_still_a_file(tmp_path: Path) -> None:
    assert terms(tmp_path, 'config = "offline"').fallbacks.config == str(tmp_path / "offline")
    assert terms(tmp_path, 'preset = "offline"').fallbacks.config == "offline"


def test_a_flag_is_for_all_sets_and_no_fallback(tmp_path: Path) -> None:
    text = 'target = "a.py:b"\npreset = "tool_usage"\n'
    made = terms(tmp_path, text, target="c.py:d", config="ci.json", timeout=9.0)
    assert made.fallbacks == Fallbacks()
    assert made.options.timeout == 9.0


@pytest.mark.parametrize(
    ("text", "otherwise", "kept"),
    [
        pytest.param("", False, False, id="a run asks every time"),
        pytest.param("", True, True, id="watch and the dashboard do not"),
        pytest.param("judge_cache = true", False, True, id="the setting wins in a run"),
        pytest.param("judge_cache = false", True, False, id="and elsewhere"),
    ],
)
def test_whether_answers_of_judges_are_kept(
    tmp_path: Path, text: str, otherwise: bool, kept: bool
) -> None:
    (tmp_path / "tenxgraph-tui.toml").write_text(text)
    made = Terms.of(load(tmp_path, {}, {}), judge_cache=otherwise)
    assert made.options.judge_cache is kept


def test_a_request_without_fallbacks_is_understood() -> None:
    request = parse_request(b'{"v": 1, "root": "."}')
    assert (request.fallbacks, request.env_file) == (Fallbacks(), None)
