"""One agent, one config, one eval set: the library's way to evaluate."""

from __future__ import annotations

import asyncio
import importlib
from pathlib import Path
from typing import Any

from tenxgraph_tui.errors import TargetError
from tenxgraph_tui.evaluation.accounting import accounted
from tenxgraph_tui.evaluation.config import EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.given import config_of, eval_case_of, eval_set_of
from tenxgraph_tui.evaluation.heldtime import HeldTime
from tenxgraph_tui.evaluation.objects import ObjectSource, target_of
from tenxgraph_tui.evaluation.plan import SetPlan
from tenxgraph_tui.evaluation.prepared import PreparedSet, skip_reason
from tenxgraph_tui.evaluation.recorder import Recorder
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult, EvalReport
from tenxgraph_tui.evaluation.stream import EventStream
from tenxgraph_tui.evaluation.watched import WatchedEvaluation, sink_for, write_reports

MODULE_NAMES = ("graph", "compiled_graph", "agent_graph", "app")


class AgentEvaluator:
    """Evaluates a compiled graph that reports to `collector`, as `create_eval_app` pairs them.

    `config` defaults to `EvalConfig.default()`. `evaluate` and `evaluate_case` run the agent on the
    loop of the caller; `evaluate_sync` and `evaluate_file` on a loop of their own, where a case
    that blocks is found out while it does.
    """

    def __init__(self, graph: Any, collector: Any, config: EvalConfig | None = None) -> None:
        self.graph = graph
        self.collector = collector
        self.config = config_of(config)

    async def evaluate(
        self,
        eval_set: EvalSet | str,
        parallel: bool | None = None,
        max_concurrency: int | None = None,
        verbose: bool = False,
        output_dir: str | None = None,
        *,
        stream: EventStream | None = None,
        reports: bool = True,
    ) -> EvalReport:
        """Run every case of `eval_set`, an `EvalSet` or the path of a file.

        `parallel` and `max_concurrency` (at least 1) default to the config's. The collector is
        reset first. Afterwards the reporters of `config.reporter` run, unless it is not `enabled`
        or `reports` is False; `output_dir` overrides its folder. `verbose` logs each case to
        `tenxgraph.evaluation`; `stream` is told what happens.

        Raises:
            EvalSetError: the file cannot be read, or an id stands twice.
            ConfigError: no criterion is enabled.
            TargetError: the graph is nothing that can be evaluated.
        """
        loaded = eval_set_of(eval_set)
        slots = asyncio.Semaphore(self._limit(parallel, max_concurrency))
        prepared = self._prepared(loaded)
        sink = sink_for(self.config, verbose=verbose)
        told = stream or EventStream(run_id="")
        self.collector.reset()

        async def one(case: EvalCase) -> None:
            async with slots:
                key = CaseKey(0, case.eval_id)
                sink.save(key, await self._attempt(prepared, case, key, told, held))

        with accounted() as held:
            async with asyncio.TaskGroup() as group:
                for case in loaded.eval_cases:
                    if skip_reason(case) is None:
                        group.create_task(one(case))
        report = sink.report(0, loaded, self.config)
        if reports:
            write_reports(self.config.reporter, report, output_dir)
        return report

    async def evaluate_case(self, case: EvalCase) -> EvalCaseResult:
        """Run one case, whatever its `metadata.skip` says; no reporter runs.

        Raises:
            ConfigError: no criterion is enabled.
            TargetError: the graph is nothing that can be evaluated.
        """
        case = eval_case_of(case)
        prepared = self._prepared(EvalSet(eval_cases=[case]))
        key, stream = CaseKey(0, case.eval_id), EventStream(run_id="")
        with accounted() as held:
            return await self._attempt(prepared, case, key, stream, held)

    @classmethod
    def evaluate_sync(
        cls,
        graph: Any,
        collector: Any,
        eval_set: EvalSet | str,
        config: EvalConfig | None = None,
        verbose: bool = False,
    ) -> EvalReport:
        """The same as `evaluate` from synchronous code, also inside a running loop: it blocks it.

        Cases run on a loop in a thread of its own, so that one that blocks is found out. The
        reporters of the config run afterwards. It raises what `evaluate` raises.
        """
        used, source = config_of(config), pair_source(graph, collector)
        evaluation = WatchedEvaluation(eval_set_of(eval_set), source, used, verbose=verbose)
        collector.reset()
        report = evaluation.here()
        write_reports(used.reporter, report)
        return report

    @classmethod
    async def evaluate_file(
        cls, agent_module: str, eval_file: str, config_file: str | None = None
    ) -> EvalReport:
        """Import `agent_module` (`package.module`) and evaluate the agent that it exposes.

        The agent is called `graph`, `compiled_graph`, `agent_graph` or `app`, and needs no
        collector. The config defaults to `EvalConfig.default()`; its reporters run afterwards.

        Raises:
            TargetError: the module cannot be imported or exposes none of them.
            EvalSetError: the eval set cannot be read.
            ConfigError: the config cannot be read, or enables no criterion.
        """
        used = EvalConfig.from_file(config_file) if config_file else EvalConfig.default()
        loaded = eval_set_of(eval_file)
        source = ObjectSource(_exposed(agent_module))
        report = await WatchedEvaluation(loaded, source, used, file=str(eval_file)).aside()
        write_reports(used.reporter, report)
        return report

    def _limit(self, parallel: bool | None, max_concurrency: int | None) -> int:
        limit = self.config.max_concurrency if max_concurrency is None else max_concurrency
        if limit < 1:
            raise ValueError(f"max_concurrency must be at least 1, not {limit}")
        return limit if (self.config.parallel if parallel is None else parallel) else 1

    def _prepared(self, eval_set: EvalSet) -> PreparedSet:
        return PreparedSet(SetPlan(eval_set, pair_source(self.graph, self.collector), self.config))

    @staticmethod
    async def _attempt(
        prepared: PreparedSet, case: EvalCase, key: CaseKey, stream: EventStream, held: HeldTime
    ) -> EvalCaseResult:
        recorder = Recorder(key, stream=stream)
        target = await prepared.target(0)
        return await prepared.result(case, target, recorder, held=held, stream=stream)


def pair_source(graph: Any, collector: Any) -> ObjectSource:
    """The source of a graph and its collector; wrong ones are told before anything runs."""
    if target_of((graph, collector)) is None:
        raise TargetError(
            f"{type(graph).__name__} with {type(collector).__name__} cannot be evaluated: give a "
            "compiled graph and its collector, as create_eval_app returns them"
        )
    return ObjectSource((graph, collector))


def _exposed(module_name: str) -> Any:
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        told = str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
        raise TargetError(f"{module_name} could not be imported: {told}") from error
    for name in MODULE_NAMES:
        if hasattr(module, name):
            return getattr(module, name)
    file = Path(getattr(module, "__file__", None) or module_name).name
    raise TargetError(f"{file} exposes none of {', '.join(MODULE_NAMES)}")
