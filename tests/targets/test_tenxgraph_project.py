"""A project as 10xGraph's documents have one made: only the import of its eval helpers is ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("tenxgraph", reason="10xGraph is not installed (it needs Python 3.12)")

FACTORY = """
from graph.tools import find_order

from tenxgraph.core.graph import StateGraph, ToolNode
from tenxgraph.core.state import AgentState, Message
from tenxgraph.utils import END, START


def answer(state: AgentState) -> Message:
    if state.context[-1].role == "tool":
        return Message.text_message("It is on its way.", role="assistant")
    message = Message.text_message("", role="assistant")
    call = {"name": "find_order", "arguments": '{"number": "A-1"}'}
    message.tools_calls = [{"id": "1", "type": "function", "function": call}]
    return message


def build() -> StateGraph:
    graph = StateGraph()
    graph.add_node("MAIN", answer)
    graph.add_node("TOOL", ToolNode([find_order]))
    route = lambda state: "TOOL" if state.context[-1].tools_calls else END
    graph.add_edge(START, "MAIN")
    graph.add_conditional_edges("MAIN", route, {"TOOL": "TOOL", END: END})
    graph.add_edge("TOOL", "MAIN")
    return graph


async def build_later():
    return build()


app = build().compile()
"""

TOOLS = '''
def find_order(number: str) -> dict:
    """Where an order is."""
    return {"number": number, "status": "shipped"}
'''

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

EVALS = {
    "eval_set_id": "orders",
    "eval_cases": [
        {
            "eval_id": "on_its_way",
            "conversation": [
                {
                    "user_content": {"role": "user", "content": "Where is my order?"},
                    "expected_tool_trajectory": [{"name": "find_order", "args": {"number": "A-1"}}],
                    "expected_node_order": ["MAIN", "TOOL", "MAIN"],
                    "expected_final_response": {
                        "role": "assistant",
                        "content": "It is on its way.",
                    },
                }
            ],
        }
    ],
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    files = {
        "graph/__init__.py": "",
        "graph/agent.py": FACTORY,
        "graph/tools.py": TOOLS,
        "evals/orders.evalset.json": json.dumps(EVALS),
        "tests/test_agent.py": CHECKS,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
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
