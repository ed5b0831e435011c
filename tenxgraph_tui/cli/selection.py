"""What the words of a command line select, and the request that asks for it."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Callable
from pathlib import Path

from tenxgraph_tui.cli.compose import shown
from tenxgraph_tui.cli.confevals import Confevals
from tenxgraph_tui.cli.configs import preset
from tenxgraph_tui.cli.printing import put
from tenxgraph_tui.errors import EvalSetError, UsageError
from tenxgraph_tui.evaluation import formats
from tenxgraph_tui.evaluation.presets import PRESETS
from tenxgraph_tui.evaluation.visible import visible
from tenxgraph_tui.session.discovery import Discovery, ListModules, discover, select
from tenxgraph_tui.session.interpreter import choose
from tenxgraph_tui.session.modules import ModuleLister
from tenxgraph_tui.session.project import project_root
from tenxgraph_tui.session.protocol import WorkerRequest
from tenxgraph_tui.session.terms import Terms
from tenxgraph_tui.settings import Loaded, load

FLAGS = (
    "target",
    "preset",
    "config",
    "timeout",
    "max_concurrency",
    "judge_model",
    "judge_base_url",
    "judge_cache",
    "threshold",
    "report",
    "output_dir",
    "python",
)
"""What is both a flag and a setting."""


def root_of(arguments: argparse.Namespace) -> Path:
    """The project that the first path lies in, else the one that we are in."""
    first = arguments.paths[0].partition("::")[0] if arguments.paths else ""
    return project_root(Path(first) if arguments.paths else Path.cwd())


def settings_of(arguments: argparse.Namespace) -> Loaded:
    """The settings of the project that the paths lie in, with the flags as their last layer.

    Raises:
        ConfigError: one of them is wrong.
    """
    flags = {name: getattr(arguments, name, None) for name in FLAGS}
    return load(root_of(arguments), os.environ, flags)


def found(
    arguments: argparse.Namespace, settings: Loaded, list_modules: ListModules | None = None
) -> Discovery:
    """The eval sets at the paths, with the wanted cases; there may be none of these.

    `list_modules` None has every eval module read.

    Raises:
        UsageError: a path does not exist, or there is no eval set there.
        ConfigError: a path in the settings does not exist.
    """
    paths = arguments.paths or [os.path.relpath(place) for place in settings.places()]
    lister = list_modules or module_lister(settings, lambda text: put(text, to_errors=True))
    discovery = discover(paths or [os.path.relpath(settings.root)], settings.root, lister)
    if not discovery.sets and not discovery.problems:
        raise UsageError(_nothing_found(paths, discovery))
    return select(discovery, arguments.case, arguments.tag)


def module_lister(settings: Loaded, say: Callable[[str], object] | None = None) -> ModuleLister:
    """Who reads the eval modules of the project: a worker under its interpreter."""

    def python() -> str:
        return choose(settings.root, settings.python, named_by=settings.named("python")).path

    env_file = settings.path("env_file")
    return ModuleLister(settings.root, python, str(env_file) if env_file else None, say)


def listed_confevals(discovery: Discovery, settings: Loaded) -> Confevals:
    """What a worker says of the `confeval.py` files that concern the eval sets."""
    files = [each.file for each in discovery.sets]
    return Confevals.listed(files, discovery.root, module_lister(settings))


def stop_at_problems(discovery: Discovery) -> None:
    """A file that was named and cannot be read stops everything.

    Raises:
        EvalSetError: with a line for each of them.
    """
    if discovery.problems:
        raise EvalSetError("\n".join(problem.text for problem in discovery.problems))


def requested(
    arguments: argparse.Namespace,
    discovery: Discovery,
    terms: Terms,
    *,
    store: str | None = None,
) -> WorkerRequest:
    """The request that asks for the selection with the flags' target and config."""
    config, config_name = arguments.config, ""
    if config in PRESETS:  # a file that is called like a preset is still a file here
        config = os.path.join(os.curdir, config)  # noqa: PTH118 - Path drops the dot
    if arguments.preset is not None:
        config, config_name = arguments.preset, preset(arguments.preset, "--preset").name
    return WorkerRequest(
        root=str(discovery.root),
        sets=discovery.requests,
        target=arguments.target,
        config=config,
        config_name=config_name,
        fallbacks=terms.fallbacks,
        env_file=terms.env_file,
        options=terms.options,
        store=store,
    )


def loaded_before(discovery: Discovery) -> dict[str, formats.Loaded]:
    """What was read already, by the path in the request."""
    return {
        str(each.file): formats.Loaded(each.eval_set, list(each.warnings))
        for each in discovery.sets
    }


def filters(arguments: argparse.Namespace) -> str:
    """The filters as they were written."""
    words = [f"--case {glob}" for glob in arguments.case]
    return " ".join([*words, *(f"--tag {tag}" for tag in arguments.tag)])


def none_matches(arguments: argparse.Namespace, discovery: Discovery) -> str:
    """That the filters leave no case, and what may have been meant; "" without filters."""
    asked = filters(arguments)
    if not asked:
        return ""
    meant = " or ".join(shlex.quote(visible(one)) for one in discovery.near)
    return f"no case matches {asked}" + (f" (did you mean {meant}?)" if meant else "")


def _nothing_found(paths: list[str], discovery: Discovery) -> str:
    if discovery.notes and all(Path(path).is_file() for path in paths):
        return "\n".join(discovery.notes)  # why each of them holds none
    where = ", ".join(paths) if paths else shown(discovery.root)
    text = f"no eval sets in {where}: looked for *.evalset.json, *_eval.py and eval_*.py"
    return "\n".join([text, *discovery.notes])
