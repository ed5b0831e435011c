"""A stand-in for a model: it says what the script of an eval set has it say."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from tenxgraph_tui.graph import AgentState, Message, TextBlock, TokenUsages

FOLDER = Path(__file__).parent


class ScriptedModel:
    """Answers as a model would that knew the script by heart.

    Like a model it sees nothing but the conversation: the first thing the user said tells which
    case of the eval set is being played, the messages since then tell how far it has come.
    `config["pace"]` stretches its thinking time: 1 is as scripted, 0 is without waiting.
    """

    def __init__(self, name: str) -> None:
        scripts = _read(f"{name}.script.json")
        self._turns: dict[str, list[dict[str, Any]]] = {}
        for case in _read(f"{name}.evalset.json")["eval_cases"]:
            question = case["conversation"][0]["user_content"]["content"]
            if question in self._turns:
                raise ValueError(f"{name}.evalset.json asks {question!r} in two cases")
            if case["eval_id"] in scripts:
                self._turns[question] = scripts[case["eval_id"]]["turns"]

    async def __call__(self, state: AgentState, config: dict[str, Any]) -> Message:
        line, final = self._next_line(state.context)
        await asyncio.sleep(line.get("delay", 0) * config.get("pace", 1))
        if "raise" in line:
            raise RuntimeError(line["raise"])
        text = line.get("response" if final else "text", "")
        return _spoken(text, [] if final else line["tool_calls"], line.get("usage"))

    def _next_line(self, said: list[Message]) -> tuple[dict[str, Any], bool]:
        """What comes next in the script, and whether it is the answer of its turn."""
        asked = [index for index, message in enumerate(said) if message.role == "user"]
        question = said[asked[0]].text()
        turns = self._turns.get(question)
        if turns is None or len(asked) > len(turns):
            raise LookupError(
                f"the script does not say what to answer to {said[asked[-1]].text()!r}"
            )
        turn = turns[len(asked) - 1]
        done = sum(message.role == "assistant" for message in said[asked[-1] :])
        steps = turn.get("steps", [])
        return (turn, True) if done >= len(steps) else (steps[done], False)


def _spoken(text: str, calls: list[dict[str, Any]], usage: dict[str, int] | None) -> Message:
    """What a model sends back: text, requests for tools, and the tokens it took."""
    requests = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["args"])},
        }
        for number, call in enumerate(calls, start=1)
    ]
    return Message(
        role="assistant",
        content=[TextBlock(text=text)] if text else [],
        tools_calls=requests or None,
        usages=_tokens(**usage) if usage else None,
    )


def _tokens(input_tokens: int, output_tokens: int, cache_read_tokens: int = 0) -> TokenUsages:
    return TokenUsages(
        prompt_tokens=input_tokens,
        completion_tokens=output_tokens,
        total_tokens=input_tokens + output_tokens,
        cache_read_input_tokens=cache_read_tokens,
    )


def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return found
