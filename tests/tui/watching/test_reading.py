from __future__ import annotations

from pathlib import Path

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.tui.watching.reading import Reader
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
