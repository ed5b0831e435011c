"""The `confeval.py` files of a project, each read once: what they say of an eval set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tenxgraph_tui.cli.anchoring import anchored
from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.formats.confevals import Confeval, read_confeval
from tenxgraph_tui.evaluation.formats.module_paths import confevals_above
from tenxgraph_tui.evaluation.heldtime import from_here
from tenxgraph_tui.evaluation.hooks import Hooks
from tenxgraph_tui.session.modules import ListedModule

Read = Callable[[Path, Path], Confeval]


@dataclass(slots=True)
class Confevals:
    """Those below `root`. `read` runs their code, unless it knows what is in them."""

    root: Path
    read: Read = read_confeval
    _known: dict[Path, Confeval] = field(default_factory=dict)

    @classmethod
    def listed(
        cls,
        files: Iterable[Path],
        root: Path,
        lister: Callable[[list[Path]], Mapping[Path, ListedModule]],
    ) -> Confevals:
        """Those that concern the eval sets `files`, as a worker lists them: without hooks."""
        paths = dict.fromkeys(one for file in files for one in confevals_above(file, root))
        found = lister([*paths]) if paths else {}

        def read(path: Path, _: Path) -> Confeval:
            listed = found.get(path, ListedModule())
            if listed.problems:
                raise ConfigError("\n".join(listed.problems))
            if listed.config is None:
                return Confeval()
            return Confeval(EvalConfig.model_validate(listed.config), listed.config_name)

        return cls(root, read)

    def config_of(self, file: Path) -> tuple[EvalConfig, str] | None:
        """The config of the nearest one that has any, and how it is called.

        Raises:
            ConfigError: one of them cannot be read.
        """
        for path in reversed(confevals_above(file, self.root)):
            found = self._of(path)
            if found.config is not None:
                name = f"{found.config_name} ({from_here(str(path))})"
                return anchored(found.config, path.parent), name
        return None

    def hooks_of(self, file: Path) -> Hooks:
        """The hooks of all of them, the outermost first; raises as `config_of`."""
        return Hooks([self._of(path).hooks for path in confevals_above(file, self.root)])

    def _of(self, path: Path) -> Confeval:
        if path not in self._known:
            self._known[path] = self.read(path, self.root)
        return self._known[path]
