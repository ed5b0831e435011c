"""`confeval.py`: configs up the tree, and hooks around the run and its cases."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Shell, WriteSet, case

HOOKS = """
from pathlib import Path

def note(text):
    with open("told", "a") as file:
        file.write(text + "\\n")

def before_run():
    note("run NAME")

async def before_case(case):
    note(f"before {case.eval_id} NAME")

def after_case(case, result):
    note(f"after {case.eval_id} NAME passed={result.passed}")
"""


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    for name in [name for name in sys.modules if name.startswith("_target_")]:
        del sys.modules[name]


@pytest.fixture
def inner(project: Path, write_set: WriteSet) -> Path:
    """A set in a folder of its own, on the agents above it."""
    folder = project / "inner"
    folder.mkdir()
    path = write_set(case("a"), target="../agents.py:echo")
    path.rename(folder / path.name)
    return folder


def config(preset: str) -> str:
    return (
        f"from tenxgraph_tui.evaluation import EvalPresets\nEVAL_CONFIG = EvalPresets.{preset}()\n"
    )


def test_the_nearest_config_counts(shell: Shell, inner: Path, project: Path) -> None:
    (project / "confeval.py").write_text(config("tool_usage"))
    assert "config EVAL_CONFIG (confeval.py)" in shell("list").out
    (inner / "confeval.py").write_text(config("quick_check"))
    assert "config EVAL_CONFIG (inner/confeval.py)" in shell("list").out
    assert shell("run", "--report", "json").code == 0
    (report,) = project.glob("eval_reports/*.json")
    names = json.loads(report.read_text())["summary"]["criterion_stats"]
    assert set(names) == {"rouge_match"}


def test_a_file_without_a_config_leaves_it_to_the_one_above(
    shell: Shell, inner: Path, project: Path
) -> None:
    (project / "confeval.py").write_text(config("quick_check"))
    (inner / "confeval.py").write_text("def before_run():\n    pass\n")
    assert "config EVAL_CONFIG (confeval.py)" in shell("list").out


def test_flags_and_the_set_itself_go_first(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    (project / "confeval.py").write_text(config("quick_check"))
    write_set(case("a"), config="tool_usage")
    assert "config tool_usage (basic.evalset.json)" in shell("list").out
    assert "config strict (--preset)" in shell("list", "--preset", "strict").out


def test_hooks_go_around_the_run_and_each_case(shell: Shell, inner: Path, project: Path) -> None:
    (project / "confeval.py").write_text(HOOKS.replace("NAME", "outer"))
    (inner / "confeval.py").write_text(HOOKS.replace("NAME", "inner"))
    assert shell("run").code == 0
    assert (project / "told").read_text().splitlines() == [
        "run outer",
        "run inner",
        "before a outer",
        "before a inner",
        "after a inner passed=True",
        "after a outer passed=True",
    ]


def test_what_it_prints_is_no_part_of_the_report(shell: Shell, inner: Path, project: Path) -> None:
    (project / "confeval.py").write_text('print("imported")\n')
    done = shell("run")
    assert "agent │ imported" in done.err
    assert "imported" not in done.out


def test_before_run_is_called_once_for_several_sets(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    (project / "confeval.py").write_text(HOOKS.replace("NAME", "here"))
    write_set(case("a"), name="one")
    write_set(case("b"), name="two")
    assert shell("run").code == 0
    assert (project / "told").read_text().count("run here") == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def before_case(case):\n    raise ValueError('no luck')", "before_case() raised"),
        ("def after_case(case, result):\n    raise ValueError('no luck')", "after_case() raised"),
        ("async def before_case(case):\n    raise SystemExit(3)", "before_case() raised"),
    ],
)
def test_a_hook_that_raises_makes_an_error_of_the_case(
    shell: Shell, write_set: WriteSet, project: Path, text: str, told: str
) -> None:
    (project / "confeval.py").write_text(text)
    write_set(case("a"))
    done = shell("run")
    assert done.code == 3
    assert f"confeval.py:2: {told}" in done.err + done.out


def test_a_hook_that_never_ends_has_the_time_of_a_case(
    shell: Shell, write_set: WriteSet, project: Path
) -> None:
    text = "import asyncio\nasync def before_case(case):\n    await asyncio.sleep(600)"
    (project / "confeval.py").write_text(text)
    write_set(case("a"))
    done = shell("run", "--timeout", "0.2")
    assert done.code == 3
    assert "before_case() took longer than 0.2 s" in done.err + done.out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "def before_run():\n    raise ValueError('no luck')",
            "confeval.py:2: before_run() raised",
        ),
        ("1 +", "confeval.py:1: it cannot be imported: SyntaxError"),
        ("EVAL_CONFIG = 3", "EVAL_CONFIG is an object of int, not an EvalConfig"),
        ("def before_case():\n    pass", "confeval.py:1: before_case must be a function"),
        ("after_case = 3", "confeval.py: after_case must be a function after_case(case, result)"),
    ],
)
def test_a_file_that_is_wrong_stops_the_run_before_its_first_case(
    shell: Shell, write_set: WriteSet, project: Path, text: str, told: str
) -> None:
    (project / "confeval.py").write_text(text)
    write_set(case("a"))
    done = shell("run")
    assert done.code == 4
    assert told in done.err
    assert "Traceback" not in done.err


AROUND = """
def note(text):
    with open("told", "a") as file:
        file.write(text + "\\n")

