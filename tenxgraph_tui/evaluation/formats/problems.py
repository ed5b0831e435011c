"""Pydantic's findings as one line that says where, what is wrong and what to write instead."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tenxgraph_tui.evaluation.formats.positions import JsonPath
from tenxgraph_tui.evaluation.formats.reading import JsonFile, kind_of

SHOWN = 3
"""How many mistakes of a file are told at once."""

_WANTED = {
    "string_type": "must be a text",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
}

_EXAMPLES = {
    "eval_cases": '[{"eval_id": "…", "conversation": [{"user_content": …}]}]',
    "conversation": '[{"user_content": {"role": "user", "content": "…"}}]',
    "user_content": '{"role": "user", "content": "…"}',
    "expected_final_response": '{"role": "assistant", "content": "…"}',
    "expected_tool_trajectory": '[{"name": "…", "args": {}}]',
    "expected_node_order": '["MAIN", "TOOL", "MAIN"]',
    "role": '"user" or "assistant"',
    "content": '"…"',
    "tags": '["…"]',
    "args": '{"city": "Paris"}',
    "session_input": '{"state": {}, "config": {}}',
    "metadata": "{}",
    "criteria": '{"rouge_match": {"threshold": 0.5}}',
    "match_type": '"EXACT", "IN_ORDER" or "ANY_ORDER"',
    "rubrics": '[{"rubric_id": "…", "content": "…"}]',
    "keywords": '["…"]',
}


def fail(file: JsonFile, error: ValidationError) -> NoReturn:
    """Raise the file's mistake for what pydantic found, the first few at once."""
    found = _outermost_left_out(
        [(_json_path(file.data, problem), problem) for problem in error.errors()]
    )
    lines = [file.line_of(path) for path, _ in found[:SHOWN]]
    told = [_sentence(file, path, problem) for path, problem in found[:SHOWN]]
    for position in range(1, len(told)):
        if lines[position] != lines[position - 1]:
            told[position] = f"line {lines[position]}: {told[position]}"
    if len(found) > SHOWN:
        told.append(f"and {len(found) - SHOWN} more")
    file.fail("; ".join(told), lines[0])


def place(data: Any, path: JsonPath) -> str:
    """A JSON path as people read it, with the id of the case it lies in."""
    shown = ""
    for part in path:
        shown += f"[{part}]" if isinstance(part, int) else f".{part}"
    shown = shown.removeprefix(".") or "the file"
    name = case_at(data, path)
    return f"{shown} (case {name!r})" if name else shown


def case_at(data: Any, path: JsonPath) -> str | None:
    """The eval_id of the case that a path lies in, if it has a usable one."""
    match path:
        case ("eval_cases", int() as index, *_):
            case = data["eval_cases"][index]
            name = case.get("eval_id") if isinstance(case, dict) else None
            return name if isinstance(name, str) else None
    return None


def _json_path(data: Any, problem: ErrorDetails) -> JsonPath:
    """The part of pydantic's location that exists in the file; it also names union members."""
    path: list[str | int] = []
    value = data
    for part in problem["loc"]:
        if _holds(value, part):
            path.append(part)
            value = value[part]
        elif problem["type"] == "missing":
            path.append(part)
    return tuple(path)


def _holds(value: Any, part: str | int) -> bool:
    if isinstance(value, dict):
        return part in value
    return isinstance(value, list) and isinstance(part, int) and part < len(value)


def _outermost_left_out(
    found: Sequence[tuple[JsonPath, ErrorDetails]],
) -> list[tuple[JsonPath, ErrorDetails]]:
    """One problem a place; of a union's problems the one that got furthest into the value."""
    first: dict[JsonPath, ErrorDetails] = {}
    for path, problem in found:
        first.setdefault(path, problem)
    inner = {path[:length] for path in first for length in range(len(path))}
    return [(path, problem) for path, problem in first.items() if path not in inner]


def _sentence(file: JsonFile, path: JsonPath, problem: ErrorDetails) -> str:
    where = place(file.data, path)
    example = _EXAMPLES.get(str(path[-1])) if path else None
    instead = f", e.g. {example}" if example else ""
    kind = problem["type"]
    if kind == "missing":
        return f"{where} is missing{instead or ': add it'}"
    if kind == "value_error":
        said = str(problem["ctx"]["error"])
        return f"{where}: {said}" if path else said
    if kind == "enum":
        return f"{where} must be {problem['ctx']['expected']}, not {_shown(problem['input'])}"
    wanted = _WANTED.get(kind)
    if wanted is None:
        message = problem["msg"].removeprefix("Input ")
        return f"{where} {message}, not {_shown(problem['input'])}"
    return f"{where} {wanted}, not {kind_of(problem['input'])}{instead}"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    limit = 60
    return text if len(text) <= limit else text[:limit] + "…"


def as_warnings(file: JsonFile, paths: Iterable[str]) -> list[str]:
    """Unknown keys, one line each."""
    return [f"{file.path}: unknown key {path}: it is kept and has no effect" for path in paths]
