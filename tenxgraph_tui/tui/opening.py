"""What takes long to read is read after the first frame, and told through the pump."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from textual.app import App

from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.tui.collecting import collect_again
from tenxgraph_tui.tui.pump import EventPump, Fact, RunTold


class PastRuns:
    """Tells one past run at a time, case by case; a newer request gives up the one before."""

    def __init__(self, store: RunStore, pump: EventPump) -> None:
        self._store, self._pump = store, pump
        self._wanted = ""

    def tell(self, run_id: str) -> None:
        """Read the run in a thread of its own."""
        self.want(run_id)
        threading.Thread(target=self.read, args=(run_id,), daemon=True, name="past run").start()

    def want(self, run_id: str) -> None:
        """From now on no other run is told."""
        self._wanted = run_id

    def read(self, run_id: str) -> None:
        """Tell all of a run, as long as it is wanted.

        At its end, or where it cannot be read, a `RunTold` says so.
        """
        problem = ""
        try:
            self._pump.pour(self._as_long_as_wanted(run_id))
        except TenxError as error:
            problem = str(error)
        except ValueError:
            problem = f"what {self._store.path} holds of it is damaged"
        if self._wanted == run_id:
            self._pump(RunTold(run_id, problem))

    def stop(self) -> None:
        """Nobody wants to hear of any of them."""
        self._wanted = ""

    def _as_long_as_wanted(self, run_id: str) -> Iterator[Fact]:
        for event in self._store.events(run_id):
            if self._wanted != run_id:
                return
            yield event


class Opening:
    """Accompanies the application (see `companions`): what is left to read begins with its frames.

    `steps` are carried out in a thread, one after the other.
    """

    def __init__(self, steps: Iterable[Callable[[], None]] = ()) -> None:
        self._steps = tuple(steps)

    def begin(self, app: App[Any]) -> None:
        app.call_after_refresh(self._go)

    def tick(self, app: App[Any]) -> None:
        """Nothing: it is over soon."""

    def end(self, app: App[Any]) -> None:
        """Nothing: nobody waits for the thread."""

    def _go(self) -> None:
        threading.Thread(target=self._read, daemon=True, name="opening").start()

    def _read(self) -> None:
        try:
            for step in self._steps:
                step()
        finally:
            collect_again()
