"""Eval modules are listed by a worker: what is in them, what is wrong, and when to ask again."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tenxgraph_tui.session.discovery import discover
from tenxgraph_tui.session.modules import KnownModules, ListedModule, ModuleLister, is_as_it_was

MODULE = """
from cases import made
from tenxgraph_tui.evaluation import EvalSet
print("imported")

def smoke() -> EvalSet:
    return made("smoke")

def full() -> EvalSet:
    return made("full")
"""
CASES = """
from tenxgraph_tui.evaluation import EvalCase, EvalSet

def made(name):
    return EvalSet(eval_set_id=name, eval_cases=[EvalCase.single_turn("a", "hi")])
"""


@pytest.fixture
def module(project: Path) -> Path:
    (project / "cases.py").write_text(CASES)
    path = project / "weather_eval.py"
    path.write_text(MODULE)
    return path


def lister(project: Path, said: list[str] | None = None, patience: float = 60.0) -> ModuleLister:
    say = said.append if said is not None else None
    return ModuleLister(project, lambda: sys.executable, say=say, patience=patience)


def test_a_worker_reads_them_and_nothing_is_imported_here(project: Path, module: Path) -> None:
    said: list[str] = []
    before = set(sys.modules)
    found = lister(project, said)([module])[module]
    assert list(found.sets) == [f"{module}:full", f"{module}:smoke"]
    assert found.sets[f"{module}:smoke"].eval_cases[0].eval_id == "a"
    assert "imported" in said
    assert "cases" not in set(sys.modules) - before


def test_what_a_module_is_made_from_is_known(project: Path, module: Path) -> None:
    found = lister(project)([module])[module]
    assert {path.name for path, _ in found.uses} == {"weather_eval.py", "cases.py"}
    past = module.stat().st_mtime - 60
    for path, _ in found.uses:
        os.utime(path, (past, past))
    found = lister(project)([module])[module]
    assert is_as_it_was(found.uses)
    (project / "cases.py").write_text(CASES + "\n")
    assert not is_as_it_was(found.uses)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1 +", "bad_eval.py:1: it cannot be imported: SyntaxError"),
        ("import os; os._exit(9)", "bad_eval.py:1: it cannot be imported: SystemExit: os._exit(9)"),
        ("import os; os.kill(os.getpid(), 9)", "was killed by SIGKILL, while it was imported"),
    ],
)
def test_one_that_cannot_be_read_does_not_hide_the_others(
    project: Path, module: Path, text: str, told: str
) -> None:
    bad = project / "bad_eval.py"
    bad.write_text(text)
    found = discover([project], project, lister(project))
    assert [each.eval_set.eval_set_id for each in found.sets] == ["full", "smoke"]
    (problem,) = found.problems
    assert problem.file == bad
    assert told in problem.text
    assert module.name not in problem.text


def test_one_that_never_ends_is_given_up(project: Path) -> None:
    slow = project / "slow_eval.py"
    slow.write_text("import time; time.sleep(600)")
    found = lister(project, patience=0.5)([slow])[slow]
    assert found.problems == (f"{slow}: reading it was given up after 0.5 s",)


def test_cases_can_be_asked_for_by_name(project: Path, module: Path) -> None:
    found = discover([f"{module}::a"], project, lister(project))
    assert [each.ids for each in found.sets] == [("a",), ("a",)]


def test_modules_without_sets_are_told_of(project: Path) -> None:
    (project / "no_eval.py").write_text("x = 1")
    (project / "trip_eval.py").write_text(
        "from tenxgraph_tui.evaluation import ConversationScenario\n"
        'SCENARIOS = [ConversationScenario(scenario_id="trip")]\n'
    )
    found = discover([project], project, lister(project))
    assert not found.sets
    assert not found.problems
    assert [note.removeprefix(f"{project}/") for note in found.notes] == [
        "no_eval.py: no eval set: write get_eval_set(), or a function annotated -> EvalSet",
        "trip_eval.py: simulated conversations cannot be run yet (trip)",
    ]


def test_without_a_lister_they_stay_unread(project: Path, module: Path) -> None:
    found = discover([project], project)
    assert found.unread == (module,)
    assert not found.sets


def test_only_what_may_say_something_else_is_asked_for_again(project: Path) -> None:
    asked: list[Path] = []
    names = [project / f"{name}_eval.py" for name in "abc"]
    for name in names:
        name.touch()

    def ask(files: Sequence[Path]) -> dict[Path, ListedModule]:
        asked.extend(files)
        status = names[0].stat()
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        return {
            names[0]: ListedModule(uses=((names[0], stamp),)),
            names[1]: ListedModule(uses=((names[1], None),)),
            names[2]: ListedModule(problems=("c_eval.py: broken",)),
        }

    known = KnownModules(ask)
    known(names)
    known(names)
    assert asked == [*names, *names[1:]]
