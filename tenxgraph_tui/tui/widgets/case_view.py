"""The drill-down of one case, kept up to date: its result is read when somebody looks at it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.getters import query_one

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.events import Log
from tenxgraph_tui.evaluation.progress import DONE
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.models import Price
from tenxgraph_tui.tui import copying, toasts
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.intents import Copy, ShowValue
from tenxgraph_tui.tui.logs import Logs
from tenxgraph_tui.tui.neighbours import Neighbours
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.picked import Picked
from tenxgraph_tui.tui.panes.sight import Sight, sight_of
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.widgets.detail import CaseDetail
from tenxgraph_tui.tui.widgets.view_pane import ViewPane

if TYPE_CHECKING:  # a view is loaded when it is looked at
    from tenxgraph_tui.tui.widgets.log_pane import LogPane

COMMITTED_AFTER = 0.15
"""Seconds after which the store shows to others what was saved before a case was told of."""
PATIENCE = 10
SOON = 0.1
"""Seconds for which what stands there stays, so that a case is drawn once, with its result."""


@dataclass(slots=True, eq=False)
class Reading:
    """A result that is wanted. `is_late` when it is not waited for any longer.

    `is_over` once the store was asked often enough.
    """

    run_id: str
    key: CaseKey
    result: EvalCaseResult | None = None
    is_late: bool = False
    is_over: bool = False

    @property
    def is_coming(self) -> bool:
        """Whether it may be there in a moment."""
        return self.result is None and not self.is_late


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
        self._desk, self._reader, self._clock = desk, reader, clock
        self._key: CaseKey | None = None
        self._readings: dict[str, Reading] = {}
        self._looked_up: list[Reading] = []
        self._seen: Sight | None = None
        self._logs = Logs(desk, reader)
        self._neighbours = Neighbours(desk)

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
            self.detail.show(None)
        elif (seen := sight_of(model, self._desk.state.run_id)) != self._seen:
            if self._seen is not None and any(one.is_coming for one in self._looked_up):
                return
            self._seen = seen
            self.detail.show(model)

    def _model(self) -> DetailModel | None:
        desk, key = self._desk, self._key
        self._looked_up.clear()
        progress = desk.board.cases.get(key) if key is not None else None
        if key is None or progress is None:
            self._seen = None
            return None
        is_earlier = key in desk.board.earlier
        has_run = desk.state.started_at is not None or desk.is_busy or is_earlier
        source = desk.board.source(key)
        is_done = progress.status in DONE
        reading = self._reading("result", source.run_id, source.key, PATIENCE) if is_done else None
        result = reading.result if reading is not None else None
        return DetailModel(
            key=key,
            case=desk.case_of(key),
            result=result,
            progress=progress if has_run else None,
            set_info=source.info,
            now=self._clock(),
            is_read=reading is not None and (result is not None or reading.is_over),
            log=self._logs.of_case(source),
            against=desk.against(key),
            run=source.number if is_earlier else None,
            before=self._before(key) if is_done and not is_earlier else None,
            run_log=self._log_of_run(source.run_id) if self.detail.shows_run else None,
            prices=self._prices(result) if result is not None else {},
            peers=self._neighbours.peers(key),
        )

    def _prices(self, result: EvalCaseResult) -> Mapping[str, Price | None]:
        """What is known of the models that were asked; the rest is looked up."""
        if models := self._neighbours.to_look_up(result):
            self.run_worker(self._look_up(models), group="prices", exit_on_error=False)
        return self._neighbours.prices(result)

    async def _look_up(self, models: list[str]) -> None:
        await asyncio.to_thread(self._neighbours.look_up, models)
        self.redraw()

    def _log_of_run(self, run_id: str) -> tuple[Log, ...] | None:
        """What was said in a whole run; None while the store is asked."""
        if self._logs.is_to_be_read(run_id):
            self.run_worker(self._read_log(run_id), group="log", exit_on_error=False)
        return self._logs.of_run(run_id)

    async def _read_log(self, run_id: str) -> None:
        try:
            await asyncio.to_thread(self._logs.read, run_id)
        except StoreError as error:
            toasts.warn(self.app, "Not read", str(error))
        self.redraw()

    def on_log_pane_turned(self, message: LogPane.Turned) -> None:
        message.stop()
        self.redraw()

    def _before(self, key: CaseKey) -> EvalCaseResult | None:
        """The result of the case in the run that this one is compared with."""
        baseline = self._desk.comparison.baseline
        there = baseline.key(self._desk.id_of(key)) if baseline is not None else None
        if baseline is None or there is None:
            return None
        return self._reading("before", baseline.run_id, there).result

    def _reading(self, use: str, run_id: str, key: CaseKey, patience: int = 1) -> Reading:
        """What is read for a use; begun when it is wanted for the first time."""
        reading = self._readings.get(use)
        if reading is None or (reading.run_id, reading.key) != (run_id, key):
            reading = Reading(run_id, key, self._reader.cached(run_id, key))
            self._readings[use] = reading
            if reading.result is None:
                read = self._read(reading, patience)
                self.run_worker(read, group=use, exclusive=True, exit_on_error=False)
                self.set_timer(SOON, partial(self._wait_no_longer, reading))
        self._looked_up.append(reading)
        return reading

    def _wait_no_longer(self, reading: Reading) -> None:
        if reading.is_coming:
            reading.is_late = True
            self.redraw()

    async def _read(self, reading: Reading, patience: int) -> None:
        try:
            for left in reversed(range(patience)):
                read = partial(self._reader.read, reading.run_id, reading.key)
                reading.result = await asyncio.to_thread(read)
                if reading.result is not None:
                    break
                await asyncio.sleep(COMMITTED_AFTER if left else 0)
        except (StoreError, ValueError) as error:
            toasts.warn(self.app, "Not read", str(error))
        reading.is_late = reading.is_over = True
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
        use = "before" if picked.of_before else "result"
        reading = self._readings.get(use)
        if reading is not None and reading.result is not None:
            try:
                read = partial(self._reader.whole, reading.run_id, reading.key)
                whole = await asyncio.to_thread(read) or reading.result
            except (StoreError, ValueError) as error:
                toasts.warn(self.app, "Not read", str(error))
                whole = reading.result
            model = (
                replace(model, before=whole) if picked.of_before else replace(model, result=whole)
            )
        return await asyncio.to_thread(picked.find, model)
