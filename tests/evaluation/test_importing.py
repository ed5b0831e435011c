"""Modules of a project are found, and take the place of no other's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.importing import first_on_path, found_elsewhere, import_file
from tenxgraph_tui.targets import resolve

NAMES = ("pay", "pay.pay", "colorsys")


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", [*sys.path])
    forget()
    yield
    forget()


def forget() -> None:
    for name in NAMES:
        sys.modules.pop(name, None)


@pytest.fixture
def pay(tmp_path: Path) -> Path:
    """A package whose folder holds a module of the same name."""
    folder = tmp_path / "pay"
    folder.mkdir()
    (folder / "pay.py").write_text("def agent(messages):\n    return 'paid'\n")
    (folder / "confeval.py").write_text("x = 1\n")
    return folder


def test_a_module_in_a_folder_of_its_name_is_found_after_a_file_beside_it(pay: Path) -> None:
    first_on_path(pay.parent)
    import_file(pay / "confeval.py")
    before = list(sys.path)
    assert before[0] == str(pay), "it is there that files find what lies beside them"
    source = resolve("pay.pay:agent", base=pay.parent, root=pay.parent)
    source.load()
    assert sys.modules["pay.pay"].__file__ == str(pay / "pay.py")
    assert sys.path == before


def test_a_name_that_is_taken_says_by_which_file(pay: Path) -> None:
    first_on_path(pay)
    import_module("pay")
    with pytest.raises(TargetError, match=r"no module 'pay.pay' under .*, since 'pay' is .*pay.py"):
        resolve("pay.pay:agent", base=pay.parent, root=pay.parent).load()


def test_a_module_of_the_project_takes_the_place_of_no_library(tmp_path: Path) -> None:
    (tmp_path / "colorsys.py").write_text("x = 1\n")
    first_on_path(tmp_path)
    with found_elsewhere():
        assert hasattr(import_module("colorsys"), "rgb_to_hsv")
    assert sys.path[0] == str(tmp_path)
