"""What the files of the project say: read at the start, and again whenever they were saved."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from tenxgraph_tui.cli import selection
from tenxgraph_tui.cli.compose import shown
from tenxgraph_tui.cli.confevals import Confevals
from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.evaluation.presets import PRESETS
from tenxgraph_tui.session.discovery import Discovery
from tenxgraph_tui.session.history import Name
from tenxgraph_tui.session.modules import KnownModules, ListedModule
from tenxgraph_tui.session.project import store_place
from tenxgraph_tui.session.protocol import SetRequest, WorkerRequest
from tenxgraph_tui.session.terms import Terms
from tenxgraph_tui.session.watching.contents import Contents, digest_of_settings
from tenxgraph_tui.session.watching.decision import narrowed
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.settings.layers import OTHER_PROGRAMS, OWN_FILE, SHARED_FILE

GLOB = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Filters:
    """What was typed to run less: parts of file names and of case ids, or globs; "" takes all."""

    files: str = ""
    cases: str = ""

    def takes(self, name: Name) -> bool:
        """Whether a case is among those that are wanted."""
        path, eval_id = name
        return _matches(self.files, shown(Path(path))) and _matches(self.cases, eval_id)

    @property
    def text(self) -> str:
        """What is filtered by; "" for nothing."""
        said = [("files", self.files), ("cases", self.cases)]
        return ", ".join(f"{what} {text!r}" for what, text in said if text)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found at one moment. `request` asks for everything that the command line selects."""

    settings: Loaded
    discovery: Discovery
    request: WorkerRequest
    contents: Contents
    confevals: Confevals
    names: dict[str, str] = field(default_factory=dict)
    """The path in requests by the name that a run has for the file."""

    def with_contents(self, contents: Contents) -> Reading:
        """The same, with what cannot be read now as it was before."""
        return replace(self, contents=contents)

    def path_of(self, file: str) -> str:
        """The path that requests have for a file that a run calls so."""
        return self.names.get(file, file)

    @property
    def cases(self) -> list[Name]:
        """Every case that can be run now, in file order."""
        sets = (self.contents.sets.get(one.path) for one in self.request.sets)
        return [(one.path, eval_id) for one in sets if one is not None for eval_id in one.cases]

    def sets(self, cases: frozenset[Name] | None, filters: Filters) -> tuple[SetRequest, ...]:
        """What a worker is asked for to run these cases, as far as the filters take them."""
        if not filters.text:
            return narrowed(self.request.sets, self.contents, cases)
        wanted = frozenset(
            name for name in self.cases if filters.takes(name) and (cases is None or name in cases)
        )
        return narrowed(self.request.sets, self.contents, wanted)


class Project:
    """The files that the words of the command line select, read as often as is wanted.

    `store` is where runs are kept; `note` says why that is not where one would look for it.
    """

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments = arguments
        place = store_place(selection.root_of(arguments))
        self.store, self.note = str(place.path), place.note
        self._modules = KnownModules(self._list_modules)

    def read(self) -> Reading:
        """Read everything.

        Raises:
            UsageError: a path does not exist, or holds no eval sets.
            ConfigError: a setting, or a flag, is wrong.
        """
        settings = selection.settings_of(self._arguments)
        discovery = selection.found(self._arguments, settings, self._modules)
        given = self._arguments
        terms = Terms.of(
            settings,
            fail_fast=given.fail_fast,
            max_errors=given.max_errors,
            retries=given.retries,
            judge_cache=True,
        )
        request = selection.requested(self._arguments, discovery, terms, store=self.store)
        contents = Contents.of(discovery, digest_of_settings(settings))
        names = {shown(Path(one.path)): one.path for one in request.sets}
        files = [each.file for each in discovery.sets]
        confevals = Confevals.listed(files, discovery.root, self._modules)
        return Reading(settings, discovery, request, contents, confevals, names)

    def _list_modules(self, files: Sequence[Path]) -> dict[Path, ListedModule]:
        settings = selection.settings_of(self._arguments)
        return selection.module_lister(settings)(files)

    def read_again(self, before: Reading) -> Reading:
        """Read everything; if that cannot be, what was read before with the problem in it."""
        try:
            return self.read()
        except TenxError as error:
            return replace(before, contents=replace(before.contents, problem=str(error)))


def configs_of(reading: Reading) -> list[Path]:
    """The config files that hold for all sets."""
    request = reading.request
    named = [request.config, request.fallbacks.config]
    return [Path(one).absolute() for one in named if isinstance(one, str) and one not in PRESETS]


def settings_files(reading: Reading) -> list[Path]:
    """The files that settings come from, whether they are there or not."""
    root = reading.settings.root
    files = [root / name for name in (OWN_FILE, SHARED_FILE, *OTHER_PROGRAMS)]
    env_file = reading.settings.path("env_file")
    return [*files, env_file] if env_file is not None else files


def _matches(pattern: str, text: str) -> bool:
    if GLOB & set(pattern):
        return fnmatchcase(text, pattern) or fnmatchcase(text, f"*{pattern}*")
    return pattern in text
