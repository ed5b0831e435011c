"""Who holds an event loop, where, and for how long: read from outside, by another thread."""

from __future__ import annotations

import contextvars
import os
import sys
import sysconfig
import threading
import time
from asyncio import AbstractEventLoop
from asyncio.events import Handle
from dataclasses import dataclass, field
from types import FrameType

from tenxgraph_tui.adapters.port import CURRENT
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.evaluation.stream import EventStream

LONGEST_BEAT = 0.1
"""A beat that came later than this was itself held up (a stopped process, a busy machine): the
rest is held against nobody's patience."""


@dataclass(slots=True)
class HeldTime:
    """How long cases held the loop, in seconds. A case's own share counts against it alone."""

    total: float = 0.0
    probe: LoopProbe | None = None
    _by: dict[CaseKey, float] = field(default_factory=dict)
    _where: dict[CaseKey, str] = field(default_factory=dict)

    def add(self, key: CaseKey | None, seconds: float, where: str) -> None:
        self.total += seconds
        if key is not None:
            self._by[key] = self._by.get(key, 0.0) + seconds
            self._where[key] = where

    def by_others(self, key: CaseKey) -> float:
        """Time until now that does not count against `key`; called on the loop."""
        if self.probe is not None:
            self.probe.settle()
        return self.total - self._by.get(key, 0.0)

    def by(self, key: CaseKey) -> float:
        return self._by.get(key, 0.0)

    def where(self, key: CaseKey) -> str:
        """File and line at which `key` was last seen holding the loop; "" if it never was."""
        return self._where.get(key, "")


@dataclass(frozen=True, slots=True)
class Hold:
    """One unbroken hold of the loop: by whom (None: nobody can be named), where, how long."""

    key: CaseKey | None
    where: str
    seconds: float

    @property
    def sentence(self) -> str:
        """What is wrong, and what to do about it."""
        who = self.key.eval_id if self.key is not None else "something"
        return (
            f"{who} holds the event loop at {self.where}: all cases wait for it. Await an async "
            "call there, or use asyncio.to_thread, or make the agent a plain function."
        )


class LoopProbe:
    """Keeps account of one loop: its own timer says how late it is, `beat` sees because of whom.

    Every moment after a due beat of the loop is counted once, either by the loop or by the thread
    that watches, so that a machine too busy to watch in time loses only who it was.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        thread: threading.Thread,
        held: HeldTime,
        *,
        every: float,
    ) -> None:
        self._loop, self._thread, self._held, self._every = loop, thread, held, every
        self._lock = threading.Lock()
        self._due = self._counted = time.monotonic() + every
        self._holder: CaseKey | None = None
        self._where = ""
        self._holding = 0.0
        self._stopped = False
        held.probe = self
        loop.call_soon_threadsafe(self._turn)

    def beat(self) -> Hold | None:
        """Called by the watching thread every few milliseconds: the hold that is going on."""
        now = time.monotonic()
        if now < self._due + self._every:
            return None
        holder = holder_of(self._thread)
        if holder is None:  # who is late is whoever reads our events
            self._count(None, "", now)
            return None
        key, where, is_theirs = holder
        if key is not None and not is_theirs:  # between two steps of it, in code of ours
            where = self._held.where(key) or where
        return self._count(key, where, now)

    def _count(self, key: CaseKey | None, where: str, now: float) -> Hold | None:
        with self._lock:
            late = now - max(self._due, self._counted)
            if late <= 0:
                return None
            if key != self._holder:
                self._holding = 0.0
            self._holder, self._where = key, where
            self._held.add(key, late, where)
            self._holding += min(late, LONGEST_BEAT)
            self._counted = now
            return Hold(key, where, self._holding)

    def settle(self) -> None:
        """Count until now; what nobody watched is held against nobody."""
        with self._lock:
            now = time.monotonic()
            late = now - max(self._due, self._counted)
            if late > 0:
                self._held.add(self._holder, late, self._where)
                self._counted = now

    def stop(self) -> None:
        """Leave the loop alone, which somebody else goes on using."""
        self._stopped = True

    def _turn(self) -> None:
        if self._stopped:
            return
        self.settle()
        with self._lock:
            self._holder, self._where, self._holding = None, "", 0.0
            self._due = time.monotonic() + self._every
        self._loop.call_later(self._every, self._turn)


def holder_of(thread: threading.Thread) -> tuple[CaseKey | None, str, bool] | None:
    """Whose callback `thread` is in, a line of it, and whether that is the user's own code.

    None while it tells an event: then a viewer keeps it waiting (a full pipe, a stopped terminal).

    It is the innermost line of theirs within the callback, else the innermost of all. The frame of
    `Handle._run` holds the context of the callback that runs, so tasks that a case started are
    found too; what lies outside of it started the loop.
    """
    frame = innermost = sys._current_frames().get(thread.ident or 0)  # noqa: SLF001 - the only way to look
    theirs: FrameType | None = None
    while frame is not None:
        if frame.f_code in TELLING:
            return None
        if frame.f_code is Handle._run.__code__:  # noqa: SLF001 - its frame holds the context
            context: contextvars.Context = frame.f_locals["self"]._context  # noqa: SLF001 - as above
            recorder = context.get(CURRENT)
            key = recorder.key if isinstance(recorder, Recorder) else None
            return key, _line(theirs or innermost), theirs is not None
        if theirs is None and is_users(frame.f_code.co_filename):
            theirs = frame
        frame = frame.f_back
    return None, _line(theirs or innermost), theirs is not None


TELLING = frozenset({EventStream.emit.__code__, EventStream.publish.__code__})


def _line(frame: FrameType | None) -> str:
    if frame is None:
        return "unknown"
    return f"{from_here(frame.f_code.co_filename)}:{frame.f_lineno}"


def from_here(filename: str) -> str:
    """A file as it is named from the working directory, if it lies below it."""
    try:
        here = os.path.join(os.getcwd(), "")  # noqa: PTH109, PTH118 - told while a loop is held: be quick
    except OSError:  # an agent removed it
        return filename
    return filename.removeprefix(here)


OURS = __file__.rsplit("evaluation", 1)[0]
LIBRARIES = (sysconfig.get_path("stdlib"), OURS)


def is_ours(filename: str) -> bool:
    """Whether a source file belongs to this package."""
    return filename.startswith(OURS)


def is_users(filename: str) -> bool:
    """Whether a source file is neither the standard library's, nor a package's, nor ours."""
    if filename.startswith("<") or "site-packages" in filename:
        return False
    return not filename.startswith(LIBRARIES)
