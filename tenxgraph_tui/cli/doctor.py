"""`tenxgraph-tui doctor`: what is installed and configured, where it came from, what is wrong."""

from __future__ import annotations

import argparse
import json
from typing import Any

from tenxgraph_tui.cli.checkup import Checkup, examine
from tenxgraph_tui.cli.printing import put, table
from tenxgraph_tui.cli.selection import settings_of
from tenxgraph_tui.evaluation.secrets import shown_spec
from tenxgraph_tui.evaluation.visible import visible
from tenxgraph_tui.settings import Loaded, Settings

NOT_SET = "–"


def execute(arguments: argparse.Namespace) -> int:
    """Print what was found; the answer is the exit code of what is wrong."""
    if arguments.settings and not arguments.json:
        return _show_settings(settings_of(arguments))
    checkup = examine(arguments)
    if arguments.json:
        put(json.dumps(_as_json(checkup), indent=2, ensure_ascii=False))
        return checkup.exit_code
    for title, rows in checkup.sections.items():
        _section(title, table([(f"  {name}", visible(value)) for name, value in rows]))
    if checkup.warnings:
        _section("warnings", [f"  {visible(warning)}" for warning in checkup.warnings])
    problems = [f"  {visible(problem)}" for problem, _ in checkup.problems]
    _section("problems", problems or ["  none was found"])
    return checkup.exit_code


def _section(title: str, lines: list[str]) -> None:
    put("\n".join([title, *lines, ""]))


def _show_settings(settings: Loaded) -> int:
    for line in table(_settings(settings)):
        put(line.rstrip())
    for warning in settings.warnings:
        put(f"warning: {visible(warning)}", to_errors=True)
    return 0


def _settings(settings: Loaded) -> list[tuple[str, ...]]:
    rows = [
        (name, visible(_written(getattr(settings.values, name))), visible(origin.where))
        for name, origin in settings.origins.items()
    ]
    return [("setting", "value", "comes from"), *rows]


def _written(value: Any) -> str:
    if value is None or value in ((), {}):
        return NOT_SET
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, dict):
        return ", ".join(f"{key} = {each}" for key, each in value.items())
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else shown_spec(str(value))


def _shown(value: Any) -> Any:
    return shown_spec(value) if isinstance(value, str) else value


def _as_json(checkup: Checkup) -> dict[str, Any]:
    settings = checkup.settings
    return {
        **{title: dict(rows) for title, rows in checkup.sections.items()},
        "settings": _settings_as_json(settings) if settings is not None else None,
        "warnings": checkup.warnings,
        "problems": [{"text": text, "exit_code": code} for text, code in checkup.problems],
    }


def _settings_as_json(settings: Loaded) -> dict[str, Any]:
    values = settings.values.model_dump(mode="json")
    return {
        name: {
            "value": _shown(values[name]),
            "layer": settings.origins[name].layer,
            "from": settings.origins[name].where,
            "description": field.description,
        }
        for name, field in Settings.model_fields.items()
    }
