"""Which files watch mode follows, and what each of them is to a run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from tenxgraph_tui.evaluation.formats.module_paths import is_module
from tenxgraph_tui.evaluation.paths import real
from tenxgraph_tui.session.files import SUFFIX
from tenxgraph_tui.session.watching.contents import Contents


class Role(StrEnum):
    """What a file is to a run."""

    EVAL_SET = "eval set"
    CONFIG = "config"
    SETTINGS = "settings"
    CODE = "agent code"
    DATA = "read by the agent"


@dataclass(frozen=True, slots=True)
class Followed:
    """The files under `root` (a real path) whose change may run something again.

    `files` are those that are known, by real path. `is_complete` says whether a run has told what
    it imported and read; until then every Python file below `root` counts as agent code.
    `written` are files that runs write themselves: they are never followed.
    """

    root: Path
    files: Mapping[Path, Role] = field(default_factory=dict)
    written: frozenset[Path] = frozenset()
    is_complete: bool = False

    def with_sets(
        self, contents: Contents, configs: Iterable[Path] = (), settings: Iterable[Path] = ()
    ) -> Followed:
        """The same for what is read now: eval sets, config files, files of settings."""
        kept = {path: role for path, role in self.files.items() if role in USED}
        roles = dict.fromkeys((real(path) for path in configs), Role.CONFIG)
        roles |= dict.fromkeys(contents.configs, Role.CONFIG)
        roles |= dict.fromkeys((real(path) for path in settings), Role.SETTINGS)
        roles |= dict.fromkeys((one.file for one in contents.sets.values()), Role.EVAL_SET)
        return replace(self, files={**kept, **roles})

    def with_used(
        self, paths: Iterable[str | Path], written: Iterable[str | Path] = ()
    ) -> Followed:
        """The same when a run told what it used (`Files`); what had a role keeps it."""
        wrote = self.written | {Path(path) for path in written}
        files = {path: role for path, role in self.files.items() if path not in wrote}
        for path in map(Path, paths):
            if path not in wrote:
                files.setdefault(path, Role.CODE if path.suffix == ".py" else Role.DATA)
        return replace(self, files=files, written=wrote)

    def completed(self, *, is_complete: bool = True) -> Followed:
        """The same after a run that told all it used; False after one that could not load its
        target, so that what it would have used is not known. One that told nothing is such, too.
        """
        has_told = any(role in USED for role in self.files.values())
        return replace(self, is_complete=is_complete and has_told)

    def is_followed(self, path: Path) -> bool:
        """Whether a change of the file, named by its real path, may run something again."""
        if path in self.written:
            return False
        is_named_so = path.name.endswith(SUFFIX) or is_module(path)
        return path in self.files or is_named_so or self._may_be(path)

    def follows_named(self, name: str) -> bool:
        """Whether a file of that name is followed without being known."""
        if name.endswith(SUFFIX):
            return True
        return name.endswith(".py") and (not self.is_complete or is_module(name))

    def concerns_all(self, path: Path) -> bool:
        """Whether everything runs again when the file changes."""
        if path in self.written:
            return False
        role = self.files.get(path)
        if role is None:
            return self._may_be(path)
        return role in USED or role is Role.CONFIG

    def _may_be(self, path: Path) -> bool:
        return not self.is_complete and path.suffix == ".py" and path.is_relative_to(self.root)

    def shown(self, path: Path) -> str:
        """A path as people know it: from the root, where it lies below."""
        return str(path.relative_to(self.root) if path.is_relative_to(self.root) else path)

    @property
    def used(self) -> frozenset[str]:
        """What runs told that they use, as it is shown: what a later session begins with."""
        return frozenset(self.shown(path) for path, role in self.files.items() if role in USED)

    def recalled(self, used: Iterable[str]) -> Followed:
        """The same with what an earlier session knew, as far as it is still there."""
        paths = (self.root / name for name in used)
        return self.with_used(path for path in paths if path.is_file())

    @property
    def folders(self) -> frozenset[Path]:
        """The folders that hold them."""
        return frozenset(path.parent for path in self.files)


USED: Collection[Role] = frozenset({Role.CODE, Role.DATA})
"""What only a run can tell."""
