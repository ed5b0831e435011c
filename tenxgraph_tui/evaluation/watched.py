"""One eval set on an event loop of its own, watched by the thread that waits for it.

So a case that blocks the loop is found out and ends; the caller's own loop could not tell.
"""

from __future__ import annotations

import asyncio
import logging

from tenxgraph_tui.adapters.threads import in_thread
from tenxgraph_tui.evaluation.config import EvalConfig, ReporterConfig
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.execution import TargetSource
from tenxgraph_tui.evaluation.memory import MemorySink
from tenxgraph_tui.evaluation.plan import RunOptions, SetPlan
from tenxgraph_tui.evaluation.results import CaseKey, EvalCaseResult, EvalReport, ReportSource
from tenxgraph_tui.evaluation.runner import Run
from tenxgraph_tui.evaluation.stream import EventStream

log = logging.getLogger("tenxgraph.evaluation")


class LoggingSink(MemorySink):
    """Keeps results and tells of each in a log record, as `verbose` asks for."""

    def save(self, key: CaseKey, result: EvalCaseResult) -> None:
        """See `ResultSink`."""
        super().save(key, result)
        log.info("%s: %s", result.eval_id, _told(result))


def sink_for(config: EvalConfig, *, verbose: bool) -> MemorySink:
    """Where results go: with log records, where the caller or the config asks for them."""
    return LoggingSink() if verbose or config.verbose else MemorySink()


class WatchedEvaluation:
    """The evaluation of one set, once: `here` blocks the caller, `aside` waits for it.

    Raises:
        ConfigError: no criterion is enabled, or a case overrides one that does not exist.
    """

    def __init__(
        self,
        eval_set: EvalSet,
        source: TargetSource,
        config: EvalConfig,
        *,
        verbose: bool = False,
        file: str = "",
        target_name: str = "",
    ) -> None:
        self._eval_set, self._config = eval_set, config
        self._sink = sink_for(config, verbose=verbose)
        options = RunOptions(max_concurrency=config.max_concurrency if config.parallel else 1)
        plan = SetPlan(eval_set, source, config, file=file, target_name=target_name)
        self._run = Run([plan], options, EventStream(run_id=options.run_id), self._sink)

    def here(self) -> EvalReport:
        """Run in this thread, which is the watchdog meanwhile."""
        self._run.execute()
        return self._sink.report(0, self._eval_set, self._config)

    async def aside(self) -> EvalReport:
        """Run beside the caller's loop; cancelling it cancels the evaluation."""
        try:
            await in_thread(self._run.execute)
        except asyncio.CancelledError:
            self._run.cancel()
            raise
        return self._sink.report(0, self._eval_set, self._config)


def write_reports(
    config: ReporterConfig, report: ReportSource, output_dir: str | None = None
) -> None:
    """Run the reporters that `config` switches on; what one of them raises is logged."""
    if not config.enabled:
        return
    from tenxgraph_tui.evaluation.reporters.manager import ReporterManager

    ReporterManager(config).run_all(report, output_dir)


def _told(result: EvalCaseResult) -> str:
    if result.error is not None:
        return f"error: {result.error}"
    if result.passed:
        return "passed"
    return f"failed: {', '.join(bad.criterion for bad in result.failed_criteria)}"
