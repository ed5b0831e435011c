"""Runs that are kept, told once more: case by case, through the pump, while keys are heard."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.session.store import RunStore
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