def before_case(case):
    note(f"before {case.eval_id}")

async def after_case(case, result):
    note(f"after {case.eval_id}: {result.error}")
"""

AGENTS = """
import asyncio, os, signal, time

async def sleeps(messages):
    await asyncio.sleep(600)

async def holds(messages):
    if messages[-1]["content"] == "b":
        await asyncio.sleep(0.4)
        return "b"
    await asyncio.sleep(0.2)
    time.sleep(20)

async def gives_up(messages):
    os.kill(os.getpid(), signal.SIGINT)
    await asyncio.sleep(600)
"""


def run(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own: it is interrupted, or leaves what hangs behind."""
    return subprocess.run(
        [sys.executable, "-m", "tenxgraph_tui", "run", *words],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def told_of(project: Path) -> list[str]:
    return (project / "told").read_text().splitlines()


@pytest.fixture
def around(project: Path, write_set: WriteSet) -> WriteSet:
    (project / "confeval.py").write_text(AROUND)
    (project / "slow.py").write_text(AGENTS)
    return write_set


def test_a_case_that_took_too_long_has_what_comes_after_it(around: WriteSet, project: Path) -> None:
    around(case("a"), target="slow.py:sleeps")
    assert run(project, "--timeout", "0.2").returncode == 3
    assert told_of(project) == ["before a", "after a: timed out after 0.2 s"]


def test_a_case_that_was_cancelled_has_what_comes_after_it(around: WriteSet, project: Path) -> None:
    around(case("a"), target="slow.py:gives_up")
    assert run(project).returncode == 130
    assert told_of(project) == ["before a", "after a: cancelled"]


def test_what_comes_after_a_cancelled_case_is_waited_for(around: WriteSet, project: Path) -> None:
    around(case("a"), target="slow.py:gives_up")
    text = AROUND.replace("result):", "result):\n    await __import__('asyncio').sleep(1.5)")
    (project / "confeval.py").write_text(text)
    assert run(project).returncode == 130
    assert told_of(project) == ["before a", "after a: cancelled"]


def test_what_goes_wrong_after_a_cancelled_case_is_told(around: WriteSet, project: Path) -> None:
    around(case("a"), target="slow.py:gives_up")
    (project / "confeval.py").write_text(
        "def after_case(case, result):\n    raise ValueError('no')"
    )
    assert "confeval.py:2: after_case() raised ValueError: no" in run(project).stderr


def test_a_case_that_blocks_and_one_that_starts_again_have_what_comes_after_them(
    around: WriteSet, project: Path
) -> None:
    around(case("a"), case("b"), target="slow.py:holds")
    assert run(project, "--timeout", "1").returncode == 3
    told = told_of(project)
    assert [line for line in told if line.startswith(("before b", "after b"))] == [
        "before b",
        "after b: a blocked the event loop",
        "before b",
        "after b: None",
    ]
    began, ended = [line for line in told if line.startswith(("before a", "after a"))]
    assert began == "before a"
    assert ended.startswith("after a: timed out after 1 s: it blocked the event loop at slow.py:")


def test_only_files_that_came_to_their_turn_have_theirs_after_a_case(
    shell: Shell, inner: Path, project: Path
) -> None:
    begins = "async def before_case(case):"
    outer = HOOKS.replace("NAME", "outer").replace(begins, f"{begins}\n    1 / 0")
    (project / "confeval.py").write_text(outer)
    (inner / "confeval.py").write_text(HOOKS.replace("NAME", "inner"))
    assert shell("run").code == 3
    assert told_of(project)[2:] == ["after a outer passed=False"]
