"""What the `confeval.py` files above eval sets want checked, as far as a worker told it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.formats.module_paths import confevals_above, file_in
from tenxgraph_tui.evaluation.paths import real
from tenxgraph_tui.session.discovery import ListModules
from tenxgraph_tui.session.files import Problem
from tenxgraph_tui.session.modules import ListedModule
from tenxgraph_tui.tui.presets import Preset


@dataclass(frozen=True, slots=True)
class Nearby:
    """The config that the nearest of them has, by the paths of sets, and what is wrong with any.

    A config is unread where nobody can list such a file, or where that one is wrong. A set is left
    out where none of its files has a config, but perhaps hooks.
    """

    configs: Mapping[str, Preset]
    problems: tuple[Problem, ...] = ()


def look_above(paths: Sequence[str], root: Path, list_modules: ListModules | None = None) -> Nearby:
    """What the files above the sets at `paths`, which lie below `root`, say."""
    folders = {path: file_in(path).parent for path in paths}
    above = {each: confevals_above(each / "set", root) for each in dict.fromkeys(folders.values())}
    files = [*dict.fromkeys(file for found in above.values() for file in found)]
    listed = list_modules(files) if list_modules is not None and files else {}
    nearest = {each: _nearest(found, root, listed) for each, found in above.items()}
    return Nearby(
        {path: near for path, each in folders.items() if (near := nearest[each]) is not None},
        tuple(Problem(file, text) for file in listed for text in listed[file].problems),
    )


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
        problem = module.problems[0] if module is not None and module.problems else ""
        return Preset(name, None, config, problem=problem, is_unread=config is None)
    return None


def _config(module: ListedModule) -> EvalConfig | None:
    """What is told of a module; None where that cannot be read."""
    if module.problems:
        return None
    try:
        return EvalConfig.model_validate(module.config)
    except ValidationError:
        return None
