"""One agent, one config, one eval set: the library's way to evaluate."""

from __future__ import annotations

import asyncio
import importlib
import logging
from pathlib import Path
from typing import Any

from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.heldtime import HeldTime
from tenxgraph_tui.evaluation.memory import MemorySink
from tenxgraph_tui.evaluation.objects import ObjectSource
from tenxgraph_tui.evaluation.plan import RunOptions, SetPlan
from tenxgraph_tui.evaluation.prepared import PreparedSet, skip_reason
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult, EvalReport
from tenxgraph_tui.evaluation.runner import Run
from tenxgraph_tui.evaluation.stream import EventStream

log = logging.getLogger(__name__)

MODULE_NAMES = ("graph", "compiled_graph", "agent_graph", "app")


class AgentEvaluator:
    """Evaluates a compiled graph that reports to `collector`, as `create_eval_app` pairs them.

    `config` defaults to `EvalConfig.default()`. Cases run on the loop of the caller.
    """

    def __init__(self, graph: Any, collector: Any, config: EvalConfig | None = None) -> None:
        self.graph = graph
        self.collector = collector
        self.config = config or EvalConfig.default()

    async def evaluate(
        self,
        eval_set: EvalSet | str,
        parallel: bool | None = None,
        max_concurrency: int | None = None,
        verbose: bool = False,
        output_dir: str | None = None,
        *,
        stream: EventStream | None = None,
    ) -> EvalReport:
        """Run every case of `eval_set`, an `EvalSet` or the path of a file.

        `parallel` and `max_concurrency` (at least 1) default to the config's. The collector is
        reset first. With `output_dir` the config's reporters write there. `verbose` logs each
        case; `stream` is told what happens.

        Raises:
            EvalSetError: the file cannot be read.
            ConfigError: no criterion is enabled.
        """
        loaded = eval_set if isinstance(eval_set, EvalSet) else EvalSet.from_file(str(eval_set))
        self.collector.reset()
        prepared = self._prepared(loaded)
        sink = MemorySink()
        if not (self.config.parallel if parallel is None else parallel):
            limit = 1
        else:
            limit = self.config.max_concurrency if max_concurrency is None else max_concurrency
        if limit < 1:
            raise ValueError(f"max_concurrency must be at least 1, not {limit}")
        slots = asyncio.Semaphore(limit)
        told = stream or EventStream(run_id="")

        async def one(case: EvalCase) -> None:
            async with slots:
                key = CaseKey(0, case.eval_id)
                result = await self._attempt(prepared, case, key, told)
                sink.save(key, result)
                if verbose or self.config.verbose:
                    log.info("%s: %s", case.eval_id, _told(result))

        async with asyncio.TaskGroup() as group:
            for case in loaded.eval_cases:
                if skip_reason(case) is None:
                    group.create_task(one(case))
        report = sink.report(0, loaded, self.config)
        if output_dir is not None:
            from tenxgraph_tui.evaluation.reporters.manager import ReporterManager

            ReporterManager(self.config.reporter).run_all(report, output_dir)
        return report

    async def evaluate_case(self, case: EvalCase) -> EvalCaseResult:
        """Run one case, whatever its `metadata.skip` says."""
        prepared = self._prepared(EvalSet(eval_cases=[case]))
        return await self._attempt(prepared, case, CaseKey(0, case.eval_id), EventStream(run_id=""))

    @classmethod
    def evaluate_sync(
        cls,
        graph: Any,
        collector: Any,
        eval_set: EvalSet | str,
        config: EvalConfig | None = None,
        verbose: bool = False,
    ) -> EvalReport:
        """The same from synchronous code, also inside a running loop, which it blocks.

        Cases run on a loop in a thread of its own, so that one that blocks is found out.
        """
        loaded = eval_set if isinstance(eval_set, EvalSet) else EvalSet.from_file(str(eval_set))
        used = config or EvalConfig.default()
        collector.reset()
        sink = MemorySink()
        options = RunOptions(max_concurrency=used.max_concurrency if used.parallel else 1)
        plan = SetPlan(loaded, ObjectSource((graph, collector)), used)
        Run([plan], options, EventStream(run_id=options.run_id), sink).execute()
        if verbose or used.verbose:
            for result in sink.results.values():
                log.info("%s: %s", result.eval_id, _told(result))
        return sink.report(0, loaded, used)

    @classmethod
    def evaluate_file(
        cls, agent_module: str, eval_file: str, config_file: str | None = None
    ) -> EvalReport:
        """Import `agent_module`, which exposes `graph`, `compiled_graph`, `agent_graph` or `app`.

        Raises:
            TargetError: the module cannot be imported or exposes none of them.
        """
        config = EvalConfig.from_file(config_file) if config_file else EvalConfig.default()
        loaded = EvalSet.from_file(eval_file)
        sink = MemorySink()
        options = RunOptions(max_concurrency=config.max_concurrency if config.parallel else 1)
        plan = SetPlan(loaded, ObjectSource(_exposed(agent_module)), config, file=eval_file)
        Run([plan], options, EventStream(run_id=options.run_id), sink).execute()
        return sink.report(0, loaded, config)

    def _prepared(self, eval_set: EvalSet) -> PreparedSet:
        source = ObjectSource((self.graph, self.collector))
        return PreparedSet(SetPlan(eval_set, source, self.config))

    @staticmethod
    async def _attempt(
        prepared: PreparedSet, case: EvalCase, key: CaseKey, stream: EventStream
    ) -> EvalCaseResult:
        recorder = Recorder(key, stream=stream)
        target = await prepared.target(0)
        return await prepared.result(case, target, recorder, held=HeldTime(), stream=stream)


def _exposed(module_name: str) -> Any:
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise TargetError(f"{module_name} could not be imported: {error}") from error
    for name in MODULE_NAMES:
        if hasattr(module, name):
            return getattr(module, name)
    file = Path(getattr(module, "__file__", None) or module_name).name
    raise TargetError(f"{file} exposes none of {', '.join(MODULE_NAMES)}")


def _told(result: EvalCaseResult) -> str:
    if result.error is not None:
        return f"error: {result.error}"
    return "passed" if result.passed else "failed"
