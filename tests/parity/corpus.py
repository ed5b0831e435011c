"""The corpus of golden facts, and an agent that plays its scripts.

`cases/*.json` holds what 10xgraph 0.10.3 was measured to do. A file is a config, an eval set, what
the agent does in each case and what came of it; long texts are written as `{"words": [1, 9]}` or
`{"repeat": "word ", "length": 9}`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.graph import END, AgentState, Message, StateGraph, TokenUsages, ToolNode

CASES = Path(__file__).parent / "cases"
CASE = "case"
"""The key of the run config that tells the agent which script to play."""


@dataclass(frozen=True, slots=True)
class Golden:
    """One file of the corpus."""

    name: str
    facts: dict[str, Any]

    @property
    def config(self) -> dict[str, Any]:
        config: dict[str, Any] = self.facts["config"]
        return config

    @property
    def expected(self) -> dict[str, dict[str, Any]]:
        expected: dict[str, dict[str, Any]] = self.facts["expected"]
        return expected

    @property
    def named(self) -> dict[str, list[str]]:
        """The cases in which 10xGraph breaks its own documents, or our rules differ."""
        return dict(self.facts.get("divergence_cases", {}))

    def eval_set(self) -> EvalSet:
        """The eval set; the run config of each case says which script is to be played."""
        eval_set = EvalSet.model_validate(self.facts["eval_set"])
        for case in eval_set.eval_cases:
            case.session_input.config[CASE] = case.eval_id
        return eval_set

    def graph(self) -> StateGraph[AgentState]:
        return scripted(self.facts["scripts"], self.facts.get("extra_tool_params", []))


def corpus() -> Iterator[Golden]:
    for file in sorted(CASES.glob("*.json")):
        for name, facts in json.loads(file.read_text(encoding="utf-8")).items():
            yield Golden(name, _long(facts))


def _long(value: Any) -> Any:
    match value:
        case {"words": [int() as first, int() as last]}:
            return " ".join(f"w{number}" for number in range(first, last + 1))
        case {"repeat": str() as text, "length": int() as length}:
            return (text * (length // len(text) + 1))[:length]
        case dict():
            return {key: _long(item) for key, item in value.items()}
        case list():
            return [_long(item) for item in value]
    return value


def scripted(scripts: dict[str, Any], tool_params: list[str]) -> StateGraph[AgentState]:
    """MAIN says what the scripts say, TOOL runs what it asks for."""

    async def main(state: AgentState, config: dict[str, Any]) -> Message:
        turns = scripts[config[CASE]]["turns"]
        said: Message = next_message(turns, state.context, Message, TokenUsages)
        return said

    def route(state: AgentState) -> str:
        return "TOOL" if state.context[-1].tools_calls else END

    graph: StateGraph[AgentState] = StateGraph()
    graph.add_node("MAIN", main)
    graph.add_node("TOOL", ToolNode(tools(scripts, tool_params)))
    graph.add_conditional_edges("MAIN", route)
    graph.add_edge("TOOL", "MAIN")
    return graph.set_entry_point("MAIN")


def next_message(turns: list[dict[str, Any]], context: list[Any], kind: Any, usages: Any) -> Any:
    """What MAIN says next, as a message of that `kind`, with its tokens as `usages`."""
    asked = [position for position, message in enumerate(context) if message.role == "user"]
    said = sum(message.role == "assistant" for message in context[asked[-1] :])
    turn = turns[len(asked) - 1] if len(asked) <= len(turns) else {}
    steps = turn.get("steps", [])
    step = steps[said] if said < len(steps) else turn
    if "raise" in step:
        raise RuntimeError(step["raise"])
    text = turn.get("response", "") if step is turn else step.get("text", "")
    message = kind.text_message(text, role="assistant")
    if step is not turn:
        message.tools_calls = [
            {
                "id": f"{len(context)}-{number}",
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["args"])},
            }
            for number, call in enumerate(step["tool_calls"])
        ]
    elif "usage" in turn:
        given, made = turn["usage"]["input_tokens"], turn["usage"]["output_tokens"]
        message.usages = usages(
            prompt_tokens=given, completion_tokens=made, total_tokens=given + made
        )
    return message


def tools(scripts: dict[str, Any], extra: list[str]) -> list[Any]:
    """Functions that do what the scripts have their calls do; `extra` are injected parameters."""
    return [_tool(name, mine, extra) for name, mine in registered(scripts).items()]


def registered(scripts: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The calls of each tool that is registered, by their arguments: equal ones do the same."""
    calls: dict[str, dict[str, Any]] = {}
    for script in scripts.values():
        for turn in script["turns"]:
            for step in turn.get("steps", []):
                for call in step.get("tool_calls", []):
                    if not call.get("unregistered"):
                        mine = calls.setdefault(call["name"], {})
                        mine[json.dumps(call["args"], sort_keys=True)] = call
    return calls


def _tool(name: str, calls: dict[str, Any], extra: list[str]) -> Any:
    async def plain(**args: Any) -> Any:
        return await act(calls[json.dumps(args, sort_keys=True)])

    async def configured(config: Any, **args: Any) -> Any:
        assert config[CASE]
        return await plain(**args)

    tool = configured if extra == ["config"] else plain
    tool.__name__ = name
    return tool


async def act(call: dict[str, Any]) -> Any:
    """Do what a call of a script does."""
    await asyncio.sleep(call.get("delay", 0))
    if "error" in call:
        raise RuntimeError(call["error"])
    return call.get("result")
