from __future__ import annotations

from pathlib import Path

import pytest

from tenxgraph_tui.tui.folders import completed, place_typed, why_not_open


@pytest.fixture
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(project))
    for name in ("evals/deep", "evening", ".hidden"):
        (project / name).mkdir(parents=True)
    (project / "eva.evalset.json").touch()
    (project / "evaluate.py").touch()
    return project


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        pytest.param("eve", "evening/", id="a folder"),
        pytest.param("eva", "eva.evalset.json", id="an eval set before a folder, by name"),
        pytest.param("evals/", "evals/deep/", id="below a folder"),
        pytest.param("~/eval", "~/evals/", id="at home"),
        pytest.param(".h", ".hidden/", id="a hidden one when it is asked for"),
        pytest.param("evaluate", None, id="no other file"),
        pytest.param("nowhere/x", None, id="nothing below nothing"),
    ],
)
def test_a_path_is_completed(typed: str, whole: str | None) -> None:
    assert completed(typed) == whole


def test_a_hidden_folder_is_not_completed_unasked(here: Path) -> None:
    only = here / "evening"
    (only / ".git").mkdir()
    assert completed("evening/") is None


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        pytest.param("evals", "", id="a folder"),
        pytest.param(" ~/evals ", "", id="at home, with blanks"),
        pytest.param("", "type the path of a folder", id="nothing"),
        pytest.param("evls", "there is no such folder: did you mean evals?", id="misspelt"),
        pytest.param("nowhere/x", "there is no such folder", id="nothing like it"),
        pytest.param("~nobody-of-that-name", "there is no such folder", id="nobody's home"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_cannot_be_opened_is_said(typed: str, problem: str) -> None:
    assert why_not_open(typed) == problem


def test_a_path_goes_from_here_or_from_home(here: Path) -> None:
    assert place_typed("evals") == place_typed("~/evals ") == here / "evals"
