"""Between the thread that reads a worker and the interface: neither ever waits for the other."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from textual.message import Message
from textual.message_pump import MessagePump

from tenxgraph_tui.evaluation.events import RunEvent

FRAMES_PER_SECOND = 15
MOST_AT_ONCE = 5000


@dataclass(frozen=True, slots=True)
class WorkerEnded:
    """The worker of that run is gone; `stderr` holds the last lines it wrote there."""

    run_id: str
    exit_code: int
    stderr: tuple[str, ...] = ()


Fact = RunEvent | WorkerEnded


class EventPump:
    """Takes facts from any thread; gives them to a node in order, one message a frame.

    No message holds more than `MOST_AT_ONCE` of them, so that keys are heard in between.
    """

    @dataclass
    class Drained(Message):
        """What happened since the last frame."""

        events: tuple[Fact, ...]

    def __init__(self) -> None:
        self._pending: deque[Fact] = deque()

    def __call__(self, fact: Fact) -> None:
        self._pending.append(fact)

    def attach(self, node: MessagePump) -> None:
        node.set_interval(1 / FRAMES_PER_SECOND, lambda: self.drain(node))

    def drain(self, node: MessagePump) -> None:
        count = min(len(self._pending), MOST_AT_ONCE)
        if count:
            node.post_message(self.Drained(tuple(self._pending.popleft() for _ in range(count))))
