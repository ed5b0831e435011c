"""A report to print and to write, and everything that writes files."""

from __future__ import annotations

import pytest

from tenxgraph_tui.evaluation.reporters.file import FileReporter
from tenxgraph_tui.evaluation.reporters.html import HTMLReporter
from tenxgraph_tui.evaluation.reporters.json import JSONReporter
from tenxgraph_tui.evaluation.reporters.junit import JUnitXMLReporter
from tenxgraph_tui.evaluation.reporters.markdown import MarkdownReporter
from tenxgraph_tui.evaluation.results import CriterionResult, EvalCaseResult, EvalReport
from tests.evaluation.reporters.samples import failing, passing, scored


@pytest.fixture(params=[JSONReporter, HTMLReporter, JUnitXMLReporter, MarkdownReporter])
def writer(request: pytest.FixtureRequest) -> type[FileReporter]:
    """Each class that writes a file, in turn."""
    chosen: type[FileReporter] = request.param
    return chosen


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
