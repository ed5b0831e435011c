"""Opening a file in the user's editor, at a line: which editor, and how it is told the line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tenxgraph_tui.errors import UsageError
from tenxgraph_tui.evaluation.formats.case_places import case_line
from tenxgraph_tui.evaluation.formats.module_paths import file_in

VARIABLES = ("VISUAL", "EDITOR")
WAITS = frozenset({"-w", "--wait", "--block", "-b", "-f", "--nofork"})


@dataclass(frozen=True, slots=True)
class Place:
    """A file, and the line in it; None where an editor shall begin wherever it does."""

    file: Path
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """What to run. An editor that `has_window` leaves the terminal to the dashboard."""

    command: tuple[str, ...]
    has_window: bool = False


def editor_of(setting: str | None, environ: Mapping[str, str]) -> str | None:
    """The editor of the settings, else `$VISUAL`, else `$EDITOR`; None where none is set."""
    named = (setting, *(environ.get(name) for name in VARIABLES))
    return next((one for one in named if one and one.strip()), None)


def call_of(editor: str, place: Place) -> Call:
    """How `editor`, a command with or without arguments, is run for a place.

    An editor with a window is asked to wait until the file is closed, so that it can be read again
    then. One that is not known gets the file alone.

    Raises:
        UsageError: the command is not a command.
    """
    try:
        words = shlex.split(editor)
    except ValueError as error:
        raise UsageError(f"the editor {editor!r} is no command: {error}") from None
    if not words:
        raise UsageError("the editor is empty: set $EDITOR, or editor in the settings")
    name = Path(words[0]).name.removesuffix(".exe")
    if name in WINDOWED:
        waits = () if WAITS & {*words[1:]} else (WINDOWED[name].wait,)
        return Call((*words, *waits, *WINDOWED[name].at(place)), has_window=True)
    return Call((*words, *IN_TERMINAL.get(name, _alone)(place)))


def found_at(file: str, root: Path) -> Path:
    """The file that is meant: as it is called here, or else in the project."""
    path = file_in(file)
    return next((one.absolute() for one in (path, root / path) if one.exists()), path)


def place_of_case(file: Path, eval_id: str) -> Place:
    """Where a case stands now, whatever was changed in its file since it was read."""
    try:
        text = file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return Place(file)  # the editor has more to say about it
    if file.suffix == ".py":
        return Place(file, _line_in_code(text, eval_id))
    return Place(file, case_line(text, eval_id))


def _line_in_code(text: str, eval_id: str) -> int | None:
    """The first line that has the id as a text of its own; None where it is made some other way."""
    written = re.compile(rf"""(["']){re.escape(eval_id)}\1""")
    lines = enumerate(text.splitlines(), start=1)
    return next((number for number, line in lines if written.search(line)), None)


At = Callable[[Place], Iterable[str]]


@dataclass(frozen=True, slots=True)
class _Windowed:
    """How an editor with a window is told a place, and to wait until it was closed."""

    at: At
    wait: str = "--wait"


def _alone(place: Place) -> Iterable[str]:
    return (str(place.file),)


def _plus(place: Place) -> Iterable[str]:
    return (f"+{place.line}", str(place.file)) if place.line else _alone(place)


def _colon(place: Place) -> Iterable[str]:
    return (f"{place.file}:{place.line}",) if place.line else _alone(place)


def _goto(place: Place) -> Iterable[str]:
    return ("--goto", *_colon(place)) if place.line else _alone(place)


def _line(place: Place) -> Iterable[str]:
    return ("--line", str(place.line), str(place.file)) if place.line else _alone(place)


WITH_PLUS = "vi vim nvim view nano pico emacs emacsclient kak joe jed ne mg mcedit"
WITH_COLON = "hx helix micro"
IN_TERMINAL: dict[str, At] = {
    **dict.fromkeys(WITH_PLUS.split(), _plus),
    **dict.fromkeys(WITH_COLON.split(), _colon),
}
WINDOW_GOTO = "code code-insiders codium vscodium code-oss cursor windsurf positron"
WINDOW_COLON = "subl sublime_text zed zeditor"
WINDOW_LINE = "idea pycharm webstorm goland clion rubymine phpstorm rider rustrover charm mate"
WINDOWED = {
    **dict.fromkeys(WINDOW_GOTO.split(), _Windowed(_goto)),
    **dict.fromkeys(WINDOW_COLON.split(), _Windowed(_colon)),
    **dict.fromkeys(WINDOW_LINE.split(), _Windowed(_line)),
    "kate": _Windowed(_line, "--block"),
    "gedit": _Windowed(_plus),
    "gvim": _Windowed(_plus, "-f"),
    "mvim": _Windowed(_plus, "-f"),
}
