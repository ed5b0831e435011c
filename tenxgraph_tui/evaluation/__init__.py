"""The library: eval sets in, verdicts out. Every public name is imported on first use."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tenxgraph_tui.evaluation.batch import EvaluationRunner, run_eval
    from tenxgraph_tui.evaluation.builder import EvalSetBuilder, create_simple_eval_set
    from tenxgraph_tui.evaluation.collectors import (
        EventCollector,
        PublisherCallback,
        TrajectoryCollector,
        make_trajectory_callback,
    )
    from tenxgraph_tui.evaluation.config import (
        CriteriaConfig,
        CriterionConfig,
        CustomCriterion,
        EvalConfig,
        MatchType,
        ReporterConfig,
        Rubric,
        UserSimulatorConfig,
    )
    from tenxgraph_tui.evaluation.criteria.base import BaseCriterion, SyncCriterion
    from tenxgraph_tui.evaluation.criteria.composite import CompositeCriterion, WeightedCriterion
    from tenxgraph_tui.evaluation.criteria.judged import LLMCallerMixin
    from tenxgraph_tui.evaluation.criteria.judged_answers import (
        FactualAccuracyCriterion,
        LLMJudgeCriterion,
        ResponseMatchCriterion,
    )
    from tenxgraph_tui.evaluation.criteria.judged_claims import (
        HallucinationCriterion,
        SafetyCriterion,
    )
    from tenxgraph_tui.evaluation.criteria.judged_goals import SimulationGoalsCriterion
    from tenxgraph_tui.evaluation.criteria.judged_rubrics import RubricBasedCriterion
    from tenxgraph_tui.evaluation.criteria.registry import CRITERIA_REGISTRY
    from tenxgraph_tui.evaluation.criteria.text import (
        ContainsKeywordsCriterion,
        ExactMatchCriterion,
        RougeMatchCriterion,
    )
    from tenxgraph_tui.evaluation.criteria.tools import (
        NodeOrderMatchCriterion,
        ToolNameMatchCriterion,
        TrajectoryMatchCriterion,
    )
    from tenxgraph_tui.evaluation.dataset import (
        EvalCase,
        EvalSet,
        Invocation,
        MessageContent,
        SessionInput,
        StepType,
        ToolCall,
        TrajectoryStep,
    )
    from tenxgraph_tui.evaluation.evaluator import AgentEvaluator
    from tenxgraph_tui.evaluation.execution import ExecutionResult, NodeResponseData, TokenUsage
    from tenxgraph_tui.evaluation.presets import EvalPresets
    from tenxgraph_tui.evaluation.quick import QuickEval
    from tenxgraph_tui.evaluation.recording import record_node, record_tool_call
    from tenxgraph_tui.evaluation.reporters.base import BaseReporter
    from tenxgraph_tui.evaluation.reporters.colours import Colors
    from tenxgraph_tui.evaluation.reporters.console import ConsoleReporter, print_report
    from tenxgraph_tui.evaluation.reporters.html import HTMLReporter
    from tenxgraph_tui.evaluation.reporters.json import JSONReporter
    from tenxgraph_tui.evaluation.reporters.junit import JUnitXMLReporter
    from tenxgraph_tui.evaluation.reporters.manager import ReporterManager, ReporterOutput
    from tenxgraph_tui.evaluation.reporters.markdown import MarkdownReporter
    from tenxgraph_tui.evaluation.results import (
        CriterionResult,
        EvalCaseResult,
        EvalReport,
        EvalSummary,
        NodeDetail,
        NotEvaluated,
        Score,
        Verdict,
    )
    from tenxgraph_tui.evaluation.simulation import (
        BatchSimulator,
        ConversationScenario,
        SimulationResult,
        UserSimulator,
    )
    from tenxgraph_tui.evaluation.testing.assertions import (
        assert_criterion_passed,
        assert_eval_passed,
    )
    from tenxgraph_tui.evaluation.testing.create import create_eval_app
    from tenxgraph_tui.evaluation.testing.decorators import eval_test, parametrize_eval_cases
    from tenxgraph_tui.evaluation.testing.fixtures import EvalFixtures, EvalPlugin, EvalTestCase

_HOMES = {
    "batch": (
        "EvaluationRunner",
        "run_eval",
    ),
    "builder": (
        "EvalSetBuilder",
        "create_simple_eval_set",
    ),
    "collectors": (
        "EventCollector",
        "PublisherCallback",
        "TrajectoryCollector",
        "make_trajectory_callback",
    ),
    "config": (
        "CriteriaConfig",
        "CriterionConfig",
        "CustomCriterion",
        "EvalConfig",
        "MatchType",
        "ReporterConfig",
        "Rubric",
        "UserSimulatorConfig",
    ),
    "criteria.base": (
        "BaseCriterion",
        "SyncCriterion",
    ),
    "criteria.composite": (
        "CompositeCriterion",
        "WeightedCriterion",
    ),
    "criteria.judged": ("LLMCallerMixin",),
    "criteria.judged_answers": (
        "FactualAccuracyCriterion",
        "LLMJudgeCriterion",
        "ResponseMatchCriterion",
    ),
    "criteria.judged_claims": (
        "HallucinationCriterion",
        "SafetyCriterion",
    ),
    "criteria.judged_goals": ("SimulationGoalsCriterion",),
    "criteria.judged_rubrics": ("RubricBasedCriterion",),
    "criteria.registry": ("CRITERIA_REGISTRY",),
    "criteria.text": (
        "ContainsKeywordsCriterion",
        "ExactMatchCriterion",
        "RougeMatchCriterion",
    ),
    "criteria.tools": (
        "NodeOrderMatchCriterion",
        "ToolNameMatchCriterion",
        "TrajectoryMatchCriterion",
    ),
    "dataset": (
        "EvalCase",
        "EvalSet",
        "Invocation",
        "MessageContent",
        "SessionInput",
        "StepType",
        "ToolCall",
        "TrajectoryStep",
    ),
    "evaluator": ("AgentEvaluator",),
    "execution": (
        "ExecutionResult",
        "NodeResponseData",
        "TokenUsage",
    ),
    "presets": ("EvalPresets",),
    "quick": ("QuickEval",),
    "recording": (
        "record_node",
        "record_tool_call",
    ),
    "reporters.base": ("BaseReporter",),
    "reporters.colours": ("Colors",),
    "reporters.console": (
        "ConsoleReporter",
        "print_report",
    ),
    "reporters.html": ("HTMLReporter",),
    "reporters.json": ("JSONReporter",),
    "reporters.junit": ("JUnitXMLReporter",),
    "reporters.manager": (
        "ReporterManager",
        "ReporterOutput",
    ),
    "reporters.markdown": ("MarkdownReporter",),
    "results": (
        "CriterionResult",
        "EvalCaseResult",
        "EvalReport",
        "EvalSummary",
        "NodeDetail",
        "NotEvaluated",
        "Score",
        "Verdict",
    ),
    "simulation": (
        "BatchSimulator",
        "ConversationScenario",
        "SimulationResult",
        "UserSimulator",
    ),
    "testing.assertions": (
        "assert_criterion_passed",
        "assert_eval_passed",
    ),
    "testing.create": ("create_eval_app",),
    "testing.decorators": (
        "eval_test",
        "parametrize_eval_cases",
    ),
    "testing.fixtures": (
        "EvalFixtures",
        "EvalPlugin",
        "EvalTestCase",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CRITERIA_REGISTRY",
    "AgentEvaluator",
    "BaseCriterion",
    "BaseReporter",
    "BatchSimulator",
    "Colors",
    "CompositeCriterion",
    "ConsoleReporter",
    "ContainsKeywordsCriterion",
    "ConversationScenario",
    "CriteriaConfig",
    "CriterionConfig",
    "CriterionResult",
    "CustomCriterion",
    "EvalCase",
    "EvalCaseResult",
    "EvalConfig",
    "EvalFixtures",
    "EvalPlugin",
    "EvalPresets",
    "EvalReport",
    "EvalSet",
    "EvalSetBuilder",
    "EvalSummary",
    "EvalTestCase",
    "EvaluationRunner",
    "EventCollector",
    "ExactMatchCriterion",
    "ExecutionResult",
    "FactualAccuracyCriterion",
    "HTMLReporter",
    "HallucinationCriterion",
    "Invocation",
    "JSONReporter",
    "JUnitXMLReporter",
    "LLMCallerMixin",
    "LLMJudgeCriterion",
    "MarkdownReporter",
    "MatchType",
    "MessageContent",
    "NodeDetail",
    "NodeOrderMatchCriterion",
    "NodeResponseData",
    "NotEvaluated",
    "PublisherCallback",
    "QuickEval",
    "ReporterConfig",
    "ReporterManager",
    "ReporterOutput",
    "ResponseMatchCriterion",
    "RougeMatchCriterion",
    "Rubric",
    "RubricBasedCriterion",
    "SafetyCriterion",
    "Score",
    "SessionInput",
    "SimulationGoalsCriterion",
    "SimulationResult",
    "StepType",
    "SyncCriterion",
    "TokenUsage",
    "ToolCall",
    "ToolNameMatchCriterion",
    "TrajectoryCollector",
    "TrajectoryMatchCriterion",
    "TrajectoryStep",
    "UserSimulator",
    "UserSimulatorConfig",
    "Verdict",
    "WeightedCriterion",
    "assert_criterion_passed",
    "assert_eval_passed",
    "create_eval_app",
    "create_simple_eval_set",
    "eval_test",
    "make_trajectory_callback",
    "parametrize_eval_cases",
    "print_report",
    "record_node",
    "record_tool_call",
    "run_eval",
]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
