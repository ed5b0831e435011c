"""What every screen is given: what to show, where results come from, and when to look again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.signal import Signal

from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.results import ResultReader


@dataclass(frozen=True, slots=True)
class Context:
    """`changed` is published after every change of the desk; `clock` gives Unix seconds."""

    desk: Desk
    reader: ResultReader
    changed: Signal[None]
    clock: Callable[[], float]
