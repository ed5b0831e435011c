"""Merging the layers, each of which must be right by itself: a mistake is not hidden by a flag."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.settings.layers import Part, from_environment, from_files, from_flags
from tenxgraph_tui.settings.model import Loaded, Origin, Settings, defaults
from tenxgraph_tui.settings.problems import sentence

EITHER = {"preset": "config", "config": "preset"}
"""Two ways to say the same: a stronger layer that says one unsays the other."""


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
        for name in part.values:
            other = EITHER.get(name, "")
            if merged.pop(other, None) is not None:
                origins[other] = Origin()
            merged[name], origins[name] = getattr(checked, name), part.origins[name]
    warnings = tuple(warning for part in parts for warning in part.warnings)
    return Loaded(root, Settings(**merged), origins, warnings)


def _checked(part: Part) -> Settings:
    values = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in part.values.items()
    }
    try:
        checked = Settings.model_validate(values, strict=not part.is_text)
    except ValidationError as error:
        raise ConfigError(sentence(part, error.errors(include_url=False)[0])) from None
    if checked.preset is not None:
        _check_preset(checked.preset, part.origins["preset"])
    return checked


def _check_preset(name: str, origin: Origin) -> None:
    from tenxgraph_tui.evaluation.presets import PRESETS, unknown_preset  # noqa: PLC0415 - few layers name one

    if name not in PRESETS:
        raise ConfigError(f"{origin.position}: {unknown_preset(name)}")
