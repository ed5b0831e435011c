"""What a project keeps of its runs, in words: for whoever wants to know what takes the room."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

from tenxgraph_tui.cli.compose import shown
from tenxgraph_tui.evaluation.numbers import plural
from tenxgraph_tui.session.answers import MAX_AGE, MAX_SIZE, count_answers
from tenxgraph_tui.session.store import RunStore

KIBI = 1024
DAY = 86_400
UNREADABLE = "cannot be read"

T = TypeVar("T")


class Ask(Protocol):
    """Gives an answer, or None where there was a problem, which is told elsewhere."""

    def __call__(self, question: Callable[[], T], /) -> T | None: ...


def store_in_words(ask: Ask, path: Path) -> str:
    """How many runs the store at `path` holds, and what it takes on the disk."""
    if not path.exists():
        return f"{shown(path)}  no runs yet"
    runs = ask(RunStore(path).runs)
    files = (path.with_name(path.name + end) for end in ("", "-wal"))
    size = sum(file.stat().st_size for file in files if file.exists())
    told = UNREADABLE if runs is None else plural(len(runs), "run")
    return f"{shown(path)}  {told}, {_size(size)}"


def answers_in_words(ask: Ask, path: Path) -> str:
    """How many answers of judges it holds, what they take of that, and when they are forgotten."""
    kept = ask(lambda: count_answers(path))
    if kept is None:
        return UNREADABLE
    ends = f"forgotten after {MAX_AGE / DAY:.0f} days, or beyond {_size(MAX_SIZE)}"
    if not kept.number:
        return f"none kept  ({ends})"
    return f"{plural(kept.number, 'answer')} kept, {_size(kept.size)}  ({ends})"


def _size(count: int) -> str:
    return f"{count / KIBI:.0f} KiB" if count < KIBI**2 else f"{count / KIBI**2:.1f} MiB"
