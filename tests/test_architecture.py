"""Who may import whom, checked in the source and in running processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tenxgraph_tui

ROOT = Path(__file__).parents[1]
HEAVY = {"textual", "litellm", "numpy", "rich", "watchfiles", "nltk", "rouge_score"}


def loaded_after(statement: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after `statement`."""
    probe = f"import sys\n{statement}\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_import_contracts_hold() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


@pytest.mark.parametrize(
    ("module", "never"),
    [
        ("tenxgraph_tui", HEAVY | {"pydantic", "asyncio"}),
        ("tenxgraph_tui.cli.main", HEAVY | {"pydantic", "asyncio"}),
        ("tenxgraph_tui.evaluation", HEAVY),
        ("tenxgraph_tui.evaluation.runner", HEAVY | {"tenxgraph", "langgraph"}),
        ("tenxgraph_tui.graph", HEAVY),
        ("tenxgraph_tui.targets", HEAVY | {"tenxgraph", "langgraph", "httpx"}),
        ("tenxgraph_tui.session.store", HEAVY),
        ("tenxgraph_tui.session.discovery", HEAVY),
        ("tenxgraph_tui.settings", HEAVY),
        ("tenxgraph_tui.cli.doctor", HEAVY),
        ("tenxgraph_tui.cli.worker", HEAVY),
        ("tenxgraph_tui.cli.run", HEAVY - {"rich"}),
    ],
)
def test_importing_a_module_does_not_load(module: str, never: set[str]) -> None:
    assert not loaded_after(f"import {module}") & never


def test_every_name_of_the_library_comes_without_anything_heavy() -> None:
    assert not loaded_after("from tenxgraph_tui.evaluation import *") & HEAVY


def test_the_package_has_the_librarys_names() -> None:
    from tenxgraph_tui import evaluation

    assert evaluation.__all__
    for name in evaluation.__all__:
        assert getattr(tenxgraph_tui, name) is getattr(evaluation, name)
    assert set(evaluation.__all__) <= set(dir(tenxgraph_tui))


def test_other_names_are_not_there() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'EvalSett'"):
        tenxgraph_tui.EvalSett  # noqa: B018 - looking it up is the test
