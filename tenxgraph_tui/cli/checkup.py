"""What is installed, configured and found, and what is wrong with it. No agent code is run."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import TypeVar

from tenxgraph_tui.cli import abilities
from tenxgraph_tui.cli.abilities import installed_for, targets_usable
from tenxgraph_tui.cli.compose import Composer, shown
from tenxgraph_tui.cli.kept import answers_in_words, store_in_words
from tenxgraph_tui.cli.selection import (
    listed_confevals,
    module_lister,
    requested,
    settings_of,
)
from tenxgraph_tui.errors import EvalSetError, TenxError
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.session.configs import discover_configs
from tenxgraph_tui.session.discovery import Discovery, discover
from tenxgraph_tui.session.interpreter import Interpreter, choose
from tenxgraph_tui.session.models import PROVIDERS
from tenxgraph_tui.session.project import mark_of, project_root, store_place
from tenxgraph_tui.session.terms import Terms
from tenxgraph_tui.settings import Layer, Loaded
from tenxgraph_tui.settings.env_file import add_env_file

NEEDED = (
    "textual",
    "rich",
    "pydantic",
    "litellm",
    "rouge-score",
    "jinja2",
    "watchfiles",
    "python-dotenv",
    "tenacity",
    "json5",
)
EXTRAS = {
    "textual-serve": "serve needs it: pip install 'tenxgraph-tui[serve]'",
    "jmespath": "agents behind HTTP need it: pip install 'tenxgraph-tui[http]'",
}
TERMINAL = ("TERM", "COLORTERM", "NO_COLOR", "TERM_PROGRAM", "TMUX")
UNSET = "none is set"
SOME = 4

T = TypeVar("T")
Rows = list[tuple[str, str]]


@dataclass(slots=True)
class Checkup:
    """Facts by section, and problems with the exit code of each. Keys are told by name alone.

    `settings` is None where they cannot be read.
    """

    sections: dict[str, Rows] = field(default_factory=dict)
    problems: list[tuple[str, int]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    settings: Loaded | None = None

    @property
    def exit_code(self) -> int:
        """0, or the largest of the codes of what is wrong."""
        return max((code for _, code in self.problems), default=0)

    def ask(self, question: Callable[[], T]) -> T | None:
        """The answer, or None and a problem more."""
        try:
            return question()
        except TenxError as error:
            for line in str(error).splitlines():
                self.complain(line, error.exit_code)
            return None

    def complain(self, text: str, exit_code: int) -> None:
        """One problem more, unless it is known."""
        if (text, exit_code) not in self.problems:
            self.problems.append((text, exit_code))


def examine(arguments: argparse.Namespace) -> Checkup:
    """Look at everything, as far as it can be looked at."""
    checkup = Checkup()
    checkup.sections["program"] = list(_program(checkup))
    checkup.settings = checkup.ask(lambda: settings_of(arguments))
    start = Path(arguments.paths[0].partition("::")[0]) if arguments.paths else Path.cwd()
    settings = checkup.settings or Loaded(project_root(start))
    checkup.warnings += settings.warnings
    named_by = settings.named("python")
    python = checkup.ask(lambda: choose(settings.root, settings.python, named_by=named_by))
    checkup.sections["targets"] = list(_targets(checkup, python.path if python else sys.executable))
    checkup.sections["terminal"] = list(_terminal(os.environ))
    places, lister = arguments.paths or settings.places(), module_lister(settings)
    found = checkup.ask(lambda: discover(places, settings.root, lister))
    checkup.sections["project"] = list(_project(checkup, settings, python, found))
    if found is not None:
        _check_sets(checkup, settings, found)
    _check_looks(checkup, settings)
    return checkup


def _program(checkup: Checkup) -> Iterator[tuple[str, str]]:
    yield "tenxgraph-tui", _version("tenxgraph-tui") or "not installed, but run from its source"
    yield "Python", f"{platform.python_version()}  {sys.executable}"
    yield "system", f"{platform.system()} {platform.release()} {platform.machine()}"
    for package in NEEDED:
        version = _version(package)
        yield package, version or "not installed"
        if version is None:
            told = f"{package} is not installed: {sys.executable} -m pip install {package}"
            checkup.complain(told, TenxError.exit_code)
    for package, why in EXTRAS.items():
        yield package, _version(package) or f"not installed ({why})"


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _targets(checkup: Checkup, python: str) -> Iterator[tuple[str, str]]:
    """What can be evaluated by the interpreter of the agents, which need not be ours."""
    there = installed_for(python)
    if there is None:
        checkup.complain(f"{python} does not say what is installed there", TenxError.exit_code)
        return
    missing = there.without(abilities.NEEDED) if python != sys.executable else ()
    if missing:  # ours is told of by its packages
        told = f"{', '.join(missing)} missing for agents: {python} -m pip install tenxgraph-tui"
        checkup.complain(told, TenxError.exit_code)
    yield from targets_usable(there)


def _terminal(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    stream = next((each for each in (sys.__stderr__, sys.__stdout__) if _is_terminal(each)), None)
    if stream is None:
        yield "size", "this is not a terminal"
    else:
        size = os.get_terminal_size(stream.fileno())
        yield "size", f"{size.columns} columns, {size.lines} rows"
    encoding = getattr(sys.__stderr__, "encoding", None) or "none"
    signs = "" if encoding.lower().replace("-", "") == "utf8" else " (ASCII signs are used)"
    yield "encoding", f"{encoding}{signs}"
    for name in TERMINAL:
        if name in environ:
            yield name, environ[name] or "(empty)"


def _is_terminal(stream: object) -> bool:
    asked = getattr(stream, "isatty", None)
    return asked is not None and bool(asked())


def _project(
    checkup: Checkup, settings: Loaded, python: Interpreter | None, found: Discovery | None
) -> Iterator[tuple[str, str]]:
    root = settings.root
    yield "root", f"{root}  ({mark_of(root) or 'the current folder: nothing marks a project'})"
    sources = ", ".join(_sources(settings)) or "none: everything is as it comes"
    yield "settings", sources if checkup.settings else "cannot be read"
    place = store_place(root)
    if place.note:
        checkup.warnings.append(place.note)
    yield "run store", store_in_words(checkup.ask, place.path)
    yield "judge answers", answers_in_words(checkup.ask, place.path)
    yield "agents run with", f"{python.path}  ({python.origin})" if python else "?"
    yield from _variables(checkup, settings)
    if found is not None:
        yield "eval sets", _sets(found)
    yield "configs", _some([shown(file) for file in discover_configs(root)])


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - SOME} more" if len(names) > SOME else ""
    return ", ".join(names[:SOME]) + more or "none (*.evalconfig.json)"


def _sources(settings: Loaded) -> list[str]:
    set_by = (origin for origin in settings.origins.values() if origin.layer is not Layer.DEFAULT)
    return list(dict.fromkeys(origin.source for origin in set_by))


def _variables(checkup: Checkup, settings: Loaded) -> Iterator[tuple[str, str]]:
    """What agents and judges find in their environment, by name alone."""
    environ, path = dict(os.environ), settings.path("env_file")
    if path is not None:
        missing = checkup.ask(lambda: add_env_file(path, environ))
        checkup.warnings += [missing] if missing else []
        yield (
            "env_file",
            f"{shown(path)}  {plural(len(environ) - len(os.environ), 'variable')} more",
        )
    keys = {name for groups in PROVIDERS.values() for group in groups for name in group}
    yield "model keys", ", ".join(sorted(k for k in keys if environ.get(k, "").strip())) or UNSET


def _sets(found: Discovery) -> str:
    told = f"{plural(len(found.sets), 'set')}, {plural(found.total, 'case')}"
    if found.problems:
        told += f", {plural(len(found.problems), 'file')} cannot be read"
    return told


def _check_sets(checkup: Checkup, settings: Loaded, found: Discovery) -> None:
    """All that would keep a run from starting, as far as it shows without agent code."""
    checkup.warnings += found.warnings
    for problem in found.problems:
        checkup.complain(problem.text, EvalSetError.exit_code)
    terms = Terms.of(settings)
    arguments = argparse.Namespace(target=None, preset=None, config=None)
    request = requested(arguments, found, terms)
    composer = Composer(request, listed_confevals(found, settings))
    silent, nowhere = EvalSet(), Path("settings")  # takes all it can from the settings
    if terms.fallbacks.target:
        checkup.ask(lambda: composer.target(nowhere, silent))
    if terms.fallbacks.config:
        checkup.ask(lambda: composer.config(nowhere, silent))
    for each in found.sets:
        checkup.ask(partial(composer.plan, each.request, each.eval_set))


def _check_looks(checkup: Checkup, settings: Loaded) -> None:
    """Only the dashboard knows themes and actions, and is imported only where one is named."""
    if settings.values.theme is not None:
        from tenxgraph_tui.tui.look import Look
        from tenxgraph_tui.tui.remembered import Remembered

        checkup.ask(lambda: Look(settings, Remembered()))
    if settings.values.keys:
        from tenxgraph_tui.tui.keymap import Keys

        checkup.ask(lambda: Keys(settings))
