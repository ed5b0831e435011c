"""One event loop of a run, and what runs on it."""

from __future__ import annotations

import asyncio
import logging
import threading
from dataclasses import dataclass, field

from tenxgraph_tui.adapters.threads import AgentThreads
from tenxgraph_tui.evaluation.results import CaseKey

log = logging.getLogger(__name__)

GRACE = 0.5
"""Seconds that what was cancelled gets to obey."""


@dataclass(slots=True, eq=False)
class Generation:
    """One loop, its thread and what runs on it; `number` counts from 0.

    While `busy` is not 0, what holds the loop is ours (a target being built, a result being
    stored), and nobody is blamed for it.
    """

    number: int
    loop: asyncio.AbstractEventLoop
    lock: threading.RLock
    running: dict[CaseKey, asyncio.Task[None]] = field(default_factory=dict)
    beginning: asyncio.Task[None] | None = None
    claimed: set[CaseKey] = field(default_factory=set)
    told_to_stop: set[CaseKey] = field(default_factory=set)
    abandoned: bool = False
    is_over: bool = False
    busy: int = 0

    def claim(self, key: CaseKey) -> bool:
        """Whether `key` may be settled by who asks: once, and only while the loop is not left."""
        with self.lock:
            if self.abandoned or key in self.claimed:
                return False
            self.claimed.add(key)
            return True

    def __enter__(self) -> None:
        """What holds the loop within is ours."""
        self.busy += 1

    def __exit__(self, *error: object) -> None:
        self.busy -= 1

    def stop(self) -> None:
        """End the loop, which ends for nobody else: an agent may stop a loop that it takes for its.

        From any thread.
        """
        self.is_over = True
        self.loop.call_soon_threadsafe(self.loop.stop)

    def serve(self) -> None:
        """Run the loop until `stop`. A `SystemExit` in a task of an agent stops it: it goes on."""
        asyncio.set_event_loop(self.loop)
        while True:
            try:
                self.loop.run_forever()
            except (SystemExit, KeyboardInterrupt) as error:
                log.warning("a task of an agent raised %r", error)
            else:
                if self.is_over:
                    return
                log.warning("an agent stopped the event loop that all cases run on; it goes on")

    def open_keys(self) -> list[CaseKey]:
        """What runs and has not been settled."""
        return [key for key in self.running if key not in self.claimed]


def new_loop() -> asyncio.AbstractEventLoop:
    """A loop to run cases on, where code that blocks never waits for other code that does."""
    loop = asyncio.SelectorEventLoop()
    loop.set_default_executor(AgentThreads())
    return loop


async def shut_down() -> None:
    """End what the agents left running on the loop: tasks first, then async generators."""
    loop = asyncio.get_running_loop()
    mine = asyncio.current_task()
    tasks = [task for task in asyncio.all_tasks() if task is not mine]
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=GRACE / 2)
    await loop.shutdown_asyncgens()
