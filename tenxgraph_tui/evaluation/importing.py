"""Importing the user's code: files under names of their own, and again when it must be fresh."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType


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
