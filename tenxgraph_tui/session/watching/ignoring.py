"""Which files are nobody's work: our outputs, caches, and what editors leave while they save."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from tenxgraph_tui.evaluation.paths import real
from tenxgraph_tui.session.files import CONFIG_SUFFIX, SKIPPED, SUFFIX
from tenxgraph_tui.session.project import FOLDER

FOLDERS = SKIPPED | {FOLDER, "site-packages", "__pypackages__"}
TEMPORARY = re.compile(
    r"""^(?: \#.*\# | .*~ | .*\.(?:tmp|temp|bak|swp|swo|swx|orig|rej|py[co]|part|lock)
      | 4913 | .*___jb_(?:tmp|old)___ | sed[A-Za-z0-9]{6} | .*\.tmp[.-][A-Za-z0-9._-]+ )$""",
    re.VERBOSE,
)
"""Of Emacs, vim, JetBrains, sed, and of those who write beside a file before they rename."""
REPORTS = (".json", ".html", ".md", ".xml")
REPORT = re.compile(r".+_\d{8}_\d{6}(?:_junit)?(?:[-_]\d+)?\.(?:json|html|md|xml)$")
"""Named by the time, as reports are unless a config says otherwise."""


class Ignoring:
    """What is not looked at below `root` (a real path).

    `outputs` are folders that reports are written to; eval sets and code may lie there too.
    """

    def __init__(self, root: Path, outputs: Iterable[Path] = ()) -> None:
        self._root = root
        self._outputs = frozenset(map(real, outputs)) - {root}

    def ignores(self, path: Path) -> bool:
        """Whether a file is left alone, unless it is followed by its name."""
        if self.ignores_named(path.name) or self._is_output(path):
            return True
        return self.is_in_ignored_folder(path)

    def ignores_named(self, name: str) -> bool:
        """The same of a file whose folder is not ignored, and takes no reports."""
        return bool(name.startswith(".") or TEMPORARY.match(name) or REPORT.match(name))

    def ignores_folder(self, path: Path) -> bool:
        """Whether a folder is left alone with all that is in it."""
        return self.is_in_ignored_folder(path / "_")

    def ignores_folder_named(self, name: str) -> bool:
        """The same of a folder in one that is not."""
        return name in FOLDERS or name.startswith(".")

    def is_in_ignored_folder(self, path: Path) -> bool:
        """Whether a file lies where nobody works: in hidden folders, packages, caches."""
        folder = path.parent
        parts = folder.relative_to(self._root).parts if folder.is_relative_to(self._root) else ()
        return any(map(self.ignores_folder_named, parts))

    def _is_output(self, path: Path) -> bool:
        if not path.name.endswith(REPORTS) or path.name.endswith((SUFFIX, CONFIG_SUFFIX)):
            return False
        return any(path.is_relative_to(output) for output in self._outputs)
