"""Importing the user's code: files under names of their own, and again when it must be fresh."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

_added: set[str] = set()
"""The folders that are on `sys.path` through us."""


def import_file(path: Path) -> ModuleType:
    """Import a file under a name of its own: two folders may both have an `agents.py`.

    A file that is imported already, by whatever asked for it, is not run again. Its folder goes on
    `sys.path`. Whatever its code raises is raised here.
    """
    digest = hashlib.sha256(str(path).encode()).hexdigest()[:8]
    name = f"_target_{digest}_{path.stem}"
    if name in sys.modules:
        return sys.modules[name]
    first_on_path(path.parent)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def first_on_path(folder: Path) -> None:
    """Have the modules in a folder found before others of their names."""
    text = str(folder)
    if text not in sys.path:
        sys.path.insert(0, text)
        _added.add(text)


@contextmanager
def found_elsewhere() -> Iterator[None]:
    """Within it no import finds anything in the folders that `first_on_path` added.

    A project may have modules that are called as those of libraries are.
    """
    with _hidden(lambda _: True):
        yield


@contextmanager
def found_from(root: Path, name: str) -> Iterator[None]:
    """Within it the module `name` is that below `root`, where there is one.

    The folder of a file that was imported by its path may hold another: beside `pay/pay.py` the
    name `pay` is that file, and `pay.pay` nothing.
    """
    top = name.partition(".")[0]

    def holds(folder: str) -> bool:
        return (Path(folder) / top).is_dir() or (Path(folder) / f"{top}.py").is_file()

    is_there = holds(str(root))
    with _hidden(lambda folder: is_there and folder != str(root) and holds(folder)):
        yield


@contextmanager
def _hidden(is_hidden: Callable[[str], bool]) -> Iterator[None]:
    before = list(sys.path)
    hidden = {each for each in before if each in _added and is_hidden(each)}
    sys.path[:] = [each for each in before if each not in hidden]
    try:
        yield
    finally:
        new = [each for each in sys.path if each not in before]
        sys.path[:] = [*new, *before]


def forget_modules_below(root: Path) -> None:
    """Drop the project's own modules, so that the next import runs them again."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file is None or name == "__main__" or name.split(".")[0] == "tenxgraph_tui":
            continue
        path = Path(file)
        if path.is_relative_to(root) and "site-packages" not in path.parts:
            del sys.modules[name]
    importlib.invalidate_caches()
