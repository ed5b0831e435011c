"""A JSON file that a person wrote: read strictly, and every mistake told with its position."""

from __future__ import annotations

import json
import math
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.evaluation.formats.positions import (
    column_at,
    duplicates,
    line_at,
    line_of,
    number_that_is_none,
)

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BOM = b"\xef\xbb\xbf"
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_KINDS = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
_SHOWN_DUPLICATES = 5


@dataclass(slots=True)
class JsonFile:
    """A file's text and what it says; `mistake` is the error that problems of it are raised as."""

    path: Path
    mistake: type[TenxError]
    text: str = ""
    data: Any = None
    warnings: list[str] = field(default_factory=list)

    def line_of(self, path: tuple[str | int, ...]) -> int:
        return line_of(self.text, path)

    def fail(self, message: str, line: int | None = None, column: int | None = None) -> NoReturn:
        """Raise the mistake with file and position before the message."""
        where = ":".join(str(part) for part in (self.path, line, column) if part is not None)
        raise self.mistake(f"{where}: {message}")


def read_json(path: Path, mistake: type[TenxError]) -> JsonFile:
    """Read and parse `path`.

    Raises:
        FileNotFoundError: there is no such file.
        TenxError: of the class `mistake`, one line with file, line and column.
    """
    file = JsonFile(path, mistake)
    file.text = _text(file)
    if not file.text.strip():
        file.fail("the file is empty")
    file.data = _parse(file)
    return file


def read_text(path: Path, mistake: type[TenxError]) -> str:
    """The text of a file that is UTF-8, with or without a BOM.

    Raises:
        FileNotFoundError: there is no such file.
        TenxError: of the class `mistake`, one line with file and line.
    """
    return _text(JsonFile(path, mistake))


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    return _KINDS.get(type(value), "a number")


def _text(file: JsonFile) -> str:
    try:
        if _is_device(file.path.stat().st_mode):
            file.fail("this is a device, not a file")
        raw = file.path.read_bytes()
    except FileNotFoundError:
        raise
    except IsADirectoryError:
        file.fail("this is a folder, not a file")
    except OSError as error:
        file.fail(f"cannot be read: {error.strerror or error}")
    except ValueError:  # a zero byte, which JSON can name and no file system knows
        file.fail("no file can be called that")
    if raw.startswith(_UTF16):
        file.fail("not UTF-8 but UTF-16: save the file as UTF-8")
    raw = raw.removeprefix(_BOM)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        file.fail(f"not UTF-8 (byte 0x{raw[error.start]:02x}): save the file as UTF-8", line)


def _is_device(mode: int) -> bool:
    """Some of them never end. A pipe does; the shell makes one of `<(command)`."""
    return stat.S_ISCHR(mode) or stat.S_ISBLK(mode)


def _parse(file: JsonFile) -> Any:
    doubled = False

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal doubled
        found = dict(pairs)
        doubled = doubled or len(found) < len(pairs)
        return found

    try:
        data = json.loads(
            file.text,
            object_pairs_hook=members,
            parse_constant=_refuse,
            parse_float=_finite,
        )
    except json.JSONDecodeError as error:
        _syntax(file, error)
    except RecursionError:
        file.fail("nested too deeply to be read")
    except ValueError as error:
        _no_number(file, str(error))
    if doubled:
        file.warnings += _doubled(file)
    _no_half_characters(file, data)
    return data


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is too large a number")
    return number


def _syntax(file: JsonFile, error: json.JSONDecodeError) -> NoReturn:
    at = min(error.pos, len(file.text))
    cut_off = not file.text[at:].strip() or error.msg.startswith("Unterminated string")
    hint = "; the file ends too early or a quote is missing" if cut_off else ""
    message = f"no JSON: {error.msg[0].lower()}{error.msg[1:]}{hint}"
    file.fail(message, line_at(file.text, at), column_at(file.text, at))


def _no_number(file: JsonFile, message: str) -> NoReturn:
    token = number_that_is_none(file.text)
    if token is None:
        file.fail(message)
    line, column = line_at(file.text, token.start()), column_at(file.text, token.start())
    what = token[0] if len(token[0]) <= len("-Infinity") else "the number"
    file.fail(f"{what} is no number that JSON knows: write a finite one, or null", line, column)


def _no_half_characters(file: JsonFile, data: Any) -> None:
    """A lone surrogate is valid JSON, but no store, terminal or report can hold it."""
    if _SURROGATE.search(file.text) is None:
        return
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = rf"\u{ord(error.object[error.start]):04x}"
        alone = re.search(rf"{re.escape(half)}(?!\\u[dD][c-fC-F])", file.text, re.IGNORECASE)
        at = alone.start() if alone else 0
        line, column = line_at(file.text, at), column_at(file.text, at)
        file.fail(f"{half} is half a character: write both halves, or another one", line, column)


def _doubled(file: JsonFile) -> list[str]:
    found = list(duplicates(file.text))
    lines = [
        f"{file.path}:{line_at(file.text, offset)}: key {str(path[-1])!r} stands twice in one "
        "object: the last one counts"
        for path, offset in found[:_SHOWN_DUPLICATES]
    ]
    more = len(found) - _SHOWN_DUPLICATES
    return [*lines, f"{file.path}: {more} more doubled keys"] if more > 0 else lines
