"""What can happen while the headless watch waits: one queue brings all of it to one thread."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tenxgraph_tui.evaluation.events import RunEvent
from tenxgraph_tui.session.workers import WorkerExit


@dataclass(frozen=True, slots=True)
class Key:
    """A key was pressed: its character, `\\x1b` for escape, or `eof` when the terminal is gone."""

    name: str


@dataclass(frozen=True, slots=True)
class Changed:
    """Files, by their real paths, say something else than before."""

    paths: frozenset[Path]


@dataclass(frozen=True, slots=True)
class Noted:
    """Something cannot be watched as it should be."""

    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """The worker of a run told something."""

    run_id: str
    event: RunEvent


@dataclass(frozen=True, slots=True)
class Left:
    """The worker of a run is gone."""

    run_id: str
    how: WorkerExit


@dataclass(frozen=True, slots=True)
class Wrote:
    """The report files of a run were written, or could not be: a line each."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Redraw:
    """The terminal has another size, or was somebody else's for a while."""


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A signal wants the end."""


Message = Key | Changed | Noted | Told | Left | Wrote | Redraw | Interrupted
EOF = "eof"
ESCAPE = "\x1b"
