"""The variables of an `env_file`, for the processes that run agents. Values are never told."""

from __future__ import annotations

import io
from collections.abc import MutableMapping
from pathlib import Path

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation.formats.reading import read_text


def read_env_file(path: Path) -> dict[str, str]:
    """The variables of a file of `NAME=value` lines, with `${OTHER}` filled in.

    Raises:
        FileNotFoundError: there is no such file.
        ConfigError: one line with file and line, without what stands in it.
    """
    from dotenv import dotenv_values  # noqa: PLC0415 - few projects have such a file
    from dotenv.parser import parse_stream  # noqa: PLC0415

    text = read_text(path, ConfigError)
    for binding in parse_stream(io.StringIO(text)):
        line = binding.original.line
        if binding.error:
            raise ConfigError(f"{path}:{line}: this is no line like NAME=value")
        if "\0" in binding.original.string:
            raise ConfigError(f"{path}:{line}: no variable can hold a null character")
    values = dotenv_values(stream=io.StringIO(text))
    return {name: value for name, value in values.items() if value is not None}


def add_env_file(path: Path, environ: MutableMapping[str, str]) -> str | None:
    """Set what the file sets and nobody set before; a line to say if there is no such file.

    Raises:
        ConfigError: as `read_env_file` does.
    """
    try:
        values = read_env_file(path)
    except FileNotFoundError:
        return f"env_file: there is no file {path}, so it sets nothing"
    for name, value in values.items():
        environ.setdefault(name, value)
    return None
