"""What is known of watch mode in a session, for whoever draws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tenxgraph_tui.tui.glyphs import DOT, GOOD, MUTED, WAITING, WARN, Sign
from tenxgraph_tui.tui.watching.news import News


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


@dataclass(slots=True)
class Watch:
    """`news` is what the last save came to, until it was read; `reason` why the run that goes on
    began, "" if somebody pressed a key.

    `ranks` places the cases that flipped in front of all others, until the next run begins.
    """

    mode: WatchMode = WatchMode.OFF
    reason: str = ""
    news: News | None = None
    ranks: Mapping[tuple[str, str], float] = field(default_factory=dict)

    @property
    def is_on(self) -> bool:
        return self.mode is not WatchMode.OFF
