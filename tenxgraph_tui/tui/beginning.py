"""The desk as a session begins: what was found on it, and what was chosen before."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypedDict

from tenxgraph_tui.evaluation.formats import read_config
from tenxgraph_tui.session.discovery import Discovery, ListModules, survey
from tenxgraph_tui.session.terms import Terms
from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.tui.catalog import Catalog
from tenxgraph_tui.tui.choices import Choices, Preset, chosen, presets
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.judges import Judges, environ_of
from tenxgraph_tui.tui.keeper import restore_preset, restore_selection
from tenxgraph_tui.tui.offered import project_config
from tenxgraph_tui.tui.remembered import Remembered
from tenxgraph_tui.tui.surveying import again


class Flags(TypedDict, total=False):
    """What the command line said of settings; None says nothing."""

    target: str | None
    preset: str | None
    config: str | None
    python: str | None
    judge_model: str | None
    judge_base_url: str | None
    judge_cache: bool | None
    watch: bool | None


def make_desk(found: Discovery, paths: Sequence[str | Path], settings: Loaded) -> Desk:
    """A desk with what was found on it, and the choices of command line and settings made."""
    values = settings.values
    catalog = catalog_of(found, paths, settings)
    config = values.config if settings.is_flag("config") else None
    read = read_config(Path(config)) if config else None
    offered = partial(presets, config=config, read=read, standing=standing_of(settings))
    entries = offered(catalog)
    choices = Choices(
        entries,
        chosen(entries, values.preset if settings.is_flag("preset") else None),
        values.target if settings.is_flag("target") else None,
        terms=Terms.of(settings, judge_cache=True),
        entries_for=offered,
        judges=Judges(
            environ_of(settings, os.environ),
            instead=values.judge_model,
            base_url=values.judge_base_url,
        ),
    )
    return Desk(catalog, choices, found.root)


def catalog_of(found: Discovery, paths: Sequence[str | Path], settings: Loaded) -> Catalog:
    """What was found as the desk has it."""
    return Catalog.of(found, title_of(found, paths), looked_in(found, paths, settings))


def read_again(
    desk: Desk, places: Sequence[str | Path], list_modules: ListModules | None = None
) -> Catalog:
    """What lies at the places by now; what is on the desk and was not written since is not read.

    Raises:
        UsageError: a place, or a case that is named, does not exist any more.
    """
    return again(desk.catalog, survey(places, desk.root), list_modules)


def standing_of(settings: Loaded) -> Preset | None:
    """What the settings, not the command line, want checked in sets that name no config."""
    name = settings.values.preset
    if name is not None and not settings.is_flag("preset"):
        return Preset(name, None, None, settings.origins["preset"].source)
    file = settings.path("config")
    if file is None or settings.is_flag("config"):
        return None
    entry = project_config(file, settings.root)
    return replace(entry, note=settings.origins["config"].source, is_given=True)


def title_of(found: Discovery, paths: Sequence[str | Path]) -> str:
    """What the whole is called: the one path that was named, else the project."""
    named = Path(str(paths[0]).partition("::")[0]).absolute() if len(paths) == 1 else found.root
    return named.name or str(named)


def looked_in(found: Discovery, paths: Sequence[str | Path], settings: Loaded) -> tuple[str, ...]:
    """Where eval sets were looked for, as the command line or the settings say, else everywhere."""
    places = paths or settings.places()
    return tuple(str(Path(place).absolute()) for place in places) or (str(found.root),)


def is_preset_said(settings: Loaded) -> bool:
    """Whether the command line or the environment say what is checked."""
    return settings.is_said_now("preset") or settings.is_said_now("config")


def settle_choices(desk: Desk, settings: Loaded, values: Remembered, *, with_cases: bool) -> None:
    """Choose what the command line says, or else what was chosen in the last session."""
    named = settings.values.preset if settings.is_flag("preset") else None
    desk.choose(chosen(desk.choices.presets, named))
    if not is_preset_said(settings):
        restore_preset(desk, values)
    if with_cases:
        restore_selection(desk, values)
