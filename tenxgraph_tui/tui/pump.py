"""Between the thread that reads a worker and the interface: neither ever waits for the other."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from textual.message import Message
from textual.message_pump import MessagePump

from tenxgraph_tui.evaluation.events import RunEvent
from tenxgraph_tui.tui.past import Compared, Recalled

FRAMES_PER_SECOND = 15
MOST_AT_ONCE = 1000
MOST_WAITING = 4 * MOST_AT_ONCE


@dataclass(frozen=True, slots=True)
class WorkerEnded:
    """The worker of that run is gone; `stderr` holds the last lines it wrote there."""

    run_id: str
    exit_code: int
    stderr: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunTold:
    """A past run was told to its end; `problem` says why it could not be, if it could not."""

    run_id: str
    problem: str = ""


Fact = RunEvent | WorkerEnded | RunTold | Recalled | Compared


class EventPump:
    """Takes facts from any thread; gives them to a node in order, one message a frame.

    No message holds more than `MOST_AT_ONCE` of them, so that keys are heard in between; where more
    are waiting, the next message follows without waiting for the next frame.
    """

    @dataclass
    class Drained(Message):
        """What happened since the last frame."""

        events: tuple[Fact, ...]

    def __init__(self) -> None:
        self._pending: deque[Fact] = deque()
        self._has_room = threading.Event()

    def __call__(self, fact: Fact) -> None:
        self._pending.append(fact)

    def pour(self, facts: Iterable[Fact]) -> None:
        """Take many facts from a thread that can wait, no faster than they are taken in."""
        for fact in facts:
            self._wait_for_room()
            self._pending.append(fact)

    def _wait_for_room(self) -> None:
        while len(self._pending) >= MOST_WAITING:
            self._has_room.clear()
            if len(self._pending) >= MOST_WAITING:  # nobody made room just before it was cleared
                self._has_room.wait()

    def attach(self, node: MessagePump) -> None:
        node.set_interval(1 / FRAMES_PER_SECOND, lambda: self.drain(node))

    def drain(self, node: MessagePump) -> None:
        count = min(len(self._pending), MOST_AT_ONCE)
        if not count:
            return
        node.post_message(self.Drained(tuple(self._pending.popleft() for _ in range(count))))
        self._has_room.set()
        if self._pending:
            node.call_later(self.drain, node)
