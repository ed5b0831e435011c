"""What there is to choose from: presets, what the sets ask for, and config files of the project."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import ValidationError

from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.formats import read_config
from tenxgraph_tui.evaluation.presets import DEFAULT_PRESET, PRESETS
from tenxgraph_tui.session.configs import CONFIG_SUFFIX
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.presets import AS_SETS_SAY, ASKED_FOR, CUSTOM, Preset

OTHERS = "other sets"
"""Stands for the sets that ask for nothing."""


def presets(
    catalog: Catalog,
    config: str | None = None,
    read: EvalConfig | None = None,
    *,
    standing: Preset | None = None,
) -> tuple[Preset, ...]:
    """What can be chosen: a config file that was asked for, the sets' own, every preset, a form.

    `standing` is what the settings name for sets that name nothing. Config files of the project
    are found later (see `scout`).
    """
    entries = [Preset(config, config, read, ASKED_FOR, is_given=True)] if config else []
    own = tuple(_own_configs(catalog))
    if own:
        names = dict.fromkeys(one.name for _, one in own)
        if len(own) < len(catalog.readable):
            rest = standing or Preset(DEFAULT_PRESET, None, PRESETS[DEFAULT_PRESET]())
            own = (*own, (OTHERS, rest))
        entries.append(Preset(AS_SETS_SAY, None, None, ", ".join(names), own=own))
    if standing is not None and standing.is_given:
        entries.append(standing)
    # nothing but the default is asked for by saying nothing, and the run then says so
    default, note = (standing.name, standing.note) if standing else (DEFAULT_PRESET, "")
    silent = default if not entries else ""
    entries += [
        Preset(name, None if name == silent else name, build(), note if name == default else "")
        for name, build in PRESETS.items()
    ]
    return (*entries, Preset(CUSTOM, None, EvalConfig()))


def project_config(file: Path, root: Path) -> Preset:
    """A config file of the project, called as people call it; a broken one says what is wrong."""
    inside = Path(os.path.relpath(file, root)).as_posix()
    short = inside.removesuffix(CONFIG_SUFFIX)
    name = inside if short in {*PRESETS, CUSTOM, ""} else short
    value = str(file.absolute())
    try:
        return Preset(name, value, read_config(file))
    except (TenxError, OSError) as error:
        return Preset(name, value, None, problem=str(error).replace(str(file), file.name))


def _own_configs(catalog: Catalog) -> Iterator[tuple[str, Preset]]:
    for file in catalog.readable:
        asked = file.eval_set.metadata.get("config") if file.eval_set else None
        if asked:
            yield file.label, _own(asked, Path(file.path).absolute().parent)
        elif file.near is not None:
            yield file.label, file.near


def asked_of(preset: Preset) -> Callable[[str], Preset]:
    """What the set of a label is checked with where the preset is in use."""
    own = dict(preset.own)
    others = own.get(OTHERS, preset)
    return lambda label: own.get(label, others)


def _own(asked: object, folder: Path) -> Preset:
    """A config as a set asks for it; what cannot be read here is the worker's to complain of."""
    try:
        if isinstance(asked, dict):
            return Preset("inline", None, EvalConfig.model_validate(asked))
        name = str(asked)
        if name in PRESETS:
            return Preset(name, name, PRESETS[name]())
        return Preset(name, None, read_config(folder / name))
    except (TenxError, OSError, ValidationError):
        return Preset(str(asked), None, None)
