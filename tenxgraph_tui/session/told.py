"""An error as a worker tells it, taken apart: in data where it sent some, else by its words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from tenxgraph_tui.evaluation.events import Reply

CONTEXT = 2
LARGEST_FILE = 2_000_000

_FILE, _LINE = r"[^\s:,;'\"()]+\.(?:py|json|toml)", r"(?::|,? line )"
_PLACE = re.compile(rf"(?P<file>{_FILE}){_LINE}(?P<line>\d+)")
_SEVERAL = re.compile(r"\n(?=target )")
_BRACKETS = re.compile(rf"\s*\({_FILE}{_LINE}\d+\)")
_KIND = re.compile(r"\b(?P<kind>[A-Z]\w*(?:Error|Exception|Exit|Interrupt)): (?P<rest>.*)", re.S)


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of the excerpt; `hot` is the one that the error names, `marks` what of it."""

    number: int
    text: str
    hot: bool
    marks: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """The parts of an error; `place` is `file` and `line` as people read them.

    `more` are other errors that were told with it, a line each.
    """

    message: str
    headline: str = ""
    kind: str = ""
    place: str = ""
    remedy: str = ""
    excerpt: tuple[SourceLine, ...] = ()
    file: str = ""
    line: int | None = None
    more: tuple[str, ...] = ()


def of_reply(reply: Reply, root: Path) -> Told:
    """The error of a reply; what its data say is exact, what its words say is a guess."""
    error, data = reply.error or "no reason was given", reply.data
    first, *more = _SEVERAL.split(error)
    told = replace(taken_apart(first, root), more=tuple(more))
    kind, message = data.get("kind"), data.get("message")
    if isinstance(kind, str) and isinstance(message, str):
        told = replace(told, kind=kind, message=message or told.message)
    file, line = data.get("file"), data.get("line")
    if isinstance(file, str) and isinstance(line, int):
        columns = data.get("column"), data.get("end_column")
        begin, end = (one if isinstance(one, int) else -1 for one in columns)
        marks = (begin, end) if 0 <= begin < end else None
        told = _placed(told, file, line, root, marks)
    return told


def taken_apart(error: str, root: Path) -> Told:
    """An error in one line: `HEADLINE: KIND: MESSAGE (FILE:LINE). REMEDY`, as far as it is so."""
    told = _worded(error)
    found = _PLACE.search(error)
    return _placed(told, found["file"], int(found["line"]), root) if found else told


def _worded(error: str) -> Told:
    kind = _KIND.search(error)
    if kind is None:
        return Told(error)
    headline = error[: kind.start()].strip(" :")
    headline = "" if _PLACE.fullmatch(headline) else headline
    parts = _BRACKETS.split(kind["rest"])
    remedy = parts[-1].strip(" .") if len(parts) > 1 else ""
    return Told(parts[0], headline, kind["kind"], remedy=remedy)


def _placed(
    told: Told, file: str, line: int, root: Path, marks: tuple[int, int] | None = None
) -> Told:
    path = next((path for path in (Path(file), root / file) if path.is_file()), None)
    return replace(
        told,
        place=f"{_short(file, root)}, line {line}",
        excerpt=_excerpt(path, line, marks) if path is not None else (),
        file=str(path) if path is not None else "",
        line=line,
    )


def _short(file: str, root: Path) -> str:
    path = Path(file)
    return str(path.relative_to(root)) if path.is_relative_to(root) else file


def _excerpt(path: Path, number: int, marks: tuple[int, int] | None) -> tuple[SourceLine, ...]:
    try:
        if path.stat().st_size > LARGEST_FILE:
            return ()
        lines = path.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    if not 1 <= number <= len(lines):
        return ()
    first, last = max(1, number - CONTEXT), min(len(lines), number + CONTEXT)
    return tuple(
        SourceLine(n, lines[n - 1], n == number, marks if n == number else None)
        for n in range(first, last + 1)
    )


def texts(value: object) -> list[str]:
    """The lines of a text, or of what is a list of them."""
    if isinstance(value, str):
        return value.splitlines()
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else []
