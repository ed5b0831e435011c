"""The settings and the keys as rows: what each is, where that comes from, how it is changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from tenxgraph_tui.evaluation.secrets import shown_spec
from tenxgraph_tui.settings import Layer, Loaded, Origin, Settings
from tenxgraph_tui.settings.layers import OWN_FILE, SHARED_FILE, variable_of
from tenxgraph_tui.tui.glyphs import NOTHING
from tenxgraph_tui.tui.keymap import actions
from tenxgraph_tui.tui.keynames import normal, shown

CHOSEN = "chosen here"


class Change(StrEnum):
    """What can be changed while the dashboard is open, and is kept for the project."""

    THEME = "theme"
    ASCII = "ascii"
    COLUMNS = "columns"


@dataclass(frozen=True, slots=True)
class Row:
    """A setting or an action. `file` is where it is set, or would be if there is such a file."""

    name: str
    value: str
    where: str
    about: str
    how: str
    change: Change | None = None
    file: Path | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the dashboard is drawn with now, and what of it was chosen in it."""

    theme: str
    is_ascii: bool
    chosen: frozenset[Change] = frozenset()


def setting_rows(loaded: Loaded, drawn: Drawn) -> list[Row]:
    """Every setting, in the order of `Settings`."""
    return [_setting(name, loaded, drawn) for name in Settings.model_fields]


def _setting(name: str, loaded: Loaded, drawn: Drawn) -> Row:
    origin, field = loaded.origins[name], Settings.model_fields[name]
    change = Change(name) if name in [*Change] else None
    is_chosen = change in drawn.chosen
    value = getattr(loaded.values, name)
    if change is Change.THEME:
        value = drawn.theme
    elif change is Change.ASCII:
        value = drawn.is_ascii
    example = field.examples[0] if field.examples else None
    return Row(
        name=name,
        value="your own" if is_chosen and change is Change.COLUMNS else in_words(value),
        where=CHOSEN if is_chosen else origin.where,
        about=f"{(field.description or name)[:1].upper()}{(field.description or name)[1:]}.",
        how=_how(name, loaded, origin, change, example),
        change=change,
        file=_file(loaded, origin),
        line=origin.line,
    )


def in_words(value: Any) -> str:
    """A setting as one reads it."""
    if value in (None, (), {}):
        return NOTHING
    match value:
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ", ".join(map(str, value))
        case Mapping():
            return ", ".join(f"{key} = {keys}" for key, keys in value.items())
        case float():
            return f"{value:g}"
    return shown_spec(str(value))


def _how(name: str, loaded: Loaded, origin: Origin, change: Change | None, example: Any) -> str:
    if change is not None:
        return "Can be changed here, and is kept for this project."
    match origin.layer:
        case Layer.FLAG:
            return f"{origin.source} said so, for this session."
        case Layer.ENVIRONMENT:
            return f"{origin.source} is set in the environment."
        case Layer.PROJECT:
            return f"Set in {origin.where}; read at the start."
    written = f"{name} = {_toml(example)}" if example is not None else name
    return f"Write {written} in {own_file(loaded)}, or set {variable_of(name)}."


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{key}" = "{keys}"' for key, keys in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def own_file(loaded: Loaded) -> str:
    """The file that this project has its settings in, or should have them in."""
    used = {origin.source for origin in loaded.origins.values()}
    return SHARED_FILE if SHARED_FILE in used and OWN_FILE not in used else OWN_FILE


def _file(loaded: Loaded, origin: Origin) -> Path | None:
    if origin.file is not None:
        return origin.file
    file = loaded.root / own_file(loaded)
    return file if origin.layer is Layer.DEFAULT and file.is_file() else None


def key_rows(loaded: Loaded) -> list[Row]:
    """Every action with its id, its keys and what it does."""
    wishes, origin = loaded.values.keys, loaded.origins["keys"]
    rows = []
    for name, action in actions().items():
        keys = [normal(key) for key in wishes[name].split(",")] if name in wishes else action.keys
        written = f'Write "{name}" = "f9" under [keys] in {own_file(loaded)}.'
        rows.append(
            Row(
                name=name,
                value=" ".join(shown(key) for key in keys),
                where=action.text,
                about=f"Set in {origin.where}." if name in wishes else "This is its usual key.",
                how=written,
                file=_file(loaded, origin),
                line=origin.line,
            )
        )
    return rows
