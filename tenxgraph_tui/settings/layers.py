"""Reading one layer each: project files, the environment, flags. Nothing is merged here."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.formats.reading import kind_of, read_json, read_text
from tenxgraph_tui.evaluation.models import nearest
from tenxgraph_tui.settings.lines import line_of
from tenxgraph_tui.settings.model import Layer, Origin, Settings, position

PREFIX = "TENXGRAPH_TUI_"
OWN_FILE, SHARED_FILE = "tenxgraph-tui.toml", "pyproject.toml"
OTHER_PROGRAMS = ("10xgraph.json", "agentflow.json")
OUR_TABLE = re.compile(r"""^\s*\[+\s*tool\s*\.\s*["']?tenxgraph-tui["']?\s*[\].]""", re.MULTILINE)
TABLE = ("tool", "tenxgraph-tui")
BROKEN_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")

NO_SETTINGS = {"TENXGRAPH_TUI_JUDGE_API_KEY": "judge_api_key"}
"""Ours too, but secrets: a variable alone, by the name that a setting would have."""

ALSO_CALLED = {
    "agent": "target",
    "concurrency": "max_concurrency",
    "directory": "paths",
    "env": "env_file",
    "evals": "paths",
    "interpreter": "python",
    "keymap": "keys",
}
TRANSLATED = {
    "directory": "paths",
    "output_dir": "output_dir",
    "threshold": "threshold",
    "max_concurrency": "max_concurrency",
    "timestamp_files": "timestamp_files",
}
"""Keys of `evaluation` in 10xGraph's file. Its `parallel` has no effect: cases never mix here."""
DEFAULT_DIRECTORY = "evals"
"""Where 10xGraph looks for evals when its file does not say."""


@dataclass(slots=True)
class Part:
    """What one layer sets, as it was written; `is_text` when every value is a text.

    `written` has the names that another program has for our settings.
    """

    values: dict[str, Any] = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    written: dict[str, str] = field(default_factory=dict)
    is_text: bool = False

    def put(self, name: str, value: Any, origin: Origin) -> None:
        self.values[name] = value
        self.origins[name] = origin


def known(key: str) -> str | None:
    """The setting that an unknown key probably means."""
    return ALSO_CALLED.get(key) or nearest(key, Settings.model_fields)


def from_files(root: Path) -> list[Part]:
    """The layers of the project's files, the weaker first.

    Raises:
        ConfigError: one line with file, position, what is wrong and what to write instead.
    """
    own, shared = _toml(root / OWN_FILE, ()), _toml(root / SHARED_FILE, TABLE)
    if own is not None and shared is not None:
        own.warnings.append(
            f"{SHARED_FILE}: [tool.tenxgraph-tui] has no effect, because there is a {OWN_FILE}"
        )
    other = next((root / name for name in OTHER_PROGRAMS if (root / name).is_file()), None)
    found = [_of_10xgraph(other) if other else None, own if own is not None else shared]
    return [part for part in found if part is not None]


def from_environment(environ: Mapping[str, str]) -> Part:
    """What `TENXGRAPH_TUI_…` variables set; one that is empty sets nothing.

    Raises:
        ConfigError: a variable is called almost like one of ours.
    """
    part = Part(is_text=True)
    for variable, text in environ.items():
        if not variable.startswith(PREFIX) or not text.strip():
            continue
        name = variable.removeprefix(PREFIX).lower()
        if variable in NO_SETTINGS:
            continue
        if name in Settings.model_fields:
            part.put(name, _split(name, text.strip()), Origin(Layer.ENVIRONMENT, variable))
        elif meant := known(name):
            raise ConfigError(f"unknown variable {variable}: did you mean {variable_of(meant)}?")
        else:
            part.warnings.append(f"unknown variable {variable}: it has no effect")
    return part


def from_flags(flags: Mapping[str, object]) -> Part:
    """What was said on the command line; None was not said."""
    part = Part()
    for name, value in flags.items():
        if value is not None:
            part.put(name, value, Origin(Layer.FLAG, f"--{name.replace('_', '-')}"))
    return part


def variable_of(name: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + name.upper()


def _split(name: str, text: str) -> Any:
    """Lists with commas (`json,html`), tables as `id=keys` with blanks between."""
    default = Settings.model_fields[name].default
    if isinstance(default, tuple):
        return tuple(word.strip() for word in text.split(",") if word.strip())
    if isinstance(default, dict):
        pairs = (word.partition("=") for word in text.split())
        return {key: value for key, _, value in pairs}
    return text


def has_our_table(folder: Path) -> bool:
    """Whether there is a `pyproject.toml` with settings of ours, as far as one sees unparsed.

    Read as text: a file that is broken elsewhere marks the project too, and `load` says so.
    """
    try:
        text = (folder / SHARED_FILE).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return OUR_TABLE.search(text) is not None


def _toml(path: Path, table: tuple[str, ...]) -> Part | None:
    """What the table of a TOML file sets; None if there is no such file or table."""
    try:
        text = read_text(Path(position(path)), ConfigError)
        if table and table[-1] not in text:
            return None  # most projects: spares the parsing
        values = tomllib.loads(text)
    except FileNotFoundError:
        return None
    except (ConfigError, tomllib.TOMLDecodeError, RecursionError) as error:
        if table and not has_our_table(path.parent):
            return None  # it is none of our business
        raise ConfigError(_told(path, error)) from None
    return _table(path, text, values, table)


def _table(path: Path, text: str, values: Any, table: tuple[str, ...]) -> Part | None:
    for name in table:
        if not isinstance(values, dict) or name not in values:
            return None
        values = values[name]
    if not isinstance(values, dict):
        called = ".".join(table)
        raise ConfigError(
            f"{position(path)}: {called} must be a table: write [{called}], and the settings below"
        )
    part = Part()
    for key, value in values.items():
        line = line_of(text, (*table, key))
        if key in Settings.model_fields:
            part.put(key, value, Origin(Layer.PROJECT, path.name, path, line))
        elif key in NO_SETTINGS.values():
            variable = next(name for name, setting in NO_SETTINGS.items() if setting == key)
            raise ConfigError(
                f"{position(path, line)}: {key} does not belong in a file: set {variable} instead"
            )
        elif meant := known(key):
            raise ConfigError(
                f"{position(path, line)}: unknown key {key!r}: did you mean {meant!r}?"
            )
        else:
            part.warnings.append(f"{position(path, line)}: unknown key {key!r}: it has no effect")
    return part


def _told(path: Path, error: Exception) -> str:
    if isinstance(error, RecursionError):
        return f"{position(path)}: nested too deeply to be read"
    return str(error) if isinstance(error, ConfigError) else _broken(path, str(error))


def _broken(path: Path, message: str) -> str:
    at = BROKEN_AT.search(message)
    where = f":{at[1]}:{at[2]}" if at and at[1] else ""
    told = BROKEN_AT.sub("", message)
    end = "" if where else "; the file ends too early"
    return f"{position(path)}{where}: no TOML: {told[:1].lower()}{told[1:]}{end}"


def _of_10xgraph(path: Path) -> Part:
    """What 10xGraph's own file says of evaluations. It is not ours: other keys are left alone.

    As for 10xGraph itself, its `env` need not be there, and evals are in `evals` if it is silent.
    """
    file, part = read_json(Path(position(path)), ConfigError), Part()
    if not isinstance(file.data, dict):
        file.fail(f"this is no object but {kind_of(file.data)}")
    found: dict[tuple[str, ...], tuple[str, Any]] = {("agent",): ("target", file.data.get("agent"))}
    env = file.data.get("env")
    if not isinstance(env, str) or (path.parent / env).is_file():
        found["env",] = "env_file", env
    section = file.data.get("evaluation")
    if section is not None and not isinstance(section, dict):
        file.fail(f"evaluation must be an object, not {kind_of(section)}")
    for key, name in TRANSLATED.items():
        found["evaluation", key] = name, (section or {}).get(key)
    for place, (name, value) in found.items():
        if value is not None:
            listed = [value] if name == "paths" else value
            line = file.line_of(place)
            part.put(name, listed, Origin(Layer.PROJECT, path.name, path, line))
            part.written[name] = ".".join(place)
    if "paths" not in part.values and (path.parent / DEFAULT_DIRECTORY).is_dir():
        part.put("paths", [DEFAULT_DIRECTORY], Origin(Layer.PROJECT, path.name, path))
    return part
