"""No line of the dashboard can have text of agents or files taken for markup."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

import tenxgraph_tui.tui

PACKAGE = Path(tenxgraph_tui.tui.__file__).parent
TOASTS = PACKAGE / "toasts.py"
WIDGETS = "textual.widgets"
SILENT = frozenset({"Input"})
"""Of the widgets there, those that take nothing they are given for markup."""
PARSED = frozenset({"from_markup", "from_text", "from_ansi", "print"})
SHOWN = frozenset({"border_title", "border_subtitle", "tooltip", "sub_title"})
"""Attributes whose strings are markup."""


def problems(source: str, *, may_notify: bool = False) -> Iterator[str]:
    """What in a module could take data for markup, with its line."""
    tree = ast.parse(source)
    widgets = set(_widgets(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            told = _calls(node, widgets, may_notify=may_notify)
            yield from (f"line {node.lineno}: {text}" for text in told)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                is_shown = isinstance(target, ast.Attribute) and target.attr in SHOWN
                if is_shown and not isinstance(node.value, ast.Constant):
                    yield f"line {node.lineno}: {ast.unparse(target)} is markup"


def _widgets(tree: ast.Module) -> Iterator[str]:
    """Textual's own widgets in a module: they take strings for markup unless told otherwise."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(WIDGETS):
            names = (one.asname or one.name for one in node.names)
            yield from (name for name in names if name not in SILENT)


def _calls(node: ast.Call, widgets: Collection[str], *, may_notify: bool) -> Iterator[str]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
    keywords = {word.arg: ast.unparse(word.value) for word in node.keywords}
    is_off = keywords.get("markup") == "False"
    if "markup" in keywords and not is_off:
        yield f"{name} parses markup"
    elif name == "notify" and not (may_notify and is_off):
        yield "toasts go through tui/toasts.py"
    elif name in PARSED or (name in widgets and not is_off and node.args):
        yield f"{name} parses what it is given"


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_nothing_parses_markup(path: Path) -> None:
    found = problems(path.read_text(encoding="utf-8"), may_notify=path == TOASTS)
    assert not list(found)


@pytest.mark.parametrize(
    "source",
    [
        "from textual.widgets import Static\nStatic(name)",
        "from textual.widgets import Label as Words\nWords(name)",
        "Words(name, markup=True)",
        "app.notify(name)",
        "app.notify(name, markup=False)",
        "Content.from_markup(name)",
        "self.border_title = name",
        "self.tooltip: str = name",
    ],
)
def test_what_would_parse_markup_is_found(source: str) -> None:
    assert len(list(problems(source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        "from textual.widgets import Static\nStatic(name, markup=False)",
        "from ours import Static\nStatic(name)",
        "Content(name)",
        "self.border_title = 'fixed'",
    ],
)
def test_what_shows_text_as_it_is_is_not(source: str) -> None:
    assert not list(problems(source))


def test_toasts_show_text_as_it_is() -> None:
    assert not list(problems("app.notify(name, markup=False)", may_notify=True))
    assert list(problems("app.notify(name)", may_notify=True))
