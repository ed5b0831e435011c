"""A loop in a daemon thread, watched from the main one: a case that blocks it is left behind."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

from tenxgraph_tui.evaluation.generation import GRACE, Generation, new_loop, shut_down
from tenxgraph_tui.evaluation.heldtime import HeldTime, Hold, LoopProbe
from tenxgraph_tui.evaluation.listening import LoopListener
from tenxgraph_tui.evaluation.results import CaseKey

log = logging.getLogger(__name__)

LEFT_BEHIND: list[Generation] = []
"""Abandoned loops, kept until the process ends: collecting one complains about its tasks."""

BEAT = 0.02
SLOW = 0.5


Work = Callable[[CaseKey, Generation], Awaitable[None]]


class WatchedLoop:
    """Runs `work(key, generation)` for every key, at most `limit` at once.

    `work` claims its key at the generation before it settles anything. `run` blocks the calling
    thread, which is the watchdog; `cancel` may be called from any thread or signal handler.
    """

    def __init__(
        self, work: Work, listener: LoopListener, *, limit: int, watched: bool = True
    ) -> None:
        self._work, self._listener, self._limit = work, listener, limit
        self._watched = watched
        self.held = HeldTime()
        self.left_behind: list[Generation] = []
        self._waiting: deque[CaseKey] = deque()
        self._restarts: set[CaseKey] = set()
        self._lock = threading.RLock()
        self._changed = threading.Event()
        self._cancelling = False
        self._context = contextvars.copy_context()
        self._generation: Generation | None = None

    def run(self, keys: Sequence[CaseKey]) -> None:
        """Return when every key was settled, blocked, lost or cancelled."""
        self._waiting.extend(keys)
        while self._waiting and not self._cancelling:
            if not self._watched:
                self._run_here()
                break
            generation, thread = self._start()
            probe = LoopProbe(generation.loop, thread, self.held, every=BEAT)
            if self._watch(generation, probe):
                self._close(generation, thread)
            else:
                self._listener.renew()
        self._drop_waiting()

    def cancel(self, key: CaseKey | None = None) -> None:
        """Stop one key, or everything. Never blocks."""
        with self._lock:
            if key is None:
                self._cancelling = True
            elif key in self._waiting:
                self._waiting.remove(key)
                self._listener.cancelled(key)
                return
            generation = self._generation
            if generation is None:
                return
            tasks = [task for k, task in generation.running.items() if key in {None, k}]
            generation.told_to_stop.update([key] if key is not None else generation.running)
        for task in tasks:
            generation.loop.call_soon_threadsafe(task.cancel)
        self._changed.set()

    def _run_here(self) -> None:
        """Everything on one plain loop in this thread, which a debugger may stop."""
        loop = new_loop()
        generation = self._generation = Generation(0, loop, self._lock)
        beginning = loop.create_task(self._begin(generation))
        while self._is_busy(generation) or not beginning.done():
            loop.run_until_complete(asyncio.sleep(BEAT))
        loop.run_until_complete(shut_down())
        loop.close()

    def _watch(self, generation: Generation, probe: LoopProbe) -> bool:
        """Whether the generation came to its end; False when it had to be left."""
        told: Hold | None = None
        deadline = -1
        while self._is_busy(generation):
            self._changed.wait(BEAT)
            self._changed.clear()
            hold = probe.beat()
            if self._cancelling:
                deadline = round(GRACE / BEAT) if deadline < 0 else max(0, deadline - 1)
                if deadline == 0 and not self._listener.is_tidying():
                    self._give_up(generation)
                    return True
            if hold is None:
                told = None
                continue
            if hold.seconds >= SLOW and (told is None or told.key != hold.key):
                told = hold
                self._listener.slow(hold)
            if not generation.busy and hold.seconds > self._patience(hold, generation):
                self._leave(generation, hold)
                return False
        return True

    def _is_busy(self, generation: Generation) -> bool:
        with self._lock:
            return bool(generation.running or (self._waiting and not self._cancelling))

    def _patience(self, hold: Hold, generation: Generation) -> float:
        with self._lock:
            keys = [hold.key] if hold.key is not None else list(generation.running)
        return min((self._listener.patience(key) for key in keys), default=GRACE)

    def _start(self) -> tuple[Generation, threading.Thread]:
        loop = new_loop()
        generation = Generation(len(self.left_behind), loop, self._lock)
        thread = threading.Thread(
            target=self._context.copy().run,
            args=(generation.serve,),
            daemon=True,
            name=f"agents-{generation.number}",
        )
        self._generation = generation
        loop.call_soon(self._spawn, generation)
        thread.start()
        return generation, thread

    def _spawn(self, generation: Generation) -> None:
        generation.beginning = generation.loop.create_task(self._begin(generation))

    async def _begin(self, generation: Generation) -> None:
        """What must be there before the first case is ours to do, and to wait for."""
        with generation:
            await self._listener.begin(generation.number)
        self._fill(generation)

    def _fill(self, generation: Generation) -> None:
        with self._lock:
            while (
                self._waiting
                and not generation.abandoned
                and not self._cancelling
                and len(generation.running) < self._limit
            ):
                key = self._waiting.popleft()
                generation.running[key] = generation.loop.create_task(
                    self._one(key, generation), context=self._context.copy()
                )

    async def _one(self, key: CaseKey, generation: Generation) -> None:
        try:
            await self._work(key, generation)
        except asyncio.CancelledError:
            if generation.claim(key):
                self._ended(key, generation)
        except Exception as error:
            log.exception("running %s", key.eval_id)
            if generation.claim(key):
                self._listener.lost(key, f"internal error: {error!r}")
        finally:
            with self._lock:
                generation.running.pop(key, None)
            self._fill(generation)
            if not generation.running:
                self._changed.set()

    def _ended(self, key: CaseKey, generation: Generation) -> None:
        if key in generation.told_to_stop:
            self._listener.cancelled(key)
        else:
            self._listener.lost(key, "it was cancelled by code of an agent, its own or another's")

    def _leave(self, generation: Generation, hold: Hold) -> None:
        """Abandon the loop; its neighbours go to the front of the queue, once."""
        with self._lock:
            generation.abandoned = True
            running = generation.open_keys()
            generation.running.clear()
            self._keep(generation)
        generation.stop()
        again: list[CaseKey] = []
        for key in running:
            if key == hold.key:
                self._listener.blocked(key, hold.where)
            elif hold.key is None:
                self._listener.lost(key, f"the event loop was blocked at {hold.where}")
            elif key in self._restarts:
                self._listener.lost(key, "the event loop it ran on was blocked twice by others")
            else:
                self._restarts.add(key)
                self._listener.restarted(key, hold.key)
                again.append(key)
        with self._lock:
            self._waiting.extendleft(reversed(again))

    def _give_up(self, generation: Generation) -> None:
        """What does not obey a cancellation is left behind."""
        with self._lock:
            generation.abandoned = True
            running = generation.open_keys()
            generation.running.clear()
            self._keep(generation)
        generation.stop()
        for key in running:
            self._listener.cancelled(key)

    def _keep(self, generation: Generation) -> None:
        self.left_behind.append(generation)
        LEFT_BEHIND.append(generation)

    def _drop_waiting(self) -> None:
        with self._lock:
            dropped, self._waiting = list(self._waiting), deque()
        for key in dropped:
            self._listener.cancelled(key)

    def _close(self, generation: Generation, thread: threading.Thread) -> None:
        """Let the loop finish what is left of its clean-up, then stop it."""
        if generation.abandoned:
            return
        closing = asyncio.run_coroutine_threadsafe(shut_down(), generation.loop)
        try:
            closing.result(GRACE)
        except (TimeoutError, asyncio.CancelledError):
            self._keep(generation)
        generation.stop()
        thread.join(GRACE)
        if not thread.is_alive() and generation not in self.left_behind:
            generation.loop.close()
        self._generation = None
