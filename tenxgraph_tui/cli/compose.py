"""From a request to what is run: eval sets, each with its target and its config."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tenxgraph_tui.cli.confevals import Confevals
from tenxgraph_tui.cli.configs import (
    ConfigFiles,
    NamedConfig,
    fallback_config,
    inline_config,
    named_config,
    preset,
)
from tenxgraph_tui.cli.judges import check_judges, judge_options, load_for, with_judge
from tenxgraph_tui.cli.sources import Sources
from tenxgraph_tui.errors import ConfigError, EvalSetError, UsageError
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.execution import TargetSource
from tenxgraph_tui.evaluation.formats import Loaded, read_eval_set
from tenxgraph_tui.evaluation.formats.module_paths import file_in
from tenxgraph_tui.evaluation.hooks import Hooks
from tenxgraph_tui.evaluation.importing import found_elsewhere
from tenxgraph_tui.evaluation.models import meant_aside
from tenxgraph_tui.evaluation.paths import real
from tenxgraph_tui.evaluation.plan import RunOptions, SetPlan
from tenxgraph_tui.evaluation.presets import PRESETS
from tenxgraph_tui.session.protocol import SetRequest, WorkerRequest

Read = Callable[[str], Loaded]


def plans(request: WorkerRequest, *, read: Read = read_eval_set) -> list[SetPlan]:
    """What the request asks for. Nothing of the project is imported yet.

    Raises:
        EvalSetError: files cannot be read; the message has a line for each of them.
        TargetError: a set has no target, or names none that can be.
        ConfigError: a config is wrong, or the model that it needs cannot be asked.
        UsageError: a set has no case of an id that was asked for.
    """
    composer = Composer(request, Confevals(Path(request.root)))
    problems: list[EvalSetError] = []
    loaded: list[tuple[SetRequest, EvalSet]] = []
    for part in request.sets:
        try:
            loaded.append((part, read(part.path).eval_set))
        except EvalSetError as error:
            problems.append(error)
    if problems:
        worst = max(problems, key=lambda problem: problem.exit_code)
        raise type(worst)("\n".join(str(problem) for problem in problems))
    return made_ready([composer.plan(part, eval_set) for part, eval_set in loaded], request.root)


def made_ready(sets: list[SetPlan], root: str) -> list[SetPlan]:
    """The plans, once what their criteria need is loaded or can be."""
    with found_elsewhere():
        load_for(sets)
    if any(plan.config.custom for plan in sets) and root not in sys.path:
        sys.path.insert(0, root)  # before any target is imported, which would see to it
    return sets


def options(request: WorkerRequest, sets: Sequence[SetPlan], number: int | None) -> RunOptions:
    """How the request wants it run; what it leaves open is up to the configs."""
    asked = request.options
    at_once = max((plan.config.max_concurrency for plan in sets), default=1)
    index_of = {part.path: index for index, part in enumerate(request.sets)}
    return RunOptions(
        run_id=request.run_id,
        number=number,
        attempts=asked.attempts,
        max_concurrency=(asked.max_concurrency or at_once) if asked.capture else 1,
        timeout=asked.timeout,
        fail_fast=asked.fail_fast,
        max_errors=asked.max_errors,
        retries=asked.retries,
        watchdog=asked.capture,
        judge=judge_options(request, sets),
        first=frozenset((index_of[path], i) for path, i in asked.first if path in index_of),
    )


@dataclass(slots=True)
class Composer:
    """Plans the sets of one request; sets that share a target share its source."""

    request: WorkerRequest
    confevals: Confevals | None = None
    _sources: Sources | None = None
    _files: ConfigFiles = field(default_factory=ConfigFiles)

    def plan(self, part: SetRequest, eval_set: EvalSet) -> SetPlan:
        """One set with its target and config; raises as `plans` does."""
        file = Path(part.path)
        wanted = _wanted(eval_set, part)
        config = self.config(file, eval_set)
        check_judges(config.config, config.name, self.request)
        source, name = self.target(file, eval_set)
        return SetPlan(
            eval_set=wanted,
            target=source,
            config=config.config,
            file=shown(file),
            target_name=name,
            config_name=config.name,
            hooks=self.confevals.hooks_of(file) if self.confevals is not None else Hooks(),
        )

    def target(self, file: Path, eval_set: EvalSet) -> tuple[TargetSource, str]:
        """See `Sources.of`."""
        if self._sources is None:
            self._sources = Sources(self.request)
        return self._sources.of(file, shown(file), eval_set)

    def config(self, file: Path, eval_set: EvalSet) -> NamedConfig:
        """The request's, else the set's, else that of a `confeval.py`, else the settings'.

        It is judged by the model that the request asks for, if it asks for one.
        """
        found = self._config(file, eval_set)
        return replace(found, config=with_judge(found.config, self.request.options.judge_model))

    def _config(self, file: Path, eval_set: EvalSet) -> NamedConfig:
        asked = self.request.config
        if isinstance(asked, dict):
            name, root = self.request.config_name or "config", Path(self.request.root)
            return inline_config(asked, name, "the config", root)
        if asked is not None:
            origin = "preset" if asked in PRESETS else "--config"
            named = named_config(asked, origin, self._files)
            return NamedConfig(named.config, self.request.config_name or named.name)
        own, fallbacks = eval_set.metadata.get("config"), self.request.fallbacks
        if own is None:
            near = self.confevals.config_of(file) if self.confevals is not None else None
            if near is not None:
                return NamedConfig(*near)
            return fallback_config(fallbacks, self._files)
        where = f"{shown(file)}: metadata.config"
        if isinstance(own, dict):
            return inline_config(
                own, f"inline ({file_in(file).name})", where, file.absolute().parent
            )
        if not isinstance(own, str):
            raise ConfigError(f"{where} must be a preset's name, a file or a config")
        try:
            return self._named_by(file, own)
        except ConfigError as error:
            raise type(error)(f"{where}: {error}") from None

    def _named_by(self, file: Path, name: str) -> NamedConfig:
        path = real(file.absolute().parent / name)
        if name not in PRESETS and (path.exists() or name.endswith(".json")):
            if not path.is_relative_to(Path(self.request.root).resolve()):
                raise ConfigError(f"{name} lies outside of the project {self.request.root}")
            return NamedConfig(self._files.read(path), f"{name} ({file.name})")
        return preset(name, file.name)


def shown(file: Path) -> str:
    """A path as people type it: relative where it lies below the working directory."""
    if not file.is_absolute():
        return str(file)
    relative = os.path.relpath(file)
    return str(file) if relative.startswith(os.pardir) else relative


def _wanted(eval_set: EvalSet, part: SetRequest) -> EvalSet:
    if part.ids is None:
        return eval_set
    known = {case.eval_id for case in eval_set.eval_cases}
    for eval_id in part.ids:
        if eval_id not in known:
            hint = meant_aside(eval_id, known)
            raise UsageError(f"{part.path}: there is no case {eval_id!r}{hint}")
    wanted = set(part.ids)
    cases = [case for case in eval_set.eval_cases if case.eval_id in wanted]
    return eval_set.model_copy(update={"eval_cases": cases})
