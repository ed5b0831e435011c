"""Merging the layers, each of which must be right by itself: a mistake is not hidden by a flag."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.formats.reading import kind_of
from tenxgraph_tui.evaluation.models import nearest
from tenxgraph_tui.settings.layers import Part, from_environment, from_files, from_flags
from tenxgraph_tui.settings.lines import line_of
from tenxgraph_tui.settings.model import Layer, Loaded, Origin, Settings, defaults

EITHER = {"preset": "config", "config": "preset"}
"""One of two ways to say the same: a stronger layer that says one unsays the other."""

WANTED = {
    "string_type": "must be a text",
    "string_too_short": "must not be empty",
    "tuple_type": "must be a list",
    "dict_type": "must be a table",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
}


def load(
    root: Path, environ: Mapping[str, str], flags: Mapping[str, object] | None = None
) -> Loaded:
    """The settings of the project at `root`; `flags` by the setting's name, None if not given.

    Raises:
        ConfigError: one line with file and position, or the variable: what is wrong, what to
            write instead.
    """
    parts = [*from_files(root), from_environment(environ), from_flags(flags or {})]
    merged: dict[str, Any] = {}
    origins = defaults()
    for part in parts:
        checked = _checked(part)
        for name in checked.model_fields_set:
            other = EITHER.get(name, "")
            if merged.pop(other, None) is not None:
                origins[other] = Origin()
            merged[name], origins[name] = getattr(checked, name), part.origins[name]
    warnings = tuple(warning for part in parts for warning in part.warnings)
    return Loaded(root, Settings(**merged), origins, warnings)


def _checked(part: Part) -> Settings:
    try:
        checked = Settings.model_validate(_lists_as_tuples(part.values), strict=not part.is_text)
    except ValidationError as error:
        raise ConfigError(_sentence(part, error.errors(include_url=False)[0])) from None
    if checked.preset is not None:
        _check_preset(checked.preset, part.origins["preset"])
    return checked


def _lists_as_tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(each) if isinstance(each, list) else each for key, each in values.items()}


def _check_preset(name: str, origin: Origin) -> None:
    from tenxgraph_tui.evaluation.presets import PRESETS  # noqa: PLC0415 - few files name one

    if name not in PRESETS:
        meant = nearest(name, PRESETS)
        hint = f"did you mean {meant!r}?" if meant else f"presets are {', '.join(PRESETS)}"
        raise ConfigError(f"{_position(origin)}: unknown preset {name!r}: {hint}")


def _sentence(part: Part, problem: ErrorDetails) -> str:
    if not problem["loc"]:
        said = str(problem["ctx"]["error"])
        return f"{_position(part.origins['config'])}: {said}"
    name, *inner = (str(each) for each in problem["loc"])
    origin = part.origins[name]
    where = _position(_inner(origin, name, inner))
    called = ".".join([name, *(each for each in inner if each != "[key]")])
    found = problem["input"]
    if isinstance(found, dict | list | tuple) and inner:
        found = kind_of(found)
    instead = _instead(name, origin)
    return f"{where}: {called} {_wanted(problem)}, not {_shown(found)}{instead}"


def _wanted(problem: ErrorDetails) -> str:
    if problem["type"] == "literal_error":
        return f"must be {problem['ctx']['expected']}"
    told = problem["msg"].removeprefix("Input should ")
    return WANTED.get(problem["type"]) or f"must {told}"


def _inner(origin: Origin, name: str, inner: list[str]) -> Origin:
    """The place of a key in a table, where it has a line of its own."""
    if not inner or origin.file is None or origin.file.suffix != ".toml":
        return origin
    text = origin.file.read_text(encoding="utf-8", errors="replace")
    tables = ((), ("tool", "tenxgraph-tui"))
    lines = (line_of(text, (*table, name, inner[0])) for table in tables)
    line = next((line for line in lines if line is not None), origin.line)
    return Origin(origin.layer, origin.source, origin.file, line)


def _position(origin: Origin) -> str:
    if origin.file is None:
        return origin.source
    return str(origin.file) if origin.line is None else f"{origin.file}:{origin.line}"


def _instead(name: str, origin: Origin) -> str:
    examples = Settings.model_fields[name].examples
    if not examples or origin.layer is Layer.FLAG:
        return ""
    example = examples[0]
    if origin.layer is Layer.ENVIRONMENT:
        return f": write {origin.source}={_as_variable(example)}"
    return f": write {name} = {_as_toml(example)}"


def _as_variable(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}={each}" for key, each in value.items())
    return ",".join(value) if isinstance(value, list) else str(value)


def _as_toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}" = "{each}"' for key, each in value.items()) + "}"
    return json.dumps(value)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    limit = 60
    return text if len(text) <= limit else text[:limit] + "…"
