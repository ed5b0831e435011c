"""What the `confeval.py` files above eval sets want checked, as far as a worker told it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.formats.module_paths import confevals_above, file_in
from tenxgraph_tui.evaluation.paths import real
from tenxgraph_tui.session.discovery import ListModules
from tenxgraph_tui.session.modules import ListedModule
from tenxgraph_tui.tui.presets import Preset


def near_configs(
    paths: Sequence[str], root: Path, list_modules: ListModules | None = None
) -> dict[str, Preset]:
    """The config that the nearest of them has, by the paths of the sets below `root`.

    It is unread where nobody can list such a file, or where that one says what is wrong with it.
    A set is left out where none of its files has a config, but perhaps hooks.
    """
    folders = {path: file_in(path).parent for path in paths}
    above = {each: confevals_above(each / "set", root) for each in dict.fromkeys(folders.values())}
    files = [*dict.fromkeys(file for found in above.values() for file in found)]
    listed = list_modules(files) if list_modules is not None and files else {}
    nearest = {each: _nearest(found, root, listed) for each, found in above.items()}
    return {path: near for path, each in folders.items() if (near := nearest[each]) is not None}


def _nearest(
    files: Sequence[Path], root: Path, listed: Mapping[Path, ListedModule]
) -> Preset | None:
    for file in reversed(files):
        module = listed.get(file)
        if module is not None and module.config is None and not module.problems:
            continue
        config = _config(module) if module is not None else None
        top = real(root)
        name = file.relative_to(top).as_posix() if file.is_relative_to(top) else str(file)
        return Preset(name, None, config, is_unread=config is None)
    return None


def _config(module: ListedModule) -> EvalConfig | None:
    """What is told of a module; None where that cannot be read."""
    if module.problems:
        return None
    try:
        return EvalConfig.model_validate(module.config)
    except ValidationError:
        return None
