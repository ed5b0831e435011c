"""`QuickEval`: an evaluation in one call, for a look at an agent while it is being written."""

from __future__ import annotations

from typing import Any

from tenxgraph_tui.evaluation.builder import EvalSetBuilder
from tenxgraph_tui.evaluation.config import CriterionConfig, CustomCriterion, EvalConfig
from tenxgraph_tui.evaluation.dataset import EvalCase, EvalSet
from tenxgraph_tui.evaluation.evaluator import pair_source
from tenxgraph_tui.evaluation.given import config_of, eval_set_of
from tenxgraph_tui.evaluation.presets import EvalPresets
from tenxgraph_tui.evaluation.results import EvalReport
from tenxgraph_tui.evaluation.watched import WatchedEvaluation, write_reports


class QuickEval:
    """Each method evaluates a graph and its collector and returns the report.

    All but `run_sync` are to be awaited. The agent runs on an event loop of its own, where a case
    that blocks is found out. `verbose` logs each case to `tenxgraph.evaluation`, `print_results`
    prints the report; what else the config's reporters write, they write.
    """

    @classmethod
    async def check(
        cls,
        graph: Any,
        collector: Any,
        query: str,
        expected_response_contains: str | None = None,
        expected_response_equals: str | None = None,
        expected_tools: list[str] | None = None,
        threshold: float = 0.7,
        verbose: bool = True,
        print_results: bool = True,
    ) -> EvalReport:
        """Ask one thing and check what is given: words in the answer, the answer, tools by name.

        The words must stand in the answer as `contains_keywords` looks for them; an equal answer is
        the same text but for space around it. `threshold` (0.0 to 1.0) is that of both. Where
        nothing is given to check, the case is an error.
        """
        builder = EvalSetBuilder("quick_check")
        builder.add_case(query, expected_response_equals or "", "check", expected_tools)
        config = _checks(
            expected_response_contains, expected_response_equals, expected_tools, threshold
        )
        return await _aside(graph, collector, builder.build(), config, verbose, print_results)

    @classmethod
    async def preset(
        cls,
        graph: Any,
        collector: Any,
        preset: EvalConfig,
        eval_set: EvalSet | str,
        verbose: bool = True,
        print_results: bool = True,
    ) -> EvalReport:
        """Evaluate a set, or the file that a path names, with a config.

        Raises:
            EvalSetError: the file cannot be read.
            ConfigError: no criterion is enabled.
        """
        return await _aside(graph, collector, eval_set, preset, verbose, print_results)

    @classmethod
    async def batch(
        cls,
        graph: Any,
        collector: Any,
        test_pairs: list[tuple[str, str]],
        threshold: float = 0.7,
        verbose: bool = True,
        print_results: bool = True,
    ) -> EvalReport:
        """Compare the words of answers: (user text, expected answer) pairs, a case each.

        `threshold` (0.0 to 1.0) is that of `rouge_match`.
        """
        config = EvalPresets.quick_check()
        config.criteria.rouge_match = CriterionConfig.rouge_match(threshold)
        eval_set = EvalSetBuilder.quick(*test_pairs)
        return await _aside(graph, collector, eval_set, config, verbose, print_results)

    @classmethod
    async def tool_usage(
        cls,
        graph: Any,
        collector: Any,
        test_cases: list[tuple[str, str, list[str]]],
        strict: bool = True,
        verbose: bool = True,
        print_results: bool = True,
    ) -> EvalReport:
        """Check tools by name: (user text, expected answer, expected tools), a case each.

        The answers are not compared. Without `strict` extra calls are allowed.
        """
        builder = EvalSetBuilder("tool_usage")
        for query, expected, tools in test_cases:
            builder.add_case(query, expected, expected_tools=list(tools))
        config = EvalPresets.tool_usage(strict=strict)
        return await _aside(graph, collector, builder.build(), config, verbose, print_results)

    @classmethod
    async def conversation_flow(
        cls,
        graph: Any,
        collector: Any,
        conversation: list[tuple[str, str]],
        threshold: float = 0.8,
        verbose: bool = True,
        print_results: bool = True,
    ) -> EvalReport:
        """Hold one conversation of (user text, expected answer) turns; answers need a judge.

        `threshold` (0.0 to 1.0) is that of all criteria of the preset.
        """
        eval_set = EvalSet(
            eval_set_id="conversation_flow",
            name="conversation_flow",
            eval_cases=[EvalCase.multi_turn("conversation", conversation)],
        )
        config = EvalPresets.conversation_flow(threshold)
        return await _aside(graph, collector, eval_set, config, verbose, print_results)

    @classmethod
    async def from_builder(
        cls,
        graph: Any,
        collector: Any,
        builder: EvalSetBuilder,
        config: EvalConfig | None = None,
        verbose: bool = True,
        print_results: bool = True,
    ) -> EvalReport:
        """Evaluate what a builder holds; `config` defaults to `EvalPresets.quick_check()`.

        Raises:
            ConfigError: no criterion is enabled.
        """
        used = config or EvalPresets.quick_check()
        return await _aside(graph, collector, builder.build(), used, verbose, print_results)

    @classmethod
    def run_sync(
        cls,
        graph: Any,
        collector: Any,
        eval_set: EvalSet | str,
        config: EvalConfig | None = None,
        verbose: bool = True,
        print_results: bool = True,
    ) -> EvalReport:
        """Evaluate from synchronous code, also inside a running loop, which it blocks.

        `config` defaults to `EvalPresets.quick_check()`.

        Raises:
            EvalSetError: the file that a path names cannot be read.
            ConfigError: no criterion is enabled.
        """
        used = config_of(config or EvalPresets.quick_check())
        report = _evaluation(graph, collector, eval_set, used, verbose).here()
        return _told(report, used, print_results)


def _checks(
    contains: str | None, equals: str | None, tools: list[str] | None, threshold: float
) -> EvalConfig:
    if not (contains or equals or tools):
        return EvalPresets.quick_check()  # it says that there is nothing to check
    config = EvalConfig()
    if tools:
        config.criteria.tool_name_match = CriterionConfig.tool_name_match()
    if contains:
        config.criteria.contains_keywords = CriterionConfig.contains_keywords([contains], threshold)
    if equals:
        exact = CriterionConfig(threshold=threshold)
        config.custom.append(CustomCriterion(criterion="exact_match", config=exact))
    return config


async def _aside(
    graph: Any,
    collector: Any,
    eval_set: EvalSet | str,
    config: EvalConfig,
    verbose: bool,
    print_results: bool,
) -> EvalReport:
    used = config_of(config)
    report = await _evaluation(graph, collector, eval_set, used, verbose).aside()
    return _told(report, used, print_results)


def _evaluation(
    graph: Any, collector: Any, eval_set: EvalSet | str, config: EvalConfig, verbose: bool
) -> WatchedEvaluation:
    source, loaded = pair_source(graph, collector), eval_set_of(eval_set)
    evaluation = WatchedEvaluation(loaded, source, config, verbose=verbose)
    collector.reset()
    return evaluation


def _told(report: EvalReport, config: EvalConfig, print_results: bool) -> EvalReport:
    """Write and print the report: once, so the config's own console reporter has no say."""
    write_reports(config.reporter.model_copy(update={"console": False}), report)
    if print_results:
        from tenxgraph_tui.evaluation.reporters.console import print_report

        print_report(report)
    return report
