"""A small project of 10xGraph, made as its documents describe: a graph, a tool, a text, evals."""

from __future__ import annotations

import json
from pathlib import Path

AGENT = """
from pathlib import Path

from graph.tools import find_order

from tenxgraph.core.graph import StateGraph, ToolNode
from tenxgraph.core.state import AgentState, Message
from tenxgraph.utils import END, START

ANSWER = Path(__file__).parents[1] / "prompts" / "answer.txt"


def answer(state: AgentState) -> Message:
    if state.context[-1].role == "tool":
        return Message.text_message(ANSWER.read_text().strip(), role="assistant")
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


MODULE = """
from tenxgraph.qa.evaluation import CriterionConfig, EvalConfig, EvalSet, EvalSetBuilder


def get_eval_config() -> EvalConfig:
    return EvalConfig(
        criteria={
            "trajectory": CriterionConfig.trajectory(check_args=True),
            "node_order": CriterionConfig.node_order(),
            "rouge_match": CriterionConfig.rouge_match(threshold=0.9),
        }
    )


def get_eval_set() -> EvalSet:
    builder = EvalSetBuilder("shop")
    builder.add_tool_test(
        query="Where is my order?",
        tool_name="find_order",
        tool_args={"number": "A-1"},
        expected_response="It is on its way.",
        case_id="on_its_way",
    )
    return builder.build()
"""


def set_up(folder: Path) -> None:
    """The graph of the project and what it is made of."""
    write(folder / "graph" / "__init__.py", "")
    write(folder / "graph" / "agent.py", AGENT)
    write(folder / "graph" / "tools.py", TOOLS)
    write(folder / "prompts" / "answer.txt", "It is on its way.\n")


def add_evals(folder: Path) -> None:
    """Its evals as a file of data."""
    write(folder / "evals" / "orders.evalset.json", json.dumps(EVALS))


def add_module(folder: Path) -> None:
    """Its evals as a module, with 10xGraph's own classes, and the file that names the agent."""
    write(folder / "evals" / "shop_eval.py", MODULE)
    write(folder / "10xgraph.json", json.dumps({"agent": "graph.agent:app"}))


def write(path: Path, text: str) -> None:
    """Write a file, and the folder that it lies in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def replace(path: Path, old: str, new: str) -> None:
    """Edit a file; `old` must stand in it."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
