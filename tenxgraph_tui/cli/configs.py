"""Configs by their names, from files and from settings: each with where it came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tenxgraph_tui.cli.anchoring import anchored
from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.formats import read_config
from tenxgraph_tui.evaluation.presets import DEFAULT_PRESET, PRESETS, unknown_preset
from tenxgraph_tui.session.protocol import Fallbacks


@dataclass(frozen=True, slots=True)
class NamedConfig:
    """A config, and what people read: how it is called and where it came from."""

    config: EvalConfig
    name: str


def preset(name: str, origin: str) -> NamedConfig:
    """The ready-made config of that name.

    Raises:
        ConfigError: there is none; the message has the name that was probably meant.
    """
    make = PRESETS.get(name)
    if make is None:
        raise ConfigError(unknown_preset(name))
    return NamedConfig(make(), f"{name} ({origin})")


@dataclass(slots=True)
class ConfigFiles:
    """The configs in files, each read once: what in it has no effect is said once, too."""

    _known: dict[Path, EvalConfig] = field(default_factory=dict)

    def read(self, path: Path) -> EvalConfig:
        """The config in a file; paths in it go from where it stands."""
        file = path.absolute()
        if file not in self._known:
            self._known[file] = anchored(read_config(path), file.parent)
        return self._known[file]


def fallback_config(fallbacks: Fallbacks, files: ConfigFiles) -> NamedConfig:
    """That of the settings, else the preset that needs no model."""
    if fallbacks.config is None:
        return preset(DEFAULT_PRESET, "default")
    try:
        return named_config(fallbacks.config, fallbacks.config_from, files)
    except ConfigError as error:
        raise type(error)(f"{fallbacks.config_from}: config: {error}") from None


def named_config(asked: str, origin: str, files: ConfigFiles) -> NamedConfig:
    """A preset by its name, or the config in a file."""
    if asked in PRESETS:
        return preset(asked, origin)
    path = Path(asked)
    return NamedConfig(files.read(path), f"{path.name} ({origin})")


def inline_config(values: dict[str, Any], name: str, where: str, folder: Path) -> NamedConfig:
    """The config that stands in another file; `where` is its place there, for what is wrong.

    Raises:
        ConfigError: a key or a value is wrong; the message names its place.
    """
    try:
        return NamedConfig(anchored(EvalConfig.model_validate(values), folder), name)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        told = str(first["msg"]).removeprefix("Value error, ")
        raise ConfigError(f"{where}{f'.{place}' if place else ''}: {told}") from None
