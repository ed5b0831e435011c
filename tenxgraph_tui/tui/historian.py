"""Looks up earlier runs in threads of its own: no frame waits for a large store."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from textual.app import App

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.progress import RunState
from tenxgraph_tui.session.history import Known, baseline, latest
from tenxgraph_tui.session.store import RunStore
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.board import Earlier, Source
from tenxgraph_tui.tui.catalog import CaseId, Catalog
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.past import Compared, PastRun, Recalled
from tenxgraph_tui.tui.running import RunApp


class Historian:
    """Accompanies the application (see `companions`) and tells the desk what the store knows.

    How the cases did last is looked up once the first frame is painted, and again for a catalog
    that was read anew; the baseline when a run begins or a past one is opened.
    """

    def __init__(
        self, store: RunStore, desk: Desk, tell: Callable[[Recalled | Compared], None]
    ) -> None:
        self._store, self._desk, self._tell = store, desk, tell
        self._catalog: Catalog | None = None
        self._run_id = ""
        self._problem = ""

    def begin(self, app: App[Any]) -> None:
        assert isinstance(app, RunApp)
        app.changed.subscribe(app, lambda _: self._look_around(), immediate=True)
        app.call_after_refresh(self._look_around)

    def tick(self, app: App[Any]) -> None:
        """Say once that earlier runs could not be read."""
        problem, self._problem = self._problem, ""
        if problem:
            toasts.warn(app, "Earlier runs are not shown", problem)

    def end(self, app: App[Any]) -> None:
        """Its threads are daemons: nobody waits for them."""

    def _look_around(self) -> None:
        """See whether there is anything new to look up."""
        desk = self._desk
        if self._catalog is not desk.catalog:
            self._catalog = desk.catalog
            self._recall(desk.catalog)
        state = desk.state
        if state.started_at is not None and state.run_id != self._run_id:
            self._run_id = state.run_id
            self._compare(state, desk.catalog)

    def _recall(self, catalog: Catalog) -> None:
        wanted = set(catalog)

        def look() -> None:
            found = latest(self._store, wanted, catalog.path_of)
            cases = {CaseId(*name): earlier(known) for name, known in found.cases.items()}
            last, good = PastRun.stored(found.last), PastRun.stored(found.good)
            self._tell(Recalled(last, good, cases))

        self._in_background(look)

    def _compare(self, state: RunState, catalog: Catalog) -> None:
        if state.number is None:
            return
        run_id, number = state.run_id, state.number
        judged_from = state.judged_from.run_id if state.judged_from else None
        paths = [catalog.path_of(info.file) for info in state.sets]
        wanted = {(paths[key.set_index], key.eval_id) for key in state.cases}
        configs = {info.config for info in state.sets}

        def look() -> None:
            found = baseline(
                self._store,
                wanted,
                before=number,
                configs=configs,
                path_of=catalog.path_of,
                chosen=judged_from,
            )
            self._tell(Compared(run_id, found))

        self._in_background(look)

    def _in_background(self, look: Callable[[], None]) -> None:
        def safely() -> None:
            try:
                look()
            except StoreError as error:
                # a toast is short, and what to do stands at the end
                self._problem = str(error).replace(str(self._store.path), self._store.path.name)

        threading.Thread(target=safely, name="history", daemon=True).start()


def earlier(known: Known) -> Earlier:
    """What the store knows of a case, as the table shows it."""
    return Earlier(known.case, Source(known.run_id, known.number, known.case.key, known.info))
