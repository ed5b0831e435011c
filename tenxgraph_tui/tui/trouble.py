"""Why no case could be run, taken apart into what, where and what to do about it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tenxgraph_tui.errors import ConfigError, EvalSetError, StoreError, TargetError
from tenxgraph_tui.evaluation.events import Reply
from tenxgraph_tui.tui.pump import WorkerEnded

CONTEXT = 2
LARGEST_FILE = 2_000_000
SHOWN_STDERR = 12
NO_JUDGE = "judge not available"
CRASH, CURRENT_THREAD = "Fatal Python error", "Current thread"

_FILE, _LINE = r"[^\s:,;'\"()]+\.(?:py|json|toml)", r"(?::|,? line )"
_PLACE = re.compile(rf"(?P<file>{_FILE}){_LINE}(?P<line>\d+)")
_BRACKETS = re.compile(rf"\s*\({_FILE}{_LINE}\d+\)")
_KIND = re.compile(r"\b(?P<kind>[A-Z]\w*(?:Error|Exception|Exit|Interrupt)): (?P<rest>.*)", re.S)

SUBJECTS = {
    TargetError.exit_code: ("Target", "the target could not be loaded, no case was run"),
    ConfigError.exit_code: ("Config", "the config or an eval set is wrong, no case was run"),
    EvalSetError.exit_code: ("Config", "the config or an eval set is wrong, no case was run"),
    StoreError.exit_code: ("Run", "the run could not start"),
}


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of the excerpt; `hot` is the one that the error names."""

    number: int
    text: str
    hot: bool


@dataclass(frozen=True, slots=True)
class Trouble:
    """What the strip says (`headline`) and what the pane below shows."""

    headline: str
    subject: str
    name: str
    kind: str
    message: str
    place: str = ""
    excerpt: tuple[SourceLine, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    output: tuple[str, ...] = ()


def refused(reply: Reply, *, target: str, root: Path) -> Trouble:
    """The worker said why it cannot begin."""
    told = _taken_apart(reply.error or "no reason was given", root)
    subject, headline = SUBJECTS.get(reply.exit_code, ("Run", "the run could not start"))
    facts = [("remedy", text) for text in (told.remedy, *_texts(reply.data.get("remedy"))) if text]
    needs_judge = told.message.startswith(NO_JUDGE)
    then = "p chooses another preset, esc goes back" if needs_judge else "r tries again"
    return Trouble(
        headline=told.headline or headline,
        subject=subject,
        name=target if subject == "Target" else "",
        kind=told.kind,
        message=told.message,
        place=told.place,
        excerpt=told.excerpt,
        facts=(*facts, ("then", then)),
        output=tuple(_texts(reply.data.get("traceback"))),
    )


def crashed(ended: WorkerEnded, *, done: int, planned: int, target: str) -> Trouble:
    """The worker went away before its run was over."""
    how = f"signal {-ended.exit_code}" if ended.exit_code < 0 else f"exit code {ended.exit_code}"
    kept = "no case was finished" if planned else "no case was run"
    if done:
        kept = f"{done} of {planned} cases were finished and are kept"
    return Trouble(
        headline=f"the worker stopped with {how}, {kept}",
        subject="Worker",
        name=target,
        kind=f"stopped with {how}",
        message="the process that runs the agent ended before the run did",
        facts=(
            (
                "likely",
                "the agent or a library left the process (os._exit, a crash in C, no memory)",
            ),
            ("then", "r runs again, esc shows the cases"),
        ),
        output=_telling(ended.stderr),
    )


def _telling(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The last lines; of a crash the first, which name the line of the agent that it came from."""
    crash = [at for at, line in enumerate(lines) if line.startswith(CRASH)]
    if not crash:
        return lines[-SHOWN_STDERR:]
    told = [line for line in lines[crash[-1] :] if line.strip()]
    current = [at for at, line in enumerate(told) if line.startswith(CURRENT_THREAD)]
    frames = told[current[0] + 1 :] if current else told[1:]
    return (told[0], *frames)[:SHOWN_STDERR]


def broken_off(error: str) -> Trouble:
    """The run itself reported why it had to stop before any case was finished."""
    told = _taken_apart(error, Path())
    return Trouble(
        headline="the run stopped before a case was finished",
        subject="Run",
        name="",
        kind=told.kind,
        message=told.message,
        facts=(("then", "r tries again"),),
    )


def unread(problem: str) -> Trouble:
    """A past run that was to be shown could not be read."""
    told = _taken_apart(problem, Path())
    return Trouble(
        headline="the run could not be read",
        subject="Run",
        name="",
        kind=told.kind,
        message=told.message,
        facts=(("then", "esc goes back"),),
    )


@dataclass(frozen=True, slots=True)
class _Told:
    """An error in one line, as its parts: `HEADLINE: KIND: MESSAGE (FILE:LINE). REMEDY`."""

    message: str
    headline: str = ""
    kind: str = ""
    place: str = ""
    remedy: str = ""
    excerpt: tuple[SourceLine, ...] = ()


def _taken_apart(error: str, root: Path) -> _Told:
    found = _PLACE.search(error)
    file, number = (found["file"], int(found["line"])) if found else ("", 0)
    place = f"{_short(file, root)}, line {number}" if found else ""
    excerpt = _excerpt(file, number, root) if found else ()
    kind = _KIND.search(error)
    if kind is None:
        return _Told(error, place=place, excerpt=excerpt)
    headline = error[: kind.start()].strip(" :")
    headline = "" if _PLACE.fullmatch(headline) else headline
    parts = _BRACKETS.split(kind["rest"])
    remedy = parts[-1].strip(" .") if len(parts) > 1 else ""
    return _Told(parts[0], headline, kind["kind"], place, remedy, excerpt)


def _short(file: str, root: Path) -> str:
    path = Path(file)
    return str(path.relative_to(root)) if path.is_relative_to(root) else file


def _excerpt(file: str, number: int, root: Path) -> tuple[SourceLine, ...]:
    path = next((p for p in (Path(file), root / file) if p.is_file()), None)
    try:
        if path is None or path.stat().st_size > LARGEST_FILE:
            return ()
        lines = path.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    if not 1 <= number <= len(lines):
        return ()
    first, last = max(1, number - CONTEXT), min(len(lines), number + CONTEXT)
    return tuple(SourceLine(n, lines[n - 1], n == number) for n in range(first, last + 1))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return value.splitlines()
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else []
