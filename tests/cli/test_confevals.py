"""`confeval.py`: configs up the tree, and hooks around the run and its cases."""

from __future__ import annotations

import json
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
