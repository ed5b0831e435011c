"""The library: eval sets in, verdicts out. Every public name is imported on first use."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tenxgraph_tui.evaluation.collectors import (
        EventCollector,
        PublisherCallback,
        TrajectoryCollector,
        make_trajectory_callback,
    )
    from tenxgraph_tui.evaluation.config import (
        CriteriaConfig,
        CriterionConfig,
        EvalConfig,
        MatchType,
        ReporterConfig,
        Rubric,
        UserSimulatorConfig,
    )
    from tenxgraph_tui.evaluation.criteria.base import BaseCriterion, SyncCriterion
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
    from tenxgraph_tui.evaluation.reporters.base import BaseReporter
    from tenxgraph_tui.evaluation.reporters.console import ConsoleReporter
    from tenxgraph_tui.evaluation.reporters.json import JSONReporter
    from tenxgraph_tui.evaluation.reporters.manager import ReporterManager, ReporterOutput
    from tenxgraph_tui.evaluation.results import (
        CriterionResult,
        EvalCaseResult,
        EvalReport,
        EvalSummary,
        NodeDetail,
    )
    from tenxgraph_tui.evaluation.testing.create import create_eval_app

_HOMES = {
    "collectors": (
        "EventCollector",
        "PublisherCallback",
        "TrajectoryCollector",
        "make_trajectory_callback",
    ),
    "config": (
        "CriteriaConfig",
        "CriterionConfig",
        "EvalConfig",
        "MatchType",
        "ReporterConfig",
        "Rubric",
        "UserSimulatorConfig",
    ),
    "criteria.base": ("BaseCriterion", "SyncCriterion"),
    "criteria.text": ("ContainsKeywordsCriterion", "ExactMatchCriterion", "RougeMatchCriterion"),
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
    "execution": ("ExecutionResult", "NodeResponseData", "TokenUsage"),
    "presets": ("EvalPresets",),
    "reporters.base": ("BaseReporter",),
    "reporters.console": ("ConsoleReporter",),
    "reporters.json": ("JSONReporter",),
    "reporters.manager": ("ReporterManager", "ReporterOutput"),
    "results": ("CriterionResult", "EvalCaseResult", "EvalReport", "EvalSummary", "NodeDetail"),
    "testing.create": ("create_eval_app",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AgentEvaluator",
    "BaseCriterion",
    "BaseReporter",
    "ConsoleReporter",
    "ContainsKeywordsCriterion",
    "CriteriaConfig",
    "CriterionConfig",
    "CriterionResult",
    "EvalCase",
    "EvalCaseResult",
    "EvalConfig",
    "EvalPresets",
    "EvalReport",
    "EvalSet",
    "EvalSummary",
    "EventCollector",
    "ExactMatchCriterion",
    "ExecutionResult",
    "Invocation",
    "JSONReporter",
    "MatchType",
    "MessageContent",
    "NodeDetail",
    "NodeOrderMatchCriterion",
    "NodeResponseData",
    "PublisherCallback",
    "ReporterConfig",
    "ReporterManager",
    "ReporterOutput",
    "RougeMatchCriterion",
    "Rubric",
    "SessionInput",
    "StepType",
    "SyncCriterion",
    "TokenUsage",
    "ToolCall",
    "ToolNameMatchCriterion",
    "TrajectoryCollector",
    "TrajectoryMatchCriterion",
    "TrajectoryStep",
    "UserSimulatorConfig",
    "create_eval_app",
    "make_trajectory_callback",
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
