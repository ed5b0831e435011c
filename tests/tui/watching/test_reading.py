from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.settings import Loaded, load
from tenxgraph_tui.tui.watching.reading import Reader, digest_of_settings
from tests.tui.script import catalog


def test_the_same_files_say_the_same_and_are_read_once() -> None:
    over, reader = catalog(a=["x", "y"]), Reader(lambda: Loaded(Path()))
    first, _ = reader.contents(over)
    again, _ = reader.contents(over)
    assert first == again
    assert first.sets["a.evalset.json"] is again.sets["a.evalset.json"]
    assert set(first.sets["a.evalset.json"].cases) == {"x", "y"}


def test_what_every_reading_makes_up_is_no_difference() -> None:
    reader = Reader(lambda: Loaded(Path()))
    before, _ = reader.contents(catalog(a=["x"]))
    after, _ = Reader(lambda: Loaded(Path())).contents(catalog(a=["x"]))
    assert before == after


def test_settings_that_cannot_be_read_are_a_problem() -> None:
    def broken() -> Loaded:
        raise ConfigError("tenxgraph-tui.toml:1: no value")

    contents, settings = Reader(broken).contents(catalog())
    assert settings is None
    assert contents.problems == ("tenxgraph-tui.toml:1: no value",)


@pytest.mark.parametrize(
    ("line", "is_other"),
    [
        pytest.param("timeout = 3", True, id="what decides about a case"),
        pytest.param('theme = "tenx-light"', False, id="what only looks different"),
    ],
)
def test_settings_that_decide_about_cases_make_a_difference(
    tmp_path: Path, line: str, is_other: bool
) -> None:
    before = digest_of_settings(load(tmp_path, {}))
    (tmp_path / "tenxgraph-tui.toml").write_text(f"{line}\n")
    assert (digest_of_settings(load(tmp_path, {})) != before) is is_other


def test_variables_of_an_env_file_make_a_difference(tmp_path: Path) -> None:
    (tmp_path / "tenxgraph-tui.toml").write_text('env_file = ".env"\n')
    (tmp_path / ".env").write_text("MODEL=a\n")
    before = digest_of_settings(load(tmp_path, {}))
    (tmp_path / ".env").write_text("MODEL=b\n")
    assert digest_of_settings(load(tmp_path, {})) != before
