"""What is known of watch mode in a session, for whoever draws it."""

from __future__ import annotations

from enum import StrEnum

from tenxgraph_tui.tui.glyphs import DOT, GOOD, MUTED, WAITING, WARN, Sign


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
