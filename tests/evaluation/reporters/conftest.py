"""A report to print and to write."""

from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, EvalReport
from tests.evaluation.reporters.samples import failing, passing, scored


@pytest.fixture
def report() -> EvalReport:
    """One case of each kind."""
    results = [
        passing(),
        failing(),
        EvalCaseResult.success(
            "no_words",
            [
                scored("tool_trajectory_avg_score", 1.0, 1.0),
                CriterionResult.not_evaluated("rouge_match", "no expected response", 0.5),
            ],
        ),
        EvalCaseResult.failure("boom", "ValueError: kaboom", duration_seconds=0.1),
    ]
    made = EvalReport.create("weather", results, "Weather", {"timeout": 2.0})
    made.timestamp = 1_800_000_000.0
    made.metadata = {"file": "weather.evalset.json", "target": "agents.py:weather"}
    return made
