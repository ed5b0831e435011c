"""An agent that leaves the process or its folder takes nothing of ours along."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tenxgraph_tui.cli.staying import LEAVE, staying


def test_who_leaves_the_process_leaves_only_what_he_was_called_for() -> None:
    with staying(), pytest.raises(SystemExit, match=r"os\._exit\(0\)"):
        os._exit(0)
    assert os._exit is LEAVE


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_leaves_as_ever() -> None:
    with staying():
        child = os.fork()
        if child == 0:
            os._exit(7)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 7


def test_afterwards_relative_paths_mean_what_they_did(project: Path) -> None:
    (project / "elsewhere").mkdir()
    with staying():
        os.chdir("elsewhere")
    assert Path.cwd() == project


def test_a_folder_that_is_gone_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    os.chdir("here")
    with staying():
        os.chdir(tmp_path)
        (tmp_path / "here").rmdir()
    assert Path.cwd() == tmp_path
