"""The course of watch mode: what is due, what runs, and what follows from each event.

It starts and stops nothing itself: it answers with commands, which a front end carries out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from tenxgraph_tui.session.watching.decision import Rerun, both


class Phase(StrEnum):
    """Where watch mode stands. `ARMED` waits for a key, `STOPPING` for a worker to end."""

    IDLE = "idle"
    ARMED = "armed"
    RUNNING = "running"
    STOPPING = "stopping"


class Ending(StrEnum):
    """How a run ended: with its results; without any, as it could not be run; by the user."""

    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Start:
    """Start a run of these cases; nothing else runs."""

    rerun: Rerun


@dataclass(frozen=True, slots=True)
class Stop:
    """End the run that goes on, and tell `Loop.ended` when it is gone."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Show what would run and what it costs, and wait for `Loop.confirm` or `Loop.decline`."""

    rerun: Rerun


@dataclass(frozen=True, slots=True)
class Keep:
    """The results of the run that ended count, and its flips are announced."""


@dataclass(frozen=True, slots=True)
class Discard:
    """They do not: the run was superseded, or could not be run. The last ones stay."""


Command = Start | Stop | Ask | Keep | Discard
Commands = tuple[Command, ...]


def never(rerun: Rerun) -> bool:  # noqa: ARG001 - what it asks about does not matter
    """Nothing is asked: every run begins by itself."""
    return False


class Loop:
    """One watch mode. Every method answers what is to be done now, in that order.

    `must_ask` tells whether a run has to be confirmed first. `due` has to run and does not yet,
    `running` does. A run that files superseded is due again, with all that it was to run, so that
    any number of saves makes one run in the end.
    """

    def __init__(self, must_ask: Callable[[Rerun], bool] = never) -> None:
        self.must_ask = must_ask
        self.phase = Phase.IDLE
        self.due: Rerun | None = None
        self.running: Rerun | None = None
        self._wanted: Rerun | None = None
        self._is_users = False

    def changed(self, rerun: Rerun) -> Commands:
        """Files changed so that these cases have to run again."""
        self.due = both(self.due, rerun)
        if self.phase is Phase.RUNNING:
            self.due = both(self.running, self.due)
            return self._stop()
        if self.phase is Phase.STOPPING:
            # what the user asked for meanwhile is out of date too, before it began
            self.due, self._wanted = both(self._wanted, self.due), None
            return ()
        return self._next()

    def wanted(self, rerun: Rerun) -> Commands:
        """The user asks for a run of just these, unconfirmed; what goes on is stopped first."""
        self._wanted = rerun
        if self.phase is Phase.RUNNING:
            if not self._is_users:
                self.due = both(self.running, self.due)
            return self._stop()
        return () if self.phase is Phase.STOPPING else self._next()

    def confirm(self, part: Rerun | None = None) -> Commands:
        """The user lets it run, or a part of it: what is left out is not due any more."""
        if self.phase is not Phase.ARMED:
            return ()
        self._wanted, self.due = part or self.due, None
        return self._next()

    def decline(self) -> Commands:
        """Not now: it stays due, and is asked for again with the next change."""
        if self.phase is Phase.ARMED:
            self.phase = Phase.IDLE
        return ()

    def began(self, rerun: Rerun) -> None:
        """A run goes on that was started before watch mode was."""
        self.running, self.phase, self._is_users = rerun, Phase.RUNNING, True

    def ended(self, ending: Ending) -> Commands:
        """The run that went on is over."""
        ran, phase = self.running, self.phase
        if ran is None:
            return ()
        self.running, self.phase = None, Phase.IDLE
        if phase is Phase.STOPPING:
            return (Discard(), *self._next())
        if ending is Ending.FAILED:
            self.due = both(ran, self.due)
            return (Discard(),)
        return (Keep(),)

    def _stop(self) -> Commands:
        self.phase = Phase.STOPPING
        return (Stop(),)

    def _next(self) -> Commands:
        if self._wanted is not None:
            rerun, self._wanted, self._is_users = self._wanted, None, True
            self.due = self.due.without(rerun) if self.due is not None else None
        elif self.due is None:
            return ()
        elif self.must_ask(self.due):
            self.phase = Phase.ARMED
            return (Ask(self.due),)
        else:
            rerun, self.due, self._is_users = self.due, None, False
        self.running, self.phase = rerun, Phase.RUNNING
        return (Start(rerun),)
