"""What every screen is given: what to show, where results come from, and when to look again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from textual.signal import Signal

from tenxgraph_tui.settings import Loaded
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.listing import Listing
from tenxgraph_tui.tui.remembered import Remembered
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.tour import Tour


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
    tour: Tour = field(default_factory=Tour)
    listing: Listing = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "listing", Listing(self.desk))
