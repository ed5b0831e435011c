"""A command line is understood, or answered in one line that says what to write instead."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tenxgraph_tui import __version__
from tenxgraph_tui.cli import main as main_module
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tests.cli.conftest import Shell


@pytest.mark.parametrize("words", [["--help"], ["run", "--help"], ["list", "-h"], ["open", "-h"]])
def test_help_is_no_error(shell: Shell, words: list[str]) -> None:
    done = shell(*words)
    assert done.code == 0
    assert done.out.startswith(f"usage: tenxgraph-tui{' ' + words[0] if len(words) > 1 else ''}")
    assert done.out.isascii()


def test_version(shell: Shell) -> None:
    assert shell("--version").out.strip() == f"tenxgraph-tui {__version__}"


def test_help_loads_nothing_heavy() -> None:
    heavy = "{'pydantic', 'textual', 'rich', 'litellm', 'asyncio', 'sqlite3'}"
    probe = (
        "import sys; from tenxgraph_tui.cli.main import main; "
        f"main(['run', '--help']); main(['--help']); print('loaded', {heavy} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded set()"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(
            ["rnu"], "'rnu' is neither a command nor a path: did you mean 'run'?", id="verb"
        ),
        pytest.param(["eval"], "did you mean 'evals'?", id="folder"),
        pytest.param(["evals/wether.json"], "did you mean 'evals/weather.json'?", id="file"),
        pytest.param(["lists"], "did you mean 'list' or 'listed'?", id="both"),
        pytest.param(["zzz"], "commands are run, watch, list, open", id="nothing near"),
        pytest.param(["evals", "run"], "a command comes first: tenxgraph-tui run", id="order"),
        pytest.param(["run", "--thresold", "1"], "did you mean --threshold?", id="flag"),
        pytest.param(["run", "--zzz"], "see tenxgraph-tui run --help", id="unknown flag"),
        pytest.param(["run", "--threshold", "5"], "must be between 0 and 1, not '5'", id="rate"),
        pytest.param(["run", "--threshold", "nan"], "must be a number, not 'nan'", id="no number"),
        pytest.param(["run", "--timeout", "0"], "must be above 0 seconds, not '0'", id="timeout"),
        pytest.param(
            ["run", "--max-concurrency", "0"], "must be a whole number from 1", id="at once"
        ),
        pytest.param(
            ["run", "--report", "json,pdf"],
            "no 'pdf' report; there is json, html, junit, markdown",
            id="report",
        ),
        pytest.param(["run", "--preset", "a", "--config", "b"], "not allowed with", id="either or"),
        pytest.param(["run", "nowhere"], "no such file or folder: nowhere", id="missing path"),
        pytest.param(["run", "evals"], "no eval sets in evals: looked for *.evalset", id="empty"),
    ],
)
def test_a_mistake_is_answered_in_one_line(
    shell: Shell, project: Path, words: list[str], told: str
) -> None:
    (project / "evals").mkdir()
    (project / "evals" / "weather.json").touch()
    (project / "listed").mkdir()
    done = shell(*words)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("tenxgraph-tui: ")
    assert told in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("words", [[], ["."], ["open", "last"]])
def test_the_dashboard_needs_a_terminal(shell: Shell, project: Path, words: list[str]) -> None:
    assert project.is_dir()
    done = shell(*words)
    assert done.code == 2
    assert done.err == "tenxgraph-tui: not a terminal: use 'tenxgraph-tui run PATH'\n"


def test_a_verb_wins_over_a_folder_of_its_name(shell: Shell, project: Path) -> None:
    (project / "run").mkdir()
    assert "no eval sets" in shell("run").err
    assert "not a terminal" in shell("./run").err


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        pytest.param(KeyboardInterrupt(), 130, "interrupted", id="Ctrl+C before the run"),
        pytest.param(ZeroDivisionError("oops"), 3, "this is a bug in tenxgraph-tui", id="a bug"),
        pytest.param(ModuleNotFoundError(name="mine"), 3, "this is a bug", id="a strange module"),
        pytest.param(
            ModuleNotFoundError(name="rich.console"),
            3,
            f"rich is missing in {sys.executable}: {sys.executable} -m pip install tenxgraph-tui\n",
            id="a package that is not installed",
        ),
    ],
)
def test_what_escapes_becomes_an_exit_code(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, told: str
) -> None:
    def fail(_: list[str]) -> int:
        raise error

    monkeypatch.setattr(main_module, "_command", fail)
    done = shell("run")
    assert done.code == code
    assert told in done.err
    assert ("Traceback" in done.err) == ("this is a bug" in done.err)


def test_a_working_directory_that_is_gone_is_named(
    shell: Shell, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "gone").mkdir()
    monkeypatch.chdir(project / "gone")
    (project / "gone").rmdir()
    left = shell("run", str(project))
    assert left.code == 2
    assert left.err == (
        "tenxgraph-tui: the working directory cannot be used: No such file or directory\n"
    )


@pytest.mark.parametrize("verb", ["run", "list"])
def test_names_in_files_cannot_drive_the_terminal(verb: str, shell: Shell, project: Path) -> None:
    metadata = {"target": "\x1b]0;owned\x07.py:x", "config": "c\x1b[2J.json"}
    case = EvalCase.single_turn("a", "Hello?", "Hello.")
    one = EvalSet(eval_set_id="x", name="x", eval_cases=[case], metadata=metadata)
    one.to_file(str(project / "x.evalset.json"))
    done = shell(verb, "x.evalset.json")
    assert done.code != 0
    assert r"c\x1b[2J.json" in done.err
    assert not set(done.out + done.err) & set("\x1b\x07")
