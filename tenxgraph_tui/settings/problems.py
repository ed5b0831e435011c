"""What is wrong with a setting as one line: where, what, and what to write instead."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pydantic_core import ErrorDetails

from tenxgraph_tui.evaluation.models import meant_or
from tenxgraph_tui.evaluation.target_options import HttpOptions, ModelOptions
from tenxgraph_tui.settings.layers import TABLE, Part
from tenxgraph_tui.settings.lines import line_of
from tenxgraph_tui.settings.model import Layer, Origin, Settings

TABLES = ((), TABLE)
"""Where settings stand in a file of their own, and in one that they share."""

WANTED = {
    "string_type": "must be a text",
    "string_too_short": "must not be empty",
    "string_pattern_mismatch": "must not hold a zero byte",
    "tuple_type": "must be a list",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "list_type": "must be a list",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
}
SAY_ALL = frozenset({"string_too_short", "string_pattern_mismatch"})
"""What these found needs no repeating."""
LONGEST = 60


def sentence(part: Part, problem: ErrorDetails) -> str:
    """Pydantic's finding about one layer."""
    if not problem["loc"]:
        return f"{part.origins['config'].position}: {problem['ctx']['error']}"
    name, inner = str(problem["loc"][0]), [key for key in problem["loc"][1:] if key != "[key]"]
    origin, written = part.origins[name], part.written.get(name)
    place = _place(origin, name, inner)
    if problem["type"] == "value_error":  # in words of its own; what was written may be a secret
        return f"{place}: {_called(name, inner)}: {problem['ctx']['error']}"
    if problem["type"] == "extra_forbidden":
        return f"{place}: {_unknown(name, inner)}"
    told = f"{place}: {written or _called(name, inner)} {_wanted(problem)}"
    if problem["type"] not in SAY_ALL:
        told += f", not {_shown(problem['input'])}"
    return told if written else told + _instead(name, origin)


def _called(name: str, inner: Sequence[int | str]) -> str:
    match inner:
        case [int() as index, *_]:
            return f"entry {index + 1} of {name}"
        case [str() as key]:
            return f"{key!r} in {name}"
        case [str() as key, *rest]:
            return f'{".".join(map(str, rest))} of {name}."{key}"'
    return name


def _unknown(name: str, inner: Sequence[int | str]) -> str:
    """A key that a table of its own has not; `http` has a table for each URL."""
    key, options = str(inner[-1]), ModelOptions if name == "model" else HttpOptions
    hint = meant_or(key, options.model_fields, f"there are {', '.join(options.model_fields)}")
    return f"unknown key {_called(name, inner)}: {hint}"


def _wanted(problem: ErrorDetails) -> str:
    if problem["type"] == "literal_error":
        return f"must be {problem['ctx']['expected']}"
    told = problem["msg"].removeprefix("Input should ")
    return WANTED.get(problem["type"]) or f"must {told}"


def _place(origin: Origin, name: str, inner: Sequence[int | str]) -> str:
    """The position of a setting, or of a key in a table that has a line of its own."""
    if origin.file is None or not inner or isinstance(inner[0], int):
        return origin.position
    text = origin.file.read_text(encoding="utf-8", errors="replace")
    for depth in range(len(inner), 0, -1):
        keys = tuple(map(str, inner[:depth]))
        lines = (line_of(text, (*table, name, *keys)) for table in TABLES)
        line = next((line for line in lines if line is not None), None)
        if line is not None:
            return Origin(origin.layer, origin.source, origin.file, line).position
    return origin.position


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
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
