"""A catalog is brought up to date with what lies in its places."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tenxgraph_tui.evaluation.formats.module_paths import split
from tenxgraph_tui.session.discovery import ListModules, Survey, read
from tenxgraph_tui.tui.catalog import Catalog, SetFile
from tenxgraph_tui.tui.nearby import look_above
from tenxgraph_tui.tui.presets import Preset


def again(catalog: Catalog, surveyed: Survey, list_modules: ListModules | None = None) -> Catalog:
    """The catalog of what lies there now; files that are as they were are not read again."""
    # a case that is asked for by name is looked for in its file every time
    files = () if surveyed.has_cases else catalog.files
    kept = {Path(file.path).resolve(): file for file in files if file.is_as_read}
    discovery = read(surveyed.without(kept), list_modules)
    later = Catalog.of(discovery, catalog.title, catalog.looked_in)
    known = {**kept, **{Path(file.path).resolve(): file for file in later.files}}
    found = dict.fromkeys(path.resolve() for path in surveyed.files)
    readable = [known[path] for path in found if path in known and not known[path].problem]
    readable += [file for file in later.files if split(file.path) and not file.problem]
    broken = [file for file in later.files if file.problem]
    near = look_above([file.path for file in readable], surveyed.root, list_modules)
    broken += [SetFile(str(one.file), problem=one.text) for one in near.problems]
    files = (*(_with(file, near.configs.get(file.path)) for file in readable), *broken)
    return Catalog(files, catalog.title, catalog.looked_in, later.modules, later.notes)


def _with(file: SetFile, near: Preset | None) -> SetFile:
    """The same object where it is as it was: that is how others tell (see `Bulletin`)."""
    return file if file.near == near else replace(file, near=near)
