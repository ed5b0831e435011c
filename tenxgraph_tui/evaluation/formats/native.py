"""Eval sets and configs in their own format: the JSON of the public models."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tenxgraph_tui.errors import ConfigError, ConfigNotFound, EvalSetError, EvalSetNotFound
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.formats import problems
from tenxgraph_tui.evaluation.formats.foreign import foreign_kind
from tenxgraph_tui.evaluation.formats.reading import JsonFile, kind_of, read_json
from tenxgraph_tui.evaluation.models import nearest, unknown_keys
from tenxgraph_tui.evaluation.overrides import check_overrides

log = logging.getLogger(__name__)

SUFFIX = ".evalset.json"
CASES = "eval_cases"


SET_METADATA: tuple[str, ...] = ("target", "config")
CASE_METADATA: tuple[str, ...] = ("criteria", "skip", "xfail")


@dataclass(frozen=True, slots=True)
class Loaded:
    """An eval set as a file has it, and one line for each thing in it that has no effect."""

    eval_set: EvalSet
    warnings: list[str] = field(default_factory=list)


def read_eval_set(path: str | Path) -> Loaded:
    """Read an eval set file.

    A set without `eval_set_id` is called after its file and a case without `eval_id` after its
    place in it (`case-1`), so that every reader of the file uses the same ids.

    Raises:
        EvalSetNotFound: there is no such file.
        EvalSetError: one line with file, position, what is wrong and what to write instead.
    """
    path = Path(path)
    try:
        file = read_json(path, EvalSetError)
    except FileNotFoundError:
        raise EvalSetNotFound(f"{path}: there is no such file") from None
    data = _named(_eval_set_object(file), path)
    try:
        eval_set = EvalSet.model_validate(data)
    except ValidationError as error:
        problems.fail(file, error)
    _check_metadata(file, eval_set)
    unknown = problems.as_warnings(file, unknown_keys(eval_set))
    return Loaded(eval_set, [*file.warnings, *unknown, *_misspelt_metadata(file, eval_set)])


def _misspelt_metadata(file: JsonFile, eval_set: EvalSet) -> Iterator[str]:
    """Metadata is the user's own; what resembles a key that we read is told all the same."""
    places = [("metadata", eval_set.metadata, SET_METADATA)]
    places += [
        (f"eval_cases[{index}].metadata", case.metadata, CASE_METADATA)
        for index, case in enumerate(eval_set.eval_cases)
    ]
    for place, metadata, known in places:
        for key in metadata:
            meant = nearest(key, known) if key not in known else None
            if meant is not None:
                yield f"{file.path}: {place}.{key} has no effect: did you mean {meant!r}?"


def read_config(path: str | Path) -> EvalConfig:
    """Read a config file; unknown keys in it are logged.

    Raises:
        ConfigNotFound: there is no such file (it is a `FileNotFoundError` too).
        ConfigError: one line with file, position, what is wrong and what to write instead.
    """
    path = Path(path)
    try:
        file = read_json(path, ConfigError)
    except FileNotFoundError:
        raise ConfigNotFound(f"{path}: there is no such config file") from None
    if not isinstance(file.data, dict):
        file.fail(f'a config is an object like {{"criteria": {{…}}}}, not {kind_of(file.data)}')
    try:
        config = EvalConfig.model_validate(file.data)
    except ValidationError as error:
        problems.fail(file, error)
    for warning in [*file.warnings, *problems.as_warnings(file, unknown_keys(config))]:
        log.warning("%s", warning)
    return config


def _eval_set_object(file: JsonFile) -> dict[str, Any]:
    data = file.data
    foreign = foreign_kind(data)
    if foreign is not None:
        file.fail(foreign)
    if not isinstance(data, dict):
        file.fail(
            'an eval set is an object like {"eval_set_id": "…", "eval_cases": […]}, '
            f"not {kind_of(data)}"
        )
    if CASES not in data:
        meant = nearest(CASES, data) or next((key for key in ("cases", "evals") if key in data), "")
        hint = f"rename {meant!r} to {CASES!r}" if meant else f"add {CASES!r}, a list of cases"
        file.fail(f"{CASES} is missing: {hint}", file.line_of((meant,)) if meant else None)
    return data


def _named(data: dict[str, Any], path: Path) -> dict[str, Any]:
    named = {"eval_set_id": path.name.removesuffix(SUFFIX).removesuffix(".json"), **data}
    if isinstance(named[CASES], list):
        named[CASES] = [
            {"eval_id": f"case-{number}", **case} if isinstance(case, dict) else case
            for number, case in enumerate(named[CASES], start=1)
        ]
    return named


def _check_metadata(file: JsonFile, eval_set: EvalSet) -> None:
    for index, case in enumerate(eval_set.eval_cases):
        try:
            check_overrides(case.metadata)
        except ValueError as error:
            where = problems.place(file.data, (CASES, index))
            line = file.line_of((CASES, index, "metadata", "criteria"))
            file.fail(f"{where}: {error}", line)
