"""Which files are nobody's work: our outputs, caches, and what editors leave while they save."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from tenxgraph_tui.session.files import SKIPPED
from tenxgraph_tui.session.project import FOLDER

FOLDERS = SKIPPED | {FOLDER, "site-packages", "__pypackages__", "env"}
TEMPORARY = re.compile(
    r"""^(?: \#.*\# | .*~ | .*\.(?:tmp|temp|bak|swp|swo|swx|orig|rej|pyc|part|lock)
      | 4913 | .*\.___jb_(?:tmp|old)___ | sed[A-Za-z0-9]{6} | .*\.tmp\.[0-9]+.* )$""",
    re.VERBOSE,
)
"""Of vim, Emacs, JetBrains, sed and those who write beside a file before they rename."""
REPORT = re.compile(r".+_\d{8}_\d{6}(?:_junit)?(?:[-_]\d+)?\.(?:json|html|md|xml)$")


class Ignoring:
    """What is not looked at below `root` (a real path); `outputs` are folders of reports."""

    def __init__(self, root: Path, outputs: Iterable[Path] = ()) -> None:
        self._root = root
        self._outputs = frozenset(path.resolve() for path in outputs) - {root}

    def ignores(self, path: Path) -> bool:
        """Whether a file, or a folder with all that is in it, is left alone."""
        if path.name.startswith(".") or TEMPORARY.match(path.name) or REPORT.match(path.name):
            return True
        relative = os.path.relpath(path, self._root)
        parts = Path(relative).parts[:-1] if not relative.startswith(os.pardir) else ()
        if any(part in FOLDERS or part.startswith(".") for part in parts):
            return True
        return any(path.is_relative_to(folder) for folder in self._outputs)
