"""Who may import whom, checked in the source and in running processes."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tenxgraph_tui

ROOT = Path(__file__).parents[1]
HEAVY = {"textual", "litellm", "numpy", "rich", "watchfiles", "nltk", "rouge_score"}
PACKAGE = ROOT / "tenxgraph_tui"
SOURCES = sorted(PACKAGE.rglob("*.py"))
A_FILE, AN_APP, A_FUNCTION, A_CLASS = 250, 150, 30, 250
LONGER = {"make_app": 48}  # where the dashboard is put together, part by part
METHODS = 15
LARGER = {
    "CallbackManager": 17,  # documented, with a method for every moment of a graph
    "TrajectoryCollector": 17,  # documented, with everything that it collected
    "Run": 19,  # eight of them are the port through which its loop tells of cases
    "WatchedLoop": 18,  # one lock and one thread guard all of it
}
"""Classes that have more methods, and how many; none may get another."""
HOOKS = ("on_", "action_", "watch_", "get_content_", "render_")
OVERRIDDEN = frozenset(
    {
        *("compose", "render", "check_action", "notify_style_update", "vertical_scrollbar"),
        *("get_default_screen", "get_line_filters", "get_system_commands"),
    }
)
"""What Textual calls by its name, or asks for."""
TABLES_OF_NAMES = {PACKAGE / "evaluation" / "__init__.py"}


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
        ("tenxgraph_tui.cli.watch", HEAVY - {"rich", "watchfiles"}),
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


def lines_of(*nodes: ast.stmt) -> int:
    return (nodes[-1].end_lineno or nodes[-1].lineno) - nodes[0].lineno + 1


def lines_done(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Of what a function does: documented signatures and docstrings are as long as they must be."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return lines_of(*body) if body else 0


def too_long(source: str, *, is_app: bool = False) -> Iterator[str]:
    """What in a module has more lines than somebody reads at once."""
    if len(source.splitlines()) > A_FILE:
        yield f"{len(source.splitlines())} lines"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            count, most = lines_of(node), AN_APP if is_app else A_CLASS
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            count, most = lines_done(node), LONGER.get(node.name, A_FUNCTION)
        else:
            continue
        if count > most:
            yield f"{node.name}: {count} lines"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_everything_is_short_enough_to_be_read(path: Path) -> None:
    if path not in TABLES_OF_NAMES:
        is_app = path == PACKAGE / "tui" / "app.py"
        assert list(too_long(path.read_text(encoding="utf-8"), is_app=is_app)) == []


Function = ast.FunctionDef | ast.AsyncFunctionDef


def is_own(method: Function) -> bool:
    """Whether somebody here calls a method, not Textual."""
    calls = [one.func for one in method.decorator_list if isinstance(one, ast.Call)]
    is_handler = any(isinstance(call, ast.Name) and call.id == "on" for call in calls)
    return not (is_handler or method.name.startswith(HOOKS) or method.name in OVERRIDDEN)


def own_methods(node: ast.ClassDef) -> list[str]:
    """The methods and properties that a class defines itself, `__init__` and the like among them.

    Not those that Textual calls: handlers of messages, actions of keys, watchers, `compose`,
    what draws, and the few others of `OVERRIDDEN`. A widget has as many of these as it has keys.
    """
    return [each.name for each in node.body if isinstance(each, Function) and is_own(each)]


def too_many_methods(source: str) -> Iterator[str]:
    """The classes of a module that nobody can keep in mind."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            count = len(own_methods(node))
            if count > LARGER.get(node.name, METHODS):
                yield f"{node.name}: {count} methods"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_class_has_more_methods_than_somebody_keeps_in_mind(path: Path) -> None:
    assert list(too_many_methods(path.read_text(encoding="utf-8"))) == []


def test_classes_that_are_let_off_need_it() -> None:
    sources = [path.read_text(encoding="utf-8") for path in SOURCES]
    nodes = (node for source in sources for node in ast.walk(ast.parse(source)))
    counts = {node.name: len(own_methods(node)) for node in nodes if isinstance(node, ast.ClassDef)}
    assert {name: counts[name] for name in LARGER} == LARGER


def test_what_textual_calls_does_not_count_and_everything_else_does() -> None:
    own = "".join(f"    def m{number}(self): ...\n" for number in range(METHODS))
    hooks = "    def on_mount(self): ...\n    @on(Key)\n    def _key(self): ...\n"
    assert not [*too_many_methods(f"class A:\n{own}{hooks}")]
    more = "    @property\n    def name(self): ...\n"
    assert [*too_many_methods(f"class A:\n{own}{hooks}{more}")] == ["A: 16 methods"]


def test_what_is_too_long_is_found() -> None:
    body = "    x = 1\n" * 150
    assert [*too_long(f"class A:\n{body}", is_app=True)] == ["A: 151 lines"]
    assert [*too_long(f"def f():\n{body}")] == ["f: 150 lines"]
    documented = f'def f(\n    a,\n):\n    """It\n    does."""\n{body[:300]}'
    assert not [*too_long(documented)]
    assert [*too_long(f"{documented}    x = 1\n")] == ["f: 31 lines"]
    assert [*too_long("x = 1\n" * 251)] == ["251 lines"]
    assert not [*too_long(f"class A:\n{body}")]
