"""`confeval.py`: the config of the eval sets in its folder and below, and hooks around their cases.

Reading one runs its code, so only a worker, or a headless run, does it.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from pathlib import Path

from tenxgraph_tui.errors import ConfigError, EvalSetError
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.formats import entries
from tenxgraph_tui.evaluation.formats.modules import imported
from tenxgraph_tui.evaluation.heldtime import from_here
from tenxgraph_tui.evaluation.hooks import SIGNATURES, FileHooks, fits


@dataclass(frozen=True, slots=True)
class Confeval:
    """What one file has; `config_name` is the name of the config in it."""

    config: EvalConfig | None = None
    config_name: str = ""
    hooks: FileHooks = field(default_factory=FileHooks)


def read_confeval(path: Path, root: Path) -> Confeval:
    """Import the file; `root` is importable from it.

    Raises:
        ConfigError: it cannot be imported, or what it has is wrong; one line with file and line.
    """
    try:
        module = imported(str(path), root)
        found = entries.config_of(module)
    except EvalSetError as error:
        raise ConfigError(str(error)) from error
    hooks = FileHooks()
    for name, takes in SIGNATURES.items():
        hook = getattr(module, name, None)
        if hook is None:
            continue
        if not callable(hook) or not fits(hook, name):
            where = entries.where_is(hook) if inspect.isfunction(hook) else from_here(str(path))
            raise ConfigError(f"{where}: {name} must be a function {name}{takes}")
        setattr(hooks, name, hook)
    config, config_name = found if found is not None else (None, "")
    return Confeval(config, config_name, hooks)
