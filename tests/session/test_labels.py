"""What eval sets are called: short, and never two of them the same."""

from __future__ import annotations

import pytest

from tenxgraph_tui.session.labels import set_label, told_apart


@pytest.mark.parametrize(
    ("path", "label"),
    [
        pytest.param("sets/weather.evalset.json", "weather", id="what every file ends in goes"),
        pytest.param("weather.json", "weather", id="a plain suffix too"),
        pytest.param("weather.evalset.json.bak", "weather.evalset.json.bak", id="others stay"),
        pytest.param(".evalset.json", "the_id", id="nothing is left, so the id stands in"),
    ],
)
def test_a_set_is_called_by_its_file(path: str, label: str) -> None:
    assert set_label(path, "the_id") == label


@pytest.mark.parametrize(
    ("paths", "shown"),
    [
        pytest.param(["a/x", "b/y"], ["x", "y"], id="names that differ need no folder"),
        pytest.param(["a/x", "b/x", "b/y"], ["a/x", "b/x", "y"], id="the folder that differs"),
        pytest.param(["x", "b/x"], ["x", "b/x"], id="one at the root"),
        pytest.param(["a/s/x", "b/s/x"], ["a/s/x", "b/s/x"], id="the folders are alike too"),
        pytest.param(["a/s/x", "a/t/x", "b/s/x"], ["a/s/x", "a/t/x", "b/s/x"], id="three of them"),
        pytest.param(["/p/a/x", "/q/b/x"], ["a/x", "b/x"], id="no more folders than needed"),
        pytest.param(["a/x", "a/x"], ["x", "x"], id="the same file twice is the same set"),
        pytest.param([], [], id="no sets"),
    ],
)
def test_files_of_one_name_are_told_apart_by_their_folders(
    paths: list[str], shown: list[str]
) -> None:
    named = [(path, path.rpartition("/")[2]) for path in paths]
    assert list(told_apart(named)) == shown


def test_files_of_two_suffixes_in_one_folder_are_told_apart_by_their_paths() -> None:
    named = [("a/x.evalset.json", "x"), ("a/x.json", "x")]
    assert told_apart(named) == ("a/x.evalset.json", "a/x.json")
