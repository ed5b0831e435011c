"""A project as 10xGraph's documents have one made: only the import of its eval helpers is ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.targets.tenxgraph_shop import add_evals, set_up, write

pytest.importorskip("tenxgraph", reason="10xGraph is not installed (it needs Python 3.12)")

CHECKS = """
import pytest
from graph.agent import build

from tenxgraph_tui.evaluation import AgentEvaluator, EvalPresets, create_eval_app


@pytest.mark.asyncio
async def test_the_agent():
    app, collector = create_eval_app(build())
    config = EvalPresets.tool_usage(strict=True)
    config.reporter.enabled = False
    evaluator = AgentEvaluator(app, collector, config=config)
    report = await evaluator.evaluate("evals/orders.evalset.json")
    assert report.summary.pass_rate == 1.0
    assert collector.get_tool_names() == ["find_order"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    set_up(tmp_path)
    add_evals(tmp_path)
    write(tmp_path / "tests" / "test_agent.py", CHECKS)
    return tmp_path


def ran(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(
    ("file", "agent"),
    [
        ("10xgraph.json", "graph.agent:app"),
        ("10xgraph.json", "graph.agent:build"),
        ("agentflow.json", "graph.agent:build_later"),
    ],
)
def test_its_agent_runs_without_the_dashboard(project: Path, file: str, agent: str) -> None:
    settings = {"agent": agent, "evaluation": {"directory": "evals"}}
    (project / file).write_text(json.dumps(settings), encoding="utf-8")

    done = ran(project, "tenxgraph_tui", "run", "--report", "json", "--output-dir", "out")

    assert done.returncode == 0, done.stdout + done.stderr
    (written,) = (project / "out").glob("orders_*.json")
    (result,) = json.loads(written.read_text(encoding="utf-8"))["results"]
    assert result["node_visits"] == ["MAIN", "TOOL", "MAIN"]
    assert [call["result"] for call in result["actual_tool_calls"]] == [
        {"number": "A-1", "status": "shipped"}
    ]


def test_its_tests_run_with_another_import(project: Path) -> None:
    done = ran(project, "pytest", "-q", "-p", "no:cacheprovider", PYTHONPATH=str(project))

    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_its_steps_are_told_as_they_are_made(project: Path) -> None:
    events = project / "run.jsonl"

    run = ("tenxgraph_tui", "run", "evals", "--target", "graph.agent:app")
    done = ran(project, *run, "--events", str(events))

    assert done.returncode == 0, done.stdout + done.stderr
    told = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]
    steps = [(e["kind"], e["node"], e["tool"]) for e in told if e["kind"].startswith("step_")]
    assert [step for step in steps if step[0] == "step_started"] == [
        ("step_started", "MAIN", None),
        ("step_started", "TOOL", None),
        ("step_started", "TOOL", "find_order"),
        ("step_started", "MAIN", None),
    ]
