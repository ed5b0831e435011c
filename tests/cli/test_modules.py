"""Eval modules on the command line: listed, run, filtered, and told of where they are wrong."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation.events import Reply
from tenxgraph_tui.session.protocol import Kind, SetRequest, WorkerRequest
from tests.cli.conftest import Shell
from tests.cli.test_worker import worker

MODULE = """
from answers import echo as app
from tenxgraph_tui.evaluation import EvalCase, EvalPresets, EvalSet
print("imported")

EVAL_CONFIG = EvalPresets.quick_check()

def made(name, *ids):
    cases = [EvalCase.single_turn(one, one, expected_response=one) for one in ids]
    return EvalSet(eval_set_id=name, eval_cases=cases)

def big() -> EvalSet:
    return made("big", "one", "two")

def small() -> EvalSet:
    return made("small", "one")
"""


@pytest.fixture
def module(project: Path) -> Iterator[Path]:
    (project / "answers.py").write_text("def echo(messages):\n    return messages[-1]['content']\n")
    path = project / "words_eval.py"
    path.write_text(MODULE)
    yield path
    for name in [name for name in sys.modules if name.startswith("_target_") or name == "answers"]:
        del sys.modules[name]


def test_its_sets_are_listed_with_its_agent_and_its_config(shell: Shell, module: Path) -> None:
    done = shell("list")
    assert done.code == 0
    assert done.out.splitlines()[:4] == [
        "big  words_eval.py:big",
        "  target words_eval.py:app, config inline (words_eval.py)",
        "  one",
        "  two",
    ]
    assert "imported" in done.err
    assert "imported" not in done.out


def test_it_runs_like_any_other_file(shell: Shell, module: Path, project: Path) -> None:
    done = shell("run", "words_eval.py", "--report", "json")
    assert done.code == 0
    reports = [json.loads(path.read_text()) for path in project.glob("eval_reports/*.json")]
    assert sorted(len(report["results"]) for report in reports) == [1, 2]


def test_a_run_imports_it_once_for_its_sets_and_its_agent(
    shell: Shell, module: Path, project: Path
) -> None:
    done = shell("run", "words_eval.py")
    assert done.err.splitlines().count("agent │ imported") == 1
    assert "imported" not in done.out


def test_a_run_tells_of_one_that_leaves(shell: Shell, project: Path) -> None:
    (project / "eval_leaves.py").write_text("import os\nos._exit(0)\n")
    done = shell("run")
    assert done.code == 4
    assert "eval_leaves.py:2: it cannot be imported: SystemExit: os._exit(0)" in done.err


def test_variables_of_the_settings_are_there_when_it_is_imported(
    shell: Shell, module: Path, project: Path
) -> None:
    (project / ".env").write_text("WORDS_OF_THE_DAY=hello\n")
    (project / "tenxgraph-tui.toml").write_text('env_file = ".env"\n')
    module.write_text(f"import os\nprint(os.environ['WORDS_OF_THE_DAY'])\n{MODULE}")
    assert "agent │ hello" in shell("run").err


def test_cases_are_selected_by_name(shell: Shell, module: Path) -> None:
    assert "1/1 passed" in shell("run", "words_eval.py::two").out
    assert "running 2 cases of 2 sets" in shell("run", "--case", "one").err


def test_one_of_its_sets_is_selected_by_its_path(shell: Shell, module: Path) -> None:
    assert "1/1 passed" in shell("run", "words_eval.py:small").out
    assert "1/1 passed" in shell("run", "words_eval.py:big::two").out
    done = shell("run", "words_eval.py:smal")
    assert done.code == 2
    assert "words_eval.py: there is no set 'smal' (did you mean 'small'?)" in done.err


def test_a_file_that_is_named_may_be_called_as_it_likes(
    shell: Shell, module: Path, project: Path
) -> None:
    text = MODULE.partition("def big")[0] + 'def get_eval_set():\n    return made("w", "one")\n'
    module.rename(project / "words.py").write_text(text)
    assert "1/1 passed" in shell("run", "words.py").out


def test_a_run_of_it_is_judged_again(shell: Shell, module: Path) -> None:
    assert shell("run", "words_eval.py:small").code == 0
    assert "1/1 passed" in shell("rejudge", "last").out


def test_flags_go_first(shell: Shell, module: Path, project: Path) -> None:
    (project / "other.py").write_text("def deaf(messages):\n    return 'what?'\n")
    done = shell("run", "--target", "other.py:deaf", "--preset", "response_quality", "--case", "x")
    assert done.code == 3
    done = shell("run", "--target", "other.py:deaf")
    assert done.code == 1
    assert "target other.py:deaf" in done.out


def test_one_that_is_wrong_is_told_and_the_others_are_listed(
    shell: Shell, module: Path, project: Path
) -> None:
    (project / "eval_wrong.py").write_text("x = 1\n1 +\n")
    done = shell("list")
    assert done.code == 4
    assert "words_eval.py:small" in done.out
    assert "eval_wrong.py:2: it cannot be imported: SyntaxError" in done.err


def test_one_without_any_set_is_told_of(shell: Shell, project: Path) -> None:
    (project / "eval_tools.py").write_text("x = 1\n")
    done = shell("run")
    assert done.code == 2
    assert "eval_tools.py: no eval set: write get_eval_set()" in done.err


def test_a_worker_lists_and_loads(module: Path, project: Path) -> None:
    def answer(kind: Kind, path: str) -> dict[str, Any]:
        request = WorkerRequest(kind=kind, root=str(project), sets=(SetRequest(path=path),))
        with worker(project) as talk:
            talk.say(request.line())
            assert talk.end() == 0
            (reply,) = talk.all(Reply)
        assert reply.error is None
        return dict(reply.data)

    assert list(answer("list", "words_eval.py")["modules"]["words_eval.py"]["sets"]) == [
        "words_eval.py:big",
        "words_eval.py:small",
    ]
    loaded = answer("load", "words_eval.py:small")["sets"]["words_eval.py:small"]
    assert loaded["eval_set_id"] == "small"
