"""An eval set made ready to run: its criteria, its target on each loop, one attempt of a case."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from tenxgraph_tui.errors import ConfigError
from tenxgraph_tui.evaluation import criteria
from tenxgraph_tui.evaluation.around import LAST, Around
from tenxgraph_tui.evaluation.attempt import Performance, perform, to_result, verdicts
from tenxgraph_tui.evaluation.config import SLOTS
from tenxgraph_tui.evaluation.criteria.base import BaseCriterion
from tenxgraph_tui.evaluation.dataset import EvalCase
from tenxgraph_tui.evaluation.events import CaseInfo, CriterionInfo, Log, SetInfo
from tenxgraph_tui.evaluation.execution import ExecutionResult, Target
from tenxgraph_tui.evaluation.heldtime import HeldTime
from tenxgraph_tui.evaluation.judging.context import Bench
from tenxgraph_tui.evaluation.plan import RunOptions, SetPlan
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult
from tenxgraph_tui.evaluation.stream import EventStream

log = logging.getLogger(__name__)

CANCELLED = "cancelled"
"""The error of a case that was cancelled, for its `after_case`: nobody else hears of it."""


class PreparedSet:
    """One eval set of a run. `tidying` counts cancelled attempts whose hooks are not over yet.

    Raises:
        ConfigError: no criterion is enabled or one cannot be made, a case overrides one that does
            not exist, or a model cannot be asked that one needs.
    """

    def __init__(
        self, plan: SetPlan, *, timeout: float | None = None, bench: Bench | None = None
    ) -> None:
        self.plan = plan
        self._bench = bench
        self.timeout = timeout if timeout is not None else plan.config.timeout
        self.cases = {case.eval_id: case for case in plan.eval_set.eval_cases}
        self._criteria = criteria.build(plan.config)
        self._own_criteria = {
            case.eval_id: criteria.build(plan.config, case)
            for case in self.cases.values()
            if "criteria" in case.metadata
        }
        self._targets: dict[int, asyncio.Future[Target]] = {}
        self._around: dict[CaseKey, Around] = {}
        self.tidying = 0
        if bench is not None:
            _check_models(chain(self._criteria, *self._own_criteria.values()), bench)

    def criteria_of(self, case: EvalCase) -> Iterable[BaseCriterion]:
        return self._own_criteria.get(case.eval_id, self._criteria)

    def info(self) -> SetInfo:
        """What `run_started` says of the set."""
        eval_set = self.plan.eval_set
        return SetInfo(
            eval_set_id=eval_set.eval_set_id,
            name=eval_set.name,
            file=self.plan.file,
            target=self.plan.target_name,
            config=self.plan.config_name,
            criteria=tuple(map(_criterion_info, self._criteria)),
            cases=tuple(map(_case_info, eval_set.eval_cases)),
        )

    async def target(self, generation: int) -> Target:
        """The target on the running loop, opened once for each loop."""
        opening = self._targets.get(generation)
        if opening is None:
            opening = self._targets[generation] = asyncio.ensure_future(self.plan.target.open())
        return opening.result() if opening.done() else await asyncio.shield(opening)

    async def result(
        self,
        case: EvalCase,
        target: Target,
        recorder: Recorder,
        *,
        held: HeldTime,
        stream: EventStream,
    ) -> EvalCaseResult:
        """Run one attempt and judge it, with the project's hooks around it."""
        files = self.plan.hooks.files
        if not files:
            return await self._judged(case, target, recorder, held=held, stream=stream)
        key = recorder.key
        around = self._around[key] = Around(files, case, recorder)
        try:
            told = await around.before(limit=self.timeout)
            if told is not None:
                result = to_result(case, Performance(ExecutionResult(), told), [])
            else:
                result = await self._judged(case, target, recorder, held=held, stream=stream)
        except asyncio.CancelledError:
            await self._tidy(around, self.failure(case, recorder, CANCELLED), stream)
            raise
        else:
            await around.after(result, limit=self.timeout)
            return result
        finally:
            if self._around.get(key) is around:
                del self._around[key]

    async def _tidy(self, around: Around, result: EvalCaseResult, stream: EventStream) -> None:
        """Nobody hears of the result any more: what a hook raises is told by itself."""
        self.tidying += 1
        try:
            told = await around.after(result, limit=min(LAST, self.timeout))
        finally:
            self.tidying -= 1
        _tell(told, stream)

    async def _judged(
        self,
        case: EvalCase,
        target: Target,
        recorder: Recorder,
        *,
        held: HeldTime,
        stream: EventStream,
    ) -> EvalCaseResult:
        """Criteria are asked only if the target ran through."""
        if not case.conversation:
            nothing = Performance(ExecutionResult(), "nothing to check: the case has no turns")
            return to_result(case, nothing, [])
        performance = await perform(target, case, recorder, limit=self.timeout, held=held)
        if performance.error is not None:
            return to_result(case, performance, [])
        checked = await verdicts(
            self.criteria_of(case), performance.execution, case, recorder, stream, self._bench
        )
        return to_result(case, performance, checked)

    def failure(
        self, case: EvalCase, recorder: Recorder | None, error: str, **metadata: Any
    ) -> EvalCaseResult:
        """The result of an attempt that was broken off from outside."""
        execution = recorder.snapshot() if recorder is not None else ExecutionResult()
        return to_result(case, Performance(execution, error, metadata), [])

    def broken_off(
        self,
        case: EvalCase,
        recorder: Recorder | None,
        error: str,
        stream: EventStream,
        **metadata: Any,
    ) -> EvalCaseResult:
        """The same where the loop of the attempt may have been left: its hooks are called here."""
        if recorder is not None:
            recorder.seal()
        try:
            result = self.failure(case, recorder, error, **metadata)
        except Exception:  # what was recorded is what is broken: the error matters more
            log.exception("the evidence of %s is lost", case.eval_id)
            result = EvalCaseResult.failure(case.eval_id, error, case.name)
        around = self._around.pop(recorder.key, None) if recorder is not None else None
        if around is not None:
            limit = min(LAST, self.timeout)
            _tell(around.after_on_a_loop_of_its_own(result, limit=limit), stream)
        return result

    def left(
        self, case: EvalCase, recorder: Recorder | None, reason: str, stream: EventStream
    ) -> None:
        """An attempt goes no further, and nothing is kept of it."""
        if recorder is None:
            return
        recorder.seal()
        if recorder.key in self._around:
            self.broken_off(case, recorder, reason, stream)


