"""Several evaluations one after the other, each with its own graph; every report is kept."""

from __future__ import annotations

import logging
from typing import Any

from tenxgraph_tui.evaluation.config import EvalConfig, ReporterConfig
from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.evaluator import AgentEvaluator
from tenxgraph_tui.evaluation.given import config_of
from tenxgraph_tui.evaluation.results import EvalReport

log = logging.getLogger("tenxgraph.evaluation")

Evaluation = tuple[Any, Any, EvalSet | str]


async def run_eval(
    graph: Any,
    collector: Any,
    eval_set_path: str,
    config: EvalConfig | None = None,
    verbose: bool = False,
) -> EvalReport:
    """Evaluate one eval set file, as `AgentEvaluator.evaluate` does; its reporters run too.

    `config` defaults to `EvalConfig.default()`, which needs a judge; `verbose` logs each case.

    Raises:
        EvalSetError: the file cannot be read.
        ConfigError: no criterion is enabled.
        TargetError: the graph is nothing that can be evaluated.
    """
    return await AgentEvaluator(graph, collector, config).evaluate(eval_set_path, verbose=verbose)


class EvaluationRunner:
    """Runs (graph, collector, eval set or path) tuples in sequence.

    `results` holds the report of each eval set under its id, over all calls of `run`; a later
    report takes the place of an earlier one with the same id.
    """

    def __init__(self, default_config: EvalConfig | None = None) -> None:
        self.default_config = config_of(default_config)
        self.results: dict[str, EvalReport] = {}

    async def run(
        self,
        evaluations: list[Evaluation],
        config: EvalConfig | None = None,
        verbose: bool = False,
    ) -> dict[str, EvalReport]:
        """Run them all, then write each report once, unless `reporter.enabled` is off.

        `config` defaults to that of the runner; `verbose` logs each case to
        `tenxgraph.evaluation`. The answer is `results`.

        Raises:
            ExceptionGroup: some could not be loaded or run; it names them. The others have
                finished, are in `results` and were reported.
        """
        used = config_of(config) if config is not None else self.default_config
        reports: list[EvalReport] = []
        problems: dict[str, Exception] = {}
        for position, evaluation in enumerate(evaluations):
            try:
                report = await _evaluated(evaluation, used, verbose=verbose)
            except Exception as error:
                name = _name(evaluation, position)
                log.exception("%s could not be evaluated", name)
                error.add_note(f"evaluations[{position}]: {name}")
                problems[f"evaluations[{position}] ({name})"] = error
                continue
            reports.append(report)
            self.results[report.eval_set_id] = report
        _write(used.reporter, reports)
        if problems:
            told = f"{len(problems)} of {len(evaluations)} evaluations could not be run"
            raise ExceptionGroup(f"{told}: {', '.join(problems)}", list(problems.values()))
        return self.results

    @property
    def summary(self) -> dict[str, Any]:
        """Counts over `results`; `overall_pass_rate` is from 0.0 to 1.0, over all cases.

        The keys are `total_evaluations`, `total_cases`, `passed_cases` and `overall_pass_rate`;
        before anything has run, only the first.
        """
        if not self.results:
            return {"total_evaluations": 0}
        summaries = [report.summary for report in self.results.values()]
        total = sum(summary.total_cases for summary in summaries)
        passed = sum(summary.passed_cases for summary in summaries)
        return {
            "total_evaluations": len(summaries),
            "total_cases": total,
            "passed_cases": passed,
            "overall_pass_rate": passed / total if total else 0.0,
        }


async def _evaluated(evaluation: Evaluation, config: EvalConfig, *, verbose: bool) -> EvalReport:
    try:
        graph, collector, eval_set = evaluation
    except (TypeError, ValueError):
        raise TypeError(
            f"an evaluation is (graph, collector, eval set or path), not {evaluation!r:.100}"
        ) from None
    evaluator = AgentEvaluator(graph, collector, config)
    return await evaluator.evaluate(eval_set, verbose=verbose, reports=False)


def _name(evaluation: Any, position: int) -> str:
    """What a person calls the evaluation: the path, or the id of the set."""
    given = evaluation[-1] if isinstance(evaluation, tuple) and evaluation else None
    if isinstance(given, EvalSet):
        return given.eval_set_id
    return str(given) if given is not None else f"number {position + 1}"


def _write(config: ReporterConfig, reports: list[EvalReport]) -> None:
    """One manager for all reports, so that ids which sanitise alike get files of their own."""
    if not config.enabled:
        return
    from tenxgraph_tui.evaluation.reporters.manager import ReporterManager

    manager = ReporterManager(config)
    for report in reports:
        manager.run_all(report)
