"""Who holds the caller's own loop while an evaluation runs on it.

There nothing can end a case that blocks; but it is named, and its neighbours do not pay for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Iterator

from tenxgraph_tui.evaluation.heldtime import HeldTime, Hold, LoopProbe
from tenxgraph_tui.evaluation.watchdog import BEAT, SLOW

log = logging.getLogger("tenxgraph.evaluation")


@contextlib.contextmanager
def accounted() -> Iterator[HeldTime]:
    """Within it, a thread watches the running loop and keeps account of who holds it."""
    held, over = HeldTime(), threading.Event()
    probe = LoopProbe(asyncio.get_running_loop(), threading.current_thread(), held, every=BEAT)
    watch = threading.Thread(target=_watch, args=(probe, over), daemon=True, name="loop account")
    watch.start()
    try:
        yield held
    finally:
        over.set()
        probe.stop()
        watch.join()


def _watch(probe: LoopProbe, over: threading.Event) -> None:
    told: Hold | None = None
    while not over.wait(BEAT):
        hold = probe.beat()
        if hold is None:
            told = None
        elif hold.seconds >= SLOW and (told is None or told.key != hold.key):
            told = hold
            log.warning(hold.sentence)
