"""Eval modules: Python files that make eval sets. Reading one runs its code, so only a worker does.

How they are called, and the sets in them, is in `module_paths`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from tenxgraph_tui.errors import EvalSetError, EvalSetNotFound
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.formats import entries
from tenxgraph_tui.evaluation.formats.module_paths import file_in, split
from tenxgraph_tui.evaluation.formats.native import CASES, Loaded
from tenxgraph_tui.evaluation.heldtime import from_here
from tenxgraph_tui.evaluation.importing import first_on_path, import_file
from tenxgraph_tui.evaluation.models import nearest
from tenxgraph_tui.evaluation.overrides import check_overrides
from tenxgraph_tui.evaluation.paths import real
from tenxgraph_tui.evaluation.places import place_in_code
from tenxgraph_tui.evaluation.simulation import ConversationScenario

SET_FUNCTION = "get_eval_set"
APP = "app"
SCENARIOS = ("get_scenarios", "SCENARIOS")
RANDOM_ID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
"""What `uuid4` makes: the id that 10xGraph gives a set it builds, another at each reading."""


@dataclass(frozen=True, slots=True)
class EvalModule:
    """What an eval module holds.

    `sets` has every set that could be made, by its path (see `split`); `problems` one line for each
    that could not. A set names in its metadata the target and the config that the module has, if
    it has them and the set names none. `scenarios` are the ids of simulated conversations.
    """

    path: str
    sets: Mapping[str, EvalSet] = field(default_factory=dict)
    scenarios: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it has none of the entry points of an eval module."""
        return not (self.sets or self.scenarios or self.problems)


def read_module(path: str, root: Path) -> EvalModule:
    """Import the module at `path` and make its sets; `root` is importable from it.

    Raises:
        EvalSetNotFound: there is no such file.
        EvalSetError: it cannot be imported; one line with file and line.
    """
    module = imported(path, root)
    sets: dict[str, EvalSet] = {}
    problems: list[str] = []
    scenarios: tuple[str, ...] = ()
    try:
        config = entries.config_of(module)
        scenarios = tuple(_scenarios(module))
    except EvalSetError as error:
        return EvalModule(path, problems=(str(error),))
    for name, function in _set_functions(module):
        place = path if name == SET_FUNCTION else f"{path}:{name}"
        try:
            made = _named(entries.called(function, name, EvalSet), place)
            _check(made, name, entries.where_is(function))
        except EvalSetError as error:
            problems.append(str(error))
            continue
        sets[place] = _with_metadata(
            made, module, config[0].model_dump(mode="json") if config else None
        )
    return EvalModule(path, sets, scenarios, tuple(problems))


def read_module_set(path: str, root: Path) -> Loaded:
    """One set of a module, by its path.

    Raises:
        EvalSetNotFound: there is no such file.
        EvalSetError: the module has no such set, or one that cannot be made.
    """
    file = str(file_in(path))
    module = read_module(file, root)
    if path in module.sets:
        return Loaded(module.sets[path])
    if module.problems:
        raise EvalSetError("\n".join(module.problems))
    if not module.sets:
        raise EvalSetError(f"{file}: {nothing_in(module)}")
    meant = nearest(path, module.sets)
    raise EvalSetError(f"{path}: there is no such set: write {meant or ', '.join(module.sets)}")


def imported(path: str, root: Path) -> ModuleType:
    """The module at `path`, with `root` and its own folder importable; raises as `read_module`."""
    file = real(Path(path))
    if not file.is_file():
        raise EvalSetNotFound(f"{path}: there is no such file")
    first_on_path(root.resolve())
    try:
        return import_file(file)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        place = place_in_code(error)
        at = "" if place.startswith(f"{file}:") or not place else f" (at {place})"
        where = from_here(path) + ("" if at else place.removeprefix(str(file)))
        told = entries.in_a_line(error)
        raise EvalSetError(f"{where}: it cannot be imported: {told}{at}") from error


def nothing_in(module: EvalModule) -> str:
    """Why nothing of a module without sets can be run, and what to write."""
    if module.scenarios:
        named = ", ".join(module.scenarios)
        return f"simulated conversations cannot be run yet ({named})"
    return f"no eval set: write {SET_FUNCTION}(), or a function annotated -> EvalSet"


def _set_functions(module: ModuleType) -> Iterator[tuple[str, Callable[[], Any]]]:
    """`get_eval_set` alone, where there is one; else every function that says it gives a set."""
    function = getattr(module, SET_FUNCTION, None)
    if inspect.isfunction(function):
        yield SET_FUNCTION, function
        return
    yield from entries.annotated(module, EvalSet.__name__)


def _scenarios(module: ModuleType) -> Iterator[str]:
    function, name = SCENARIOS
    where = entries.file_of(module)
    if inspect.isfunction(make := getattr(module, function, None)):
        found, said, where = (
            entries.value_of(make, function),
            f"{function}()",
            entries.where_is(make),
        )
    elif hasattr(module, name):
        found, said = getattr(module, name), name
    else:
        return
    if not isinstance(found, Iterable):
        raise EvalSetError(f"{where}: {said} must be a list of ConversationScenario")
    for index, each in enumerate(found):
        scenario = entries.converted(each, f"{said}[{index}]", ConversationScenario, where)
        yield scenario.scenario_id or f"scenario-{index + 1}"


def _named(made: EvalSet, path: str) -> EvalSet:
    """With ids that are the same at every reading, where the module left them to chance."""
    update: dict[str, Any] = {}
    if "eval_set_id" not in made.model_fields_set or RANDOM_ID.fullmatch(made.eval_set_id):
        file, function = split(path) or (path, None)
        update["eval_set_id"] = function or Path(file).stem
    cases = [_case_named(case, number) for number, case in enumerate(made.eval_cases, start=1)]
    return made.model_copy(update={**update, CASES: cases})


def _case_named(case: EvalCase, number: int) -> EvalCase:
    if "eval_id" in case.model_fields_set:
        return case
    return case.model_copy(update={"eval_id": f"case-{number}"})


def _check(made: EvalSet, name: str, where: str) -> None:
    """What a file is checked for, too: code may have changed a set after it was made."""
    seen: set[str] = set()
    for index, case in enumerate(made.eval_cases):
        said = f"{where}: {name}(): {CASES}[{index}]"
        if case.eval_id in seen:
            raise EvalSetError(f"{said}: eval_id {case.eval_id!r} stands twice")
        seen.add(case.eval_id)
        try:
            check_overrides(case.metadata)
        except ValueError as error:
            raise EvalSetError(f"{said}: {error}") from None


def _with_metadata(made: EvalSet, module: ModuleType, config: dict[str, Any] | None) -> EvalSet:
    own: dict[str, Any] = {}
    if hasattr(module, APP):
        own["target"] = f"{Path(entries.file_of(module)).name}:{APP}"
    if config is not None:
        own["config"] = config
    return made.model_copy(update={"metadata": {**own, **made.metadata}})
