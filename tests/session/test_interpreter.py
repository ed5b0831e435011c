"""Agents run under the project's own Python where that can be, and ours is said to be ours."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.session import interpreter
from tenxgraph_tui.session.interpreter import Installed, Interpreter, choose

OURS = Interpreter(sys.executable, "this program's")


@pytest.fixture(autouse=True)
def _ask_again() -> Iterator[None]:
    interpreter.has_us.cache_clear()
    yield
    interpreter.has_us.cache_clear()


def environment(folder: Path, *, answer: int, installed: bool = True) -> str:
    """An environment whose interpreter answers every question with `answer` and counts them."""
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\necho >> {folder}/asked\nexit {answer}\n")
    python.chmod(0o755)
    (folder / "pyvenv.cfg").write_text("include-system-site-packages = false\n")
    if installed:
        (folder / "lib/python3.12/site-packages/tenxgraph_tui-1.0.dist-info").mkdir(parents=True)
    return str(python)


def times_asked(folder: Path) -> int:
    asked = folder / "asked"
    return len(asked.read_text().splitlines()) if asked.exists() else 0


def test_the_projects_environment_comes_first(project: Path, tmp_path: Path) -> None:
    python = environment(project / ".venv", answer=0)
    active = environment(tmp_path / "active", answer=0)

    environ = {"VIRTUAL_ENV": str(tmp_path / "active")}
    assert choose(project, environ=environ) == Interpreter(python, ".venv")
    assert choose(project / "x", environ=environ) == Interpreter(active, "$VIRTUAL_ENV")


def test_it_is_asked_once(project: Path) -> None:
    environment(project / ".venv", answer=0)

    for _ in range(3):
        choose(project, environ={})

    assert times_asked(project / ".venv") == 1


def test_an_environment_without_us_is_passed_over_without_starting_it(project: Path) -> None:
    environment(project / ".venv", answer=0, installed=False)

    assert choose(project, environ={}) == OURS
    assert times_asked(project / ".venv") == 0


def test_an_environment_that_cannot_import_us_is_passed_over(project: Path) -> None:
    environment(project / ".venv", answer=1)

    assert choose(project, environ={}) == OURS


def test_without_an_environment_it_is_ours(project: Path) -> None:
    (project / ".venv" / "bin").mkdir(parents=True)
    (project / ".venv" / "bin" / "python").symlink_to("/no/such/python")

    assert choose(project, environ={}) == OURS


def test_the_one_that_was_asked_for_wins(project: Path, tmp_path: Path) -> None:
    environment(project / ".venv", answer=0)
    asked = environment(tmp_path / "asked-for", answer=0, installed=False)

    assert choose(project, asked, environ={}) == Interpreter(asked, "--python")
    assert choose(project, sys.executable, environ={}).path == sys.executable


def test_one_that_was_asked_for_must_be_there_and_have_us(project: Path, tmp_path: Path) -> None:
    without = environment(tmp_path / "without", answer=1)

    with pytest.raises(UsageError, match="--python nopython: there is no such program"):
        choose(project, "nopython", environ={})
    with pytest.raises(UsageError, match=r"not installed there.*-m pip install tenxgraph-tui"):
        choose(project, without, environ={})


def test_the_question_itself_tells_who_can_import_us(tmp_path: Path) -> None:
    assert interpreter.has_us(sys.executable)
    assert not interpreter.has_us(str(tmp_path / "missing"))
    assert os.access(sys.executable, os.X_OK)


def test_what_an_interpreter_can_import_is_asked_of_it_alone(tmp_path: Path) -> None:
    names = ("json", "no_such_module")
    other = tmp_path / "python"
    other.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    other.chmod(0o755)

    for python in (sys.executable, str(other)):
        found = interpreter.installed(python, names)

        assert found == Installed(python, sys.version_info[:2], frozenset({"json"}))
        assert found.without(names) == ["no_such_module"]
    assert interpreter.installed(str(tmp_path / "missing"), names) is None
