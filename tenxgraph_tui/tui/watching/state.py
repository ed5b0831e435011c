"""What is known of watch mode in a session, for whoever draws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from tenxgraph_tui.tui.glyphs import DOT, GOOD, MUTED, WAITING, WARN, Sign

if TYPE_CHECKING:  # nothing is asked or told yet when the first frame is drawn
    from tenxgraph_tui.tui.watching.news import News
    from tenxgraph_tui.tui.watching.question import Question


class WatchMode(StrEnum):
    """Whether a save starts a run: it does not, it does, or somebody has to say yes first."""

    OFF = "off"
    WATCHING = "watching"
    ARMED = "armed"


SIGNS = {
    WatchMode.OFF: Sign(WAITING, "watch off", MUTED, MUTED),
    WatchMode.WATCHING: Sign(DOT, "watching", GOOD, ""),
    WatchMode.ARMED: Sign(DOT, "armed", WARN, ""),
}


@dataclass(frozen=True, slots=True)
class Saved:
    """Files that were saved together, as people name them, when (Unix seconds), what followed."""

    names: tuple[str, ...]
    at: float
    told: str


@dataclass(slots=True)
class Watch:
    """`reason` is why the run that goes on, or was the last, began; "" if somebody pressed a key.

    `news` is what the last save came to and `problems` what cannot be read since, until they were
    read by somebody; `question` is asked when armed. `ranks` places the cases that flipped in front
    of all others, until the next run begins. `saves` has the last save of every file; `note` says
    what cannot be watched as it should be. Before `lists_all` no run has told of every file that it
    uses, so that all Python files count.
    """

    mode: WatchMode = WatchMode.OFF
    reason: str = ""
    news: News | None = None
    problems: tuple[str, ...] = ()
    question: Question | None = None
    ranks: Mapping[tuple[str, str], float] = field(default_factory=dict)
    saves: dict[str, Saved] = field(default_factory=dict)
    note: str = ""
    lists_all: bool = False

    @property
    def is_on(self) -> bool:
        return self.mode is not WatchMode.OFF

    @property
    def has_told(self) -> bool:
        """Whether there is something that can be dismissed."""
        return bool(self.problems) or (self.news is not None and self.news.is_over)
