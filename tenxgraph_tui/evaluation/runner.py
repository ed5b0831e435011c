"""Running eval sets on the watched loop, and telling the sink and the stream what comes of it."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from tenxgraph_tui.errors import TenxError
from tenxgraph_tui.evaluation.again import with_retries
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.events import (
    CaseFinished,
    CaseRestarted,
    CaseStarted,
    CaseStatus,
    Log,
    RunFinished,
    RunStarted,
)
from tenxgraph_tui.evaluation.generation import Generation
from tenxgraph_tui.evaluation.heldtime import Hold
from tenxgraph_tui.evaluation.judging.asking import bench_of
from tenxgraph_tui.evaluation.loading import build, load
from tenxgraph_tui.evaluation.plan import RunOptions, SetPlan
from tenxgraph_tui.evaluation.prepared import CANCELLED, PreparedSet, to_run
from tenxgraph_tui.evaluation.preview import finished_fields, status_of
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult, ResultSink
from tenxgraph_tui.evaluation.stream import EventStream
from tenxgraph_tui.evaluation.tally import Tally
from tenxgraph_tui.evaluation.watchdog import WatchedLoop

AGENT_THREADS = "agent"
"""What the names of threads that run agent code begin with."""


class Run:
    """One run of one or more eval sets.

    `execute` is called once, on the thread that shall be the watchdog; `cancel` from anywhere.
    """

    def __init__(
        self, plans: Sequence[SetPlan], options: RunOptions, stream: EventStream, sink: ResultSink
    ) -> None:
        bench = bench_of(options.judge, options.answers) if options.judge is not None else None
        self._sets = [PreparedSet(plan, timeout=options.timeout, bench=bench) for plan in plans]
        self._options, self._stream, self._sink = options, stream, sink
        self._recorders: dict[CaseKey, Recorder] = {}
        self._tally = Tally()
        self._fatal: BaseException | None = None
        self._gone: str | None = None
        self._started: RunStarted | None = None
        self._was_cancelled = False
        self._loop = WatchedLoop(
            self._work,
            self,
            limit=options.max_concurrency if options.watchdog else 1,
            watched=options.watchdog,
        )

    @property
    def abandoned(self) -> bool:
        """Whether code of an agent still runs, so that only `os._exit` ends the process cleanly."""
        return bool(self._loop.left_behind) or any(
            thread.daemon and thread.name.startswith(AGENT_THREADS)
            for thread in threading.enumerate()
        )

    def execute(self) -> RunFinished:
        """Run everything and return the last event.

        Raises:
            TargetError: a target cannot be imported or built; no case was run.
            TenxError: the sink failed; the run was stopped.
        """
        load(self._sets, afresh=False)
        self._loop.run(to_run(self._sets, self._options))
        if self._fatal is not None and self._started is None:
            raise self._fatal
        self._announce()
        finished = self._stream.stamp(
            RunFinished,
            **self._tally.counts(),
            was_cancelled=self._was_cancelled,
            error=str(self._fatal) if self._fatal is not None else None,
        )
        if self._fatal is None:
            try:
                self._sink.finished(finished)
            except Exception as error:  # noqa: BLE001 - raised below, after viewers were told
                self._fatal = error
                finished = finished.model_copy(update={"error": str(error)})
        self._stream.publish(finished)
        if self._fatal is not None:
            raise self._fatal
        return finished

    def cancel(self, key: CaseKey | None = None) -> None:
        """Stop one attempt, or the run. Returns at once."""
        if key is None:
            self._was_cancelled = True
        self._loop.cancel(key)

    async def begin(self, generation: int) -> None:
        """See `LoopListener`. A target that cannot be built ends the run before its first case."""
        try:
            await build(self._sets, generation)
            if not generation:
                self._announce()
        except TenxError as error:
            if generation:
                self._gone = str(error)
            else:
                self._fatal = error
                self._loop.cancel()

    def _announce(self) -> None:
        """Say what will run, once: when all of it can, or when none of it will any more."""
        if self._started is not None:
            return
        started = self._stream.stamp(
            RunStarted,
            sets=tuple(prepared.info() for prepared in self._sets),
            attempts=self._options.attempts,
            number=self._options.number,
            judged_from=self._options.judged_from,
        )
        self._sink.started(started)
        self._started = started
        self._stream.publish(started)
        for key, reason in started.skipped():
            self._tally.count(CaseStatus.SKIPPED)
            self._stream.emit(CaseFinished, case=key, status=CaseStatus.SKIPPED, reason=reason)

    def _case(self, key: CaseKey) -> tuple[PreparedSet, EvalCase]:
        prepared = self._sets[key.set_index]
        return prepared, prepared.cases[key.eval_id]

    async def _work(self, key: CaseKey, generation: Generation) -> None:
        prepared, case = self._case(key)
        recorder = self._recorders[key] = Recorder(key, stream=self._stream)
        self._stream.emit(CaseStarted, case=key)
        if self._gone is not None:
            self._settle(key, generation, prepared.failure(case, recorder, self._gone))
            return
        target = await prepared.target(generation.number)

        async def once() -> EvalCaseResult:
            fresh = self._recorders[key] = Recorder(key, stream=self._stream)
            return await prepared.result(
                case, target, fresh, held=self._loop.held, stream=self._stream
            )

        def again(reason: str) -> None:
            self._stream.emit(CaseRestarted, case=key, reason=reason)

        result = await with_retries(once, self._options.retries, again)
        if result.error is not None and generation.number and not prepared.plan.target.reloads:
            result.error += (
                " (on a second event loop, because another case blocked the first; the target was "
                "given as an object and could not be loaded afresh)"
            )
        self._settle(key, generation, result)

    def _settle(self, key: CaseKey, generation: Generation, result: EvalCaseResult) -> None:
        if generation.claim(key):
            with generation:
                self._keep(key, result)

    def _keep(self, key: CaseKey, result: EvalCaseResult) -> None:
        """Store first, tell afterwards; a sink that fails ends the run."""
        self._recorders.pop(key, None)
        if self._fatal is not None:
            return
        try:
            self._sink.save(key, result)
        except Exception as error:  # noqa: BLE001 - whatever it is, the run must stop and say so
            self._fatal = error
            self._loop.cancel()
            return
        status = status_of(result)
        self._tally.count(status, result.token_usage)
        if self._stream.is_watched:
            self._stream.emit(CaseFinished, case=key, **finished_fields(result))
        if self._options.ends_after(status, self._tally.errors):
            self._loop.cancel()

    def patience(self, key: CaseKey) -> float:
        """See `LoopListener`."""
        return self._sets[key.set_index].timeout

    def slow(self, hold: Hold) -> None:
        """See `LoopListener`."""
        self._stream.emit(
            Log, case=hold.key, source="tenxgraph", level="warning", text=hold.sentence
        )

    def blocked(self, key: CaseKey, where: str) -> None:
        """See `LoopListener`."""
        error = f"timed out after {self.patience(key):g} s: it blocked the event loop at {where}"
        self._break_off(key, error, location=where)

    def restarted(self, key: CaseKey, culprit: CaseKey) -> None:
        """See `LoopListener`."""
        reason = f"{culprit.eval_id} blocked the event loop"
        prepared, case = self._case(key)
        prepared.left(case, self._recorders.get(key), reason, self._stream)
        self._stream.emit(CaseRestarted, case=key, reason=reason)

    def lost(self, key: CaseKey, reason: str) -> None:
        """See `LoopListener`."""
        self._break_off(key, reason)

    def cancelled(self, key: CaseKey) -> None:
        """See `LoopListener`."""
        if self._started is None:
            if self._fatal is not None:
                return
            self._announce()
        prepared, case = self._case(key)
        prepared.left(case, self._recorders.pop(key, None), CANCELLED, self._stream)
        self._tally.count(CaseStatus.CANCELLED)
        self._stream.emit(CaseFinished, case=key, status=CaseStatus.CANCELLED)

    def renew(self) -> None:
        """See `LoopListener`. A target that cannot be loaded again fails what is left."""
        try:
            load(self._sets, afresh=True)
        except TenxError as error:
            self._gone = str(error)

    def is_tidying(self) -> bool:
        """See `LoopListener`."""
        return any(prepared.tidying for prepared in self._sets)

    def _break_off(self, key: CaseKey, error: str, **metadata: str) -> None:
        prepared, case = self._case(key)
        recorder = self._recorders.get(key)
        self._keep(key, prepared.broken_off(case, recorder, error, self._stream, **metadata))
