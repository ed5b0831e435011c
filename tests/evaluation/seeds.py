"""The examples of the two documents that the library follows, and an agent to run them on.

Only imports are changed, as the import map says.
"""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import Any

from tenxgraph_tui.evaluation import (
    AgentEvaluator,
    EvalCase,
    EvalConfig,
    EvalReport,
    EvalSet,
    Invocation,
    ReporterConfig,
    ToolCall,
    create_eval_app,
)
from tenxgraph_tui.graph import END, AgentState, Message, StateGraph, ToolNode

EXAMPLES: dict[str, str] = dict(
    re.findall(
        r"^## (.+?)\n\n```python\n(.*?)```",
        (Path(__file__).parents[1] / "data" / "seed_examples.md").read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
)
IMPORT_MAP = {
    "tenxgraph.qa.evaluation": "tenxgraph_tui.evaluation",
    "tenxgraph.qa": "tenxgraph_tui.evaluation",
    "tenxgraph.runtime.publisher.events": "tenxgraph_tui.graph.events",
    "tenxgraph.utils.callbacks": "tenxgraph_tui.graph.callbacks",
}
NO_JUDGE = "has no key: set"
SILENT = ReporterConfig(enabled=False)


def mapped(title: str) -> str:
    code = EXAMPLES[title]
    for old, new in IMPORT_MAP.items():
        code = code.replace(f"from {old} import", f"from {new} import")
    assert "from tenxgraph." not in code
    return code


async def run(title: str, **names: Any) -> dict[str, Any]:
    """Execute an example, which may await at its top level; its names afterwards."""
    code = compile(mapped(title), title, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    started = eval(code, names)
    if inspect.isawaitable(started):
        await started
    return names


def weather_graph() -> StateGraph[AgentState]:
    def get_weather(city: str) -> str:
        return f"sunny in {city}"

    def main(state: AgentState) -> Message:
        last = state.context[-1]
        if last.role == "tool":
            return Message.text_message("It is sunny in Paris", role="assistant")
        request = Message.text_message("", role="assistant")
        function = {"name": "get_weather", "arguments": '{"city": "Paris"}'}
        request.tools_calls = [{"id": "1", "type": "function", "function": function}]
        return request

    def route(state: AgentState) -> str:
        return "TOOL" if state.context[-1].tools_calls else END

    graph: StateGraph[AgentState] = StateGraph()
    graph.add_node("MAIN", main).add_node("TOOL", ToolNode([get_weather]))
    graph.add_conditional_edges("MAIN", route).add_edge("TOOL", "MAIN")
    return graph.set_entry_point("MAIN")


def weather_set(eval_set_id: str = "weather") -> EvalSet:
    turn = Invocation.simple(
        "What is the weather in Paris?",
        "It is sunny in Paris",
        [ToolCall(name="get_weather", args={"city": "Paris"})],
        ["MAIN", "TOOL", "MAIN"],
    )
    return EvalSet(
        eval_set_id=eval_set_id, eval_cases=[EvalCase(eval_id="paris", conversation=[turn])]
    )


async def evaluated(config: EvalConfig) -> EvalReport:
    config.reporter = SILENT
    return await AgentEvaluator(*create_eval_app(weather_graph()), config).evaluate(weather_set())
