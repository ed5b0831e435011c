"""What the files of a project say, as watch mode compares it: sets by digests, settings by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.formats.module_paths import CONFEVAL, file_in, split
from tenxgraph_tui.evaluation.paths import real
from tenxgraph_tui.session.watching.contents import Contents, SetContent, digest_of_settings
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.tui.catalog import Catalog, SetFile
from tenxgraph_tui.tui.packed import PackedCases

Reload = Callable[[], Loaded]


class Reader:
    """Any thread may ask, one at a time. A file that was not read anew is not looked at again.

    `reload` reads the settings once more.
    """

    def __init__(self, reload: Reload) -> None:
        self._reload = reload
        self._known: dict[str, tuple[PackedCases, SetContent]] = {}

    def contents(self, catalog: Catalog) -> tuple[Contents, Loaded | None]:
        """What a catalog and the settings say now; without settings where they cannot be read."""
        # a confeval.py that cannot be read stands among them, and is no set
        sets = [self._of(file) for file in catalog.files if Path(file.path).name != CONFEVAL]
        try:
            loaded = self._reload()
        except ConfigError as error:
            return Contents.holding(sets, problem=str(error)), None
        return Contents.holding(sets, digest_of_settings(loaded)), loaded

    def _of(self, file: SetFile) -> SetContent:
        if file.eval_set is None:
            return SetContent(file.path, real(file_in(file.path)), problem=file.problem)
        known = self._known.get(file.path)
        is_made = split(file.path) is not None  # by code that may be other than before
        if known is None or known[0] is not file.packed or is_made:
            content = SetContent.read(file.path, file.eval_set, ())
            known = file.packed, replace(content, cases=file.packed.digests())
            self._known[file.path] = known
        return known[1]
