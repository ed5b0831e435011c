"""The drill-down of one case, kept up to date: its result is read when somebody looks at it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.getters import query_one

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.results import CaseKey
from tenxgraph_tui.tui import copying, toasts
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.dossier import Dossier, Reading, Work
from tenxgraph_tui.tui.intents import Copy, ShowValue
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.picked import Picked
from tenxgraph_tui.tui.panes.sight import Sight, sight_of
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.widgets.detail import CaseDetail
from tenxgraph_tui.tui.widgets.view_pane import ViewPane

if TYPE_CHECKING:  # a view is loaded when it is looked at
    from tenxgraph_tui.tui.widgets.log_pane import LogPane

SOON = 0.1
"""Seconds for which what stands there stays, so that a case is drawn once, with its result."""


class CaseView(Container):
    """Shows the case it was told to look at; reading a result never holds up a key."""

    DEFAULT_CSS = """
    CaseView { height: 1fr; width: 1fr; }
    """
    detail = query_one(CaseDetail)

    def __init__(
        self,
        desk: Desk,
        reader: ResultReader,
        clock: Callable[[], float],
        *,
        full_screen: bool = False,
    ) -> None:
        super().__init__()
        self._full_screen = full_screen
        self._desk = desk
        self._dossier = Dossier(desk, reader, clock)
        self._key: CaseKey | None = None
        self._seen: Sight | None = None

    def compose(self) -> ComposeResult:
        yield CaseDetail(full_screen=self._full_screen)

    @property
    def key(self) -> CaseKey | None:
        """The case that is shown."""
        return self._key

    def look_at(self, key: CaseKey | None) -> None:
        self._key = key
        self.redraw()

    def redraw(self) -> None:
        """Show what is known now, and have what is missing read."""
        model = self._model()
        if model is None:
            self._seen = None
            self.detail.show(None)
        elif (seen := sight_of(model, self._desk.state.run_id)) != self._seen:
            if self._seen is not None and self._dossier.is_coming:
                return
            self._seen = seen
            self.detail.show(model)

    def _model(self) -> DetailModel | None:
        model = self._dossier.model(self._key, shows_run=self.detail.shows_run)
        for work in self._dossier.take_work():
            is_reading = work.reading is not None
            self.run_worker(
                self._do(work), group=work.use, exclusive=is_reading, exit_on_error=False
            )
            if work.reading is not None:
                self.set_timer(SOON, partial(self._wait_no_longer, work.reading))
        return model

    async def _do(self, work: Work) -> None:
        try:
            await work.do()
        except (StoreError, ValueError) as error:
            self._warn(str(error))
        self.redraw()

    def _warn(self, told: str) -> None:
        toasts.warn(self.app, "Not read", told)

    def _wait_no_longer(self, reading: Reading) -> None:
        if reading.is_coming:
            reading.is_late = True
            self.redraw()

    def on_log_pane_turned(self, message: LogPane.Turned) -> None:
        message.stop()
        self.redraw()

    @on(ViewPane.CopyAsked)
    def _copy(self, message: ViewPane.CopyAsked) -> None:
        message.stop()
        self._with_whole(self._copy_whole(message.picked))

    async def _copy_whole(self, picked: Picked) -> None:
        value = await self._whole(picked)
        self.post_message(Copy(picked.name, await asyncio.to_thread(copying.text_of, value)))

    @on(ViewPane.Opened)
    def _open(self, message: ViewPane.Opened) -> None:
        message.stop()
        self._with_whole(self._open_whole(message.picked))

    async def _open_whole(self, picked: Picked) -> None:
        self.post_message(ShowValue(picked.name, await self._whole(picked)))

    def _with_whole(self, work: Coroutine[Any, Any, None]) -> None:
        self.run_worker(work, group="whole", exclusive=True)

    async def _whole(self, picked: Picked) -> Any:
        """What was picked, as it is in the store: views hold the beginnings of long texts."""
        model = self._model()
        if model is None:
            return None
        of_before = picked.of_before
        model = await self._dossier.with_whole(model, self._warn, of_before=of_before)
        return await asyncio.to_thread(picked.find, model)