def _tell(told: str, stream: EventStream) -> None:
    if told:
        stream.emit(Log, source="tenxgraph", level="warning", text=told)


def _check_models(made: Iterable[BaseCriterion], bench: Bench) -> None:
    for whole in made:
        for criterion in criteria.all_in(whole):
            if not isinstance(criterion, criteria.LLMCallerMixin):
                continue
            problem = bench.problem(bench.model or criterion.config.judge_model)
            if problem:
                inside = f" (in {whole.name})" if criterion is not whole else ""
                raise ConfigError(f"{problem}: {criterion.name}{inside} needs a model")


def skip_reason(case: EvalCase) -> str | None:
    """Why the file asks to leave a case out; None if it does not."""
    reason = case.metadata.get("skip")
    if not reason:
        return None
    return reason if isinstance(reason, str) else "skipped in the file"


def _criterion_info(criterion: BaseCriterion) -> CriterionInfo:
    """Criteria of one's own have no slot: their name stands in for it."""
    slot = SLOTS.get(criterion.name, criterion.name)
    return CriterionInfo(
        slot=slot,
        name=criterion.name,
        threshold=criterion.threshold,
        judged=isinstance(criterion, criteria.LLMCallerMixin),
    )


def _case_info(case: EvalCase) -> CaseInfo:
    return CaseInfo(
        eval_id=case.eval_id,
        name=case.name,
        tags=tuple(case.tags),
        turns=len(case.conversation),
        skip=skip_reason(case),
    )


def to_run(sets: Sequence[PreparedSet], options: RunOptions) -> list[CaseKey]:
    """Every attempt without those that the files skip: the first ones, then file order."""
    first = options.first
    keys = [
        CaseKey(index, case.eval_id, attempt)
        for index, prepared in enumerate(sets)
        for case in prepared.cases.values()
        if skip_reason(case) is None
        for attempt in range(options.attempts)
    ]
    return sorted(keys, key=lambda key: key[:2] not in first) if first else keys
