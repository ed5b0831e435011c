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

_PLACE = re.compile(
    r"(?P<file>[^\s:,;'\"()]+\.(?:py|json|toml))(?::|,? line )(?P<line>\d+)", re.IGNORECASE
)
_KIND = re.compile(r"\b(?P<kind>[A-Z]\w*(?:Error|Exception|Exit|Interrupt))\b:?\s*(?P<rest>.*)")

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
    error = reply.error or "no reason was given"
    subject, headline = SUBJECTS.get(reply.exit_code, ("Run", "the run could not start"))
    kind, message = _kind_and_message(error)
    place, excerpt = _place_of(error, root)
    facts = [("remedy", text) for text in _texts(reply.data.get("remedy"))]
    facts.append(("then", "r tries again"))
    return Trouble(
        headline=headline,
        subject=subject,
        name=target if subject == "Target" else "",
        kind=kind,
        message=message,
        place=place,
        excerpt=excerpt,
        facts=tuple(facts),
        output=tuple(_texts(reply.data.get("traceback"))),
    )


def crashed(ended: WorkerEnded, *, done: int, planned: int, target: str) -> Trouble:
    """The worker went away before its run was over."""
    how = f"signal {-ended.exit_code}" if ended.exit_code < 0 else f"exit code {ended.exit_code}"
    kept = f"{done} of {planned} cases were finished and are kept" if planned else "no case was run"
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
        output=ended.stderr[-SHOWN_STDERR:],
    )


def broken_off(error: str) -> Trouble:
    """The run itself reported why it had to stop before any case was finished."""
    kind, message = _kind_and_message(error)
    return Trouble(
        headline=f"the run stopped: {error}",
        subject="Run",
        name="",
        kind=kind,
        message=message,
        facts=(("then", "r tries again"),),
    )


def _kind_and_message(error: str) -> tuple[str, str]:
    found = _KIND.search(error)
    if found is None or not found["rest"]:
        return "", error
    before = error[: found.start()].strip(" :")
    before = "" if _PLACE.fullmatch(before) else before
    return found["kind"], f"{before}: {found['rest']}" if before else found["rest"]


def _place_of(error: str, root: Path) -> tuple[str, tuple[SourceLine, ...]]:
    found = _PLACE.search(error)
    if found is None:
        return "", ()
    number = int(found["line"])
    return f"{found['file']}, line {number}", _excerpt(found["file"], number, root)


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
