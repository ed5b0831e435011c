"""The drill-down of one case, kept up to date: its result is read when somebody looks at it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.getters import query_one
from textual.worker import Worker, WorkerState

from tenxgraph_tui.evaluation.progress import DONE
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.widgets.detail import CaseDetail


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
        self._asked: tuple[str, CaseKey] | None = None

    def compose(self) -> ComposeResult:
        yield CaseDetail(full_screen=self._full_screen)

    def look_at(self, key: CaseKey | None) -> None:
        self._key = key
        self.redraw()

    def redraw(self) -> None:
        """Show what is known now, and have what is missing read."""
        desk, key = self._desk, self._key
        progress = desk.state.cases.get(key) if key is not None else None
        if key is None or progress is None:
            self.detail.show(None)
            return
        run_id, has_run = desk.state.run_id, desk.state.started_at is not None
        is_done = progress.status in DONE
        result = self._reader.cached(run_id, key) if is_done else None
        if is_done and result is None and self._asked != (run_id, key):
            self._asked = (run_id, key)
            self.run_worker(
                partial(self._reader.read, run_id, key),
                thread=True,
                group="result",
                exclusive=True,
                exit_on_error=False,
            )
        self.detail.show(
            DetailModel(
                key=key,
                case=desk.case_of(key),
                result=result,
                progress=progress if has_run or desk.is_busy else None,
                set_info=desk.state.sets[key.set_index],
                now=self._clock(),
            )
        )

    @on(Worker.StateChanged)
    def _was_read(self, message: Worker.StateChanged) -> None:
        message.stop()
        worker: Worker[EvalCaseResult | None] = message.worker
        if message.state is WorkerState.SUCCESS:
            self.redraw()
        elif message.state is WorkerState.ERROR:
            self.notify(str(worker.error), title="! Not read", severity="warning", markup=False)
