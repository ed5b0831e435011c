"""`run` goes on under the interpreter of the project, or the one that is named."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tenxgraph_tui.cli.elsewhere import MARK
from tests.cli.conftest import Shell, WriteSet, case


class Gone(BaseException):
    """Another program took the place of this one."""


@pytest.fixture
def launcher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that has this package, in a folder of its own."""
    path = tmp_path_factory.mktemp("bin") / "python"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    path.chmod(0o755)
    return path


@pytest.fixture
def taken_over(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str], str]]:
    calls: list[tuple[str, list[str], str]] = []

    def execve(path: str, command: list[str], env: dict[str, str]) -> None:
        calls.append((path, command, env[MARK]))
        raise Gone

    monkeypatch.setattr(os, "execve", execve)
    return calls


@pytest.mark.skipif(os.name != "posix", reason="a shell script stands in for an interpreter")
def test_the_same_words_are_carried_out_there(
    shell: Shell, write_set: WriteSet, launcher: Path, taken_over: list[tuple[str, list[str], str]]
) -> None:
    write_set(case("a"))
    with pytest.raises(Gone):
        shell("run", "--python", str(launcher), "--quiet")
    ((path, command, mark),) = taken_over
    assert path == mark == str(launcher)
    assert command[1:] == ["-P", "-m", "tenxgraph_tui", "run", "--python", str(launcher), "--quiet"]


@pytest.mark.skipif(os.name != "posix", reason="a shell script stands in for an interpreter")
def test_there_it_does_not_go_on_for_ever(
    shell: Shell,
    write_set: WriteSet,
    launcher: Path,
    taken_over: list[tuple[str, list[str], str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_set(case("a"))
    monkeypatch.setenv(MARK, str(launcher))
    assert shell("run", "--python", str(launcher)).code == 0
    assert taken_over == []
    assert MARK not in os.environ


def test_our_own_stays_as_it_is(
    shell: Shell, write_set: WriteSet, taken_over: list[tuple[str, list[str], str]]
) -> None:
    write_set(case("a"))
    assert shell("run", "--python", sys.executable).code == 0
    assert taken_over == []


def test_one_that_is_not_there_is_told(shell: Shell, write_set: WriteSet) -> None:
    write_set(case("a"))
    done = shell("run", "--python", "nowhere/python")
    assert done.code == 2
    assert "nowhere/python: there is no such program" in done.err
