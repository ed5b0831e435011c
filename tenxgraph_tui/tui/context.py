"""What every screen is given: what to show, where results come from, and when to look again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from textual.signal import Signal

from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.remembered import Remembered
from tenxgraph_tui.tui.results import ResultReader


@dataclass(frozen=True, slots=True)
class Context:
    """`changed` is published after every change of the desk; `clock` gives Unix seconds.

    What the user changes and the next session should find is assigned to a field of `remembered`.
    """

    desk: Desk
    reader: ResultReader
    changed: Signal[None]
    clock: Callable[[], float]
    remembered: Remembered = field(default_factory=Remembered)
    settings: Loaded = field(default_factory=lambda: Loaded(Path()))
