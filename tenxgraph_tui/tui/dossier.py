"""What there is to know of the case that is looked at, gathered as far as it was read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from tenxgraph_tui.errors import StoreError
from tenxgraph_tui.evaluation.events import Log
from tenxgraph_tui.evaluation.progress import DONE
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.session.models import Price
from tenxgraph_tui.tui.desk import Desk
from tenxgraph_tui.tui.logs import Logs
from tenxgraph_tui.tui.neighbours import Neighbours
from tenxgraph_tui.tui.panes.model import DetailModel
from tenxgraph_tui.tui.results import ResultReader

COMMITTED_AFTER = 0.15
"""Seconds after which the store shows to others what was saved before a case was told of."""
PATIENCE = 10


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

    async def read(self, reader: ResultReader, patience: int) -> None:
        """Ask the store up to `patience` times: it may not show yet what was just saved.

        Raises:
            StoreError: it cannot be read.
            ValueError: what it holds makes no sense.
        """
        try:
            for left in reversed(range(patience)):
                self.result = await asyncio.to_thread(reader.read, self.run_id, self.key)
                if self.result is not None:
                    break
                await asyncio.sleep(COMMITTED_AFTER if left else 0)
        finally:
            self.is_late = self.is_over = True


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be done so that more is known; of a `use` that is a reading only the last one."""

    use: str
    do: Callable[[], Awaitable[object]]
    reading: Reading | None = None


class Dossier:
    """Never reads by itself: `take_work` gives what is to be done, once, after every `model`.

    What is awaited raises StoreError and ValueError.
    """

    def __init__(self, desk: Desk, reader: ResultReader, clock: Callable[[], float]) -> None:
        self._desk, self._reader, self._clock = desk, reader, clock
        self._readings: dict[str, Reading] = {}
        self._looked_up: list[Reading] = []
        self._work: list[Work] = []
        self._logs = Logs(desk, reader)
        self._neighbours = Neighbours(desk)

    @property
    def is_coming(self) -> bool:
        """Whether something that the last model lacks may be there in a moment."""
        return any(one.is_coming for one in self._looked_up)

    def take_work(self) -> list[Work]:
        """What nobody has begun to read."""
        work, self._work = self._work, []
        return work

    def model(self, key: CaseKey | None, *, shows_run: bool = False) -> DetailModel | None:
        """What is known of a case; with all that its run said if that is shown."""
        desk = self._desk
        self._looked_up.clear()
        progress = desk.board.cases.get(key) if key is not None else None
        if key is None or progress is None:
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
            run_log=self._log_of_run(source.run_id) if shows_run else None,
            prices=self._prices(result) if result is not None else {},
            peers=self._neighbours.peers(key),
        )

    def _prices(self, result: EvalCaseResult) -> Mapping[str, Price | None]:
        """What is known of the models that were asked; the rest is looked up."""
        if models := self._neighbours.to_look_up(result):
            look_up = partial(asyncio.to_thread, self._neighbours.look_up, models)
            self._work.append(Work("prices", look_up))
        return self._neighbours.prices(result)

    def _log_of_run(self, run_id: str) -> tuple[Log, ...] | None:
        """What was said in a whole run; None while the store is asked."""
        if self._logs.is_to_be_read(run_id):
            self._work.append(Work("log", partial(asyncio.to_thread, self._logs.read, run_id)))
        return self._logs.of_run(run_id)

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
                read = partial(reading.read, self._reader, patience)
                self._work.append(Work(use, read, reading))
        self._looked_up.append(reading)
        return reading

    async def with_whole(
        self, model: DetailModel, warn: Callable[[str], object], *, of_before: bool
    ) -> DetailModel:
        """The model with one result as the store has it: else it has the beginnings of texts.

        What cannot be read again is warned of, and stays as it is.
        """
        reading = self._readings.get("before" if of_before else "result")
        if reading is None or reading.result is None:
            return model
        try:
            read = partial(self._reader.whole, reading.run_id, reading.key)
            whole = await asyncio.to_thread(read) or reading.result
        except (StoreError, ValueError) as error:
            warn(str(error))
            whole = reading.result
        return replace(model, before=whole) if of_before else replace(model, result=whole)
