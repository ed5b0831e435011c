"""Why no case could be run, taken apart into what, where and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tenxgraph_tui.errors import ConfigError, EvalSetError, StoreError, TargetError
from tenxgraph_tui.evaluation.events import Reply
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.session.told import SourceLine, of_reply, taken_apart, texts
from tenxgraph_tui.session.workers import ending
from tenxgraph_tui.tui.keywords import word
from tenxgraph_tui.tui.pump import WorkerEnded

SHOWN_STDERR = 12
OF_A_JUDGE = "judge"
"""What every sentence begins with that says why judges cannot be asked."""
CRASH, CURRENT_THREAD = "Fatal Python error", "Current thread"

SUBJECTS = {
    TargetError.exit_code: ("Target", "the target could not be loaded, no case was run"),
    ConfigError.exit_code: ("Config", "the config or an eval set is wrong, no case was run"),
    EvalSetError.exit_code: ("Config", "the config or an eval set is wrong, no case was run"),
    StoreError.exit_code: ("Run", "the run could not start"),
}


@dataclass(frozen=True, slots=True)
class Trouble:
    """What the strip says (`headline`) and what the pane below shows.

    `file` and `line` are where an editor would be opened; `log` is the whole traceback.
    """

    headline: str
    subject: str
    name: str
    kind: str
    message: str
    place: str = ""
    excerpt: tuple[SourceLine, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    output: tuple[str, ...] = ()
    file: str = ""
    line: int | None = None
    log: tuple[str, ...] = ()


def refused(
    reply: Reply,
    *,
    target: str,
    root: Path,
    known: Sequence[tuple[str, str]] = (),
    is_watched: bool = False,
) -> Trouble:
    """The worker said why it cannot begin; `known` is what can be said beside it.

    Where it `is_watched`, saving the file is enough to try again.
    """
    told = of_reply(reply, root)
    subject, headline = SUBJECTS.get(reply.exit_code, ("Run", "the run could not start"))
    python = "".join(texts(reply.data.get("python")))
    facts = [("remedy", told.remedy)] if told.remedy else []
    if python and python.partition(" (")[0] not in told.remedy:
        facts.append(("python", python))
    if told.more:
        count = plural(len(told.more), "more error")
        facts.append(("also", f"{count} like this, {word('notice.log')} shows them"))
    needs_judge = told.message.startswith(OF_A_JUDGE)
    then = f"{word('dashboard.preset')} chooses another preset" if needs_judge else _again()
    if is_watched:
        file = told.place.partition(", line ")[0] or "what it needs"
        facts.append(("watching", f"runs again when {file} is saved"))
    return Trouble(
        headline=told.headline or headline,
        subject=subject,
        name=target if subject == "Target" else "",
        kind=told.kind,
        message=told.message,
        place=told.place,
        excerpt=told.excerpt,
        facts=(*facts, *known, ("then", f"{then}, {_to_cases()}")),
        file=told.file,
        line=told.line,
        log=(*told.more, *([""] if told.more else []), *texts(reply.data.get("traceback"))),
    )


def _again() -> str:
    return f"{word('run.start')} tries again"


def _to_cases() -> str:
    return f"{word('notice.back')} shows the cases"


def crashed(ended: WorkerEnded, *, done: int, planned: int, target: str) -> Trouble:
    """The worker went away before its run was over."""
    how = ending(ended.exit_code)
    kept = "no case was finished" if planned else "no case was run"
    if done:
        kept = f"{done} of {planned} cases were finished and are kept"
    return Trouble(
        headline=f"the worker {how}, {kept}",
        subject="Worker",
        name=target,
        kind=how,
        message="the process that runs the agent ended before the run did",
        facts=(
            (
                "likely",
                "the agent or a library left the process (os._exit, a crash in C, no memory)",
            ),
            ("then", f"{_again()}, {_to_cases()}"),
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
    told = taken_apart(error, Path())
    return Trouble(
        headline="the run stopped before a case was finished",
        subject="Run",
        name="",
        kind=told.kind,
        message=told.message,
        facts=(("then", _again()),),
    )


def unread(problem: str) -> Trouble:
    """A past run that was to be shown could not be read."""
    told = taken_apart(problem, Path())
    return Trouble(
        headline="the run could not be read",
        subject="Run",
        name="",
        kind=told.kind,
        message=told.message,
        facts=(("then", f"{word('notice.back')} goes back"),),
    )
