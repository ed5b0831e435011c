"""Keeping what was put together as a config file of the project."""

from __future__ import annotations

import re
from pathlib import Path

from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.presets import PRESETS
from tenxgraph_tui.session.configs import CONFIG_SUFFIX
from tenxgraph_tui.tui.offered import project_config
from tenxgraph_tui.tui.presets import CUSTOM, Preset

PART = re.compile(r"\w[\w.-]*")
LONGEST_NAME = 100


class ConfigSaver:
    """Writes one config under the name that is typed; `saved` is what came of it.

    A name that is taken is written over only when it is given twice in a row.
    """

    def __init__(self, root: Path, config: EvalConfig) -> None:
        self._root, self._config = root, config
        self._refused: Path | None = None
        self.saved: Preset | None = None

    def accept(self, typed: str) -> str:
        """Write the file; gives back why not, in one sentence, or "" if it is there now."""
        name = typed.strip().removesuffix(CONFIG_SUFFIX).removesuffix(".json")
        problem = _wrong(name)
        if problem:
            return problem
        path = self._root / f"{name}{CONFIG_SUFFIX}"
        if path.exists() and path != self._refused:
            self._refused = path
            return f"{name}{CONFIG_SUFFIX} exists: enter once more replaces it"
        try:
            self._config.to_file(str(path))
        except FileNotFoundError:
            return f"there is no folder {Path(name).parent} in {self._root}"
        except OSError as error:
            return f"{path}: {error.strerror or error}"
        self.saved = project_config(path, self._root)
        return ""


def suggested_name(preset: Preset) -> str:
    """What a preset could be called as a file: a file keeps its name, a preset cannot."""
    if preset.is_file:
        return preset.key
    return "my_" + re.sub(r"[^\w.-]+", "_", preset.key.replace(CONFIG_SUFFIX, ""))


def _wrong(name: str) -> str:
    if name in PRESETS or name == CUSTOM:
        return f"{name} is what a preset is called: choose another name"
    if not all(PART.fullmatch(part) for part in name.split("/")):
        return "a name of letters, digits, - _ and . like ci, or folder/ci for a folder that exists"
    if len(Path(name).name) > LONGEST_NAME:
        return f"a name of at most {LONGEST_NAME} characters"
    return ""
