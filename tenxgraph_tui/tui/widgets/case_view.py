"""The drill-down of one case, kept up to date: its result is read when somebody looks at it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.getters import query_one
from textual.worker import Worker, WorkerState

from tenxgraph_tui.evaluation.events import CaseStatus, Log
from tenxgraph_tui.evaluation.progress import DONE
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.tui import toasts
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.panes.printed import lines_of
from tenxgraph_tui.tui.results import ResultReader
from tenxgraph_tui.tui.widgets.detail import CaseDetail

Sight = tuple[object, ...]

COMMITTED_AFTER = 0.15
"""Seconds after which the store shows to others what was saved before a case was told of."""
PATIENCE = 10


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
        self._seen: Sight | None = None
        self._patience = PATIENCE
        self._logged_at: tuple[CaseKey, Log | None] | None = None
        self._logged: tuple[Log, ...] = ()

    def compose(self) -> ComposeResult:
        yield CaseDetail(full_screen=self._full_screen)

    @property
    def key(self) -> CaseKey | None:
        """The case that is shown."""
        return self._key

    def look_at(self, key: CaseKey | None) -> None:
        if key != self._key:
            self._key, self._patience, self._asked = key, PATIENCE, None
        self.redraw()

    def redraw(self) -> None:
        """Show what is known now, and have what is missing read."""
        model = self._model()
        if model is None:
            self.detail.show(None)
        elif (seen := _sight(model, self._desk.state.run_id)) != self._seen:
            self._seen = seen
            self.detail.show(model)

    def _model(self) -> DetailModel | None:
        desk, key = self._desk, self._key
        progress = desk.board.cases.get(key) if key is not None else None
        if key is None or progress is None:
            self._seen = None
            return None
        is_earlier = key in desk.board.earlier
        has_run = desk.state.started_at is not None or desk.is_busy or is_earlier
        source = desk.board.source(key)
        result = self._result(key) if progress.status in DONE else None
        return DetailModel(
            key=key,
            case=desk.case_of(key),
            result=result,
            progress=progress if has_run else None,
            set_info=source.info,
            now=self._clock(),
            is_read=result is not None or not self._patience,
            log=() if is_earlier else self._log(key),
            against=desk.against(key),
            run=source.number if is_earlier else None,
        )

    def _log(self, key: CaseKey) -> tuple[Log, ...]:
        """What was said of a case; looked up again only when anything was said."""
        log = self._desk.state.log
        last = (key, log[-1] if log else None)
        if last != self._logged_at:
            self._logged_at, self._logged = last, lines_of(key, log)
        return self._logged

    def _result(self, key: CaseKey) -> EvalCaseResult | None:
        source = self._desk.board.source(key)
        run_id, key = source.run_id, source.key
        result = self._reader.cached(run_id, key)
        if result is None and self._asked != (run_id, key):
            self._asked = (run_id, key)
            self.run_worker(
                partial(self._reader.read, run_id, key),
                thread=True,
                group="result",
                exclusive=True,
                exit_on_error=False,
            )
        return result

    def _ask_again(self) -> None:
        self._asked = None
        self.redraw()

    @on(Worker.StateChanged)
    def _was_read(self, message: Worker.StateChanged) -> None:
        message.stop()
        worker: Worker[EvalCaseResult | None] = message.worker
        if message.state is WorkerState.SUCCESS:
            if worker.result is None and self._patience > 0:
                self._patience -= 1
                self.set_timer(COMMITTED_AFTER, self._ask_again)
            self.redraw()
        elif message.state is WorkerState.ERROR:
            self._patience = 0
            self.redraw()
            toasts.warn(self.app, "Not read", str(worker.error))


def _sight(model: DetailModel, run_id: str) -> Sight:
    """What can be seen of a case: as long as it is the same, nothing is drawn again."""
    progress = model.progress
    said = model.log[-1].seq if model.log else None
    shown = (model.status, model.against, model.run, model.is_read, said)
    seen = (run_id, model.key, id(model.case), id(model.result), *shown)
    if progress is None or progress.status is not CaseStatus.RUNNING:
        return (*seen, progress is None)
    doing = (progress.turn, progress.node, progress.step, progress.steps, len(progress.verdicts))
    return (*seen, *doing, int(model.now))
