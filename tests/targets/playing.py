"""What the sample agents do, as data, and the kinds of agents that can do it.

A kind makes something that can be evaluated out of scripts (`{eval_id: {"turns": […]}}`, see the
recordings of the README). To add one, write a function like `plain` and a row in `KINDS`.
"""

from __future__ import annotations

import atexit
import json
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tenxgraph_tui.evaluation.dataset import EvalSet
from tenxgraph_tui.evaluation.execution import TargetSource
from tenxgraph_tui.evaluation.formats import read_eval_set
from tenxgraph_tui.evaluation.objects import ObjectSource
from tenxgraph_tui.evaluation.target_options import TargetOptions
from tenxgraph_tui.targets import resolve
from tests.evaluation.judging.server import model_server
from tests.parity import corpus
from tests.targets.conftest import agent_process

Scripts = dict[str, Any]
Kind = Callable[[EvalSet, Scripts, Path], TargetSource]

FOLDER = Path(__file__).parents[2] / "sample_evalsets"

ODD: dict[str, list[dict[str, Any]]] = {
    "fails_on_the_second_turn": [
        {"steps": [{"tool_calls": [{"name": "look", "args": {"at": "this"}, "result": [1]}]}]},
        {"raise": "out of words"},
    ],
    "asks_for_what_there_is_not": [
        {
            "steps": [
                {
                    "tool_calls": [
                        {"name": "nobody", "args": {"x": 1}, "unregistered": True},
                        {"name": "look", "args": {"at": "that"}, "result": {"a": None}},
                    ]
                }
            ],
            "response": "there is no such tool",
        }
    ],
}


def sample(name: str) -> tuple[EvalSet, Scripts]:
    """A sample set and what its agent does, without waiting; `odd` is one of agents gone wrong."""
    if name == "odd":
        cases = [
            {
                "eval_id": eval_id,
                "conversation": [
                    {
                        "user_content": {"role": "user", "content": f"{eval_id} {number}"},
                        "expected_tool_trajectory": [{"name": "look"}],
                    }
                    for number in range(len(turns))
                ],
            }
            for eval_id, turns in ODD.items()
        ]
        read = EvalSet.model_validate({"eval_set_id": "odd", "eval_cases": cases})
        return read, {eval_id: {"turns": turns} for eval_id, turns in ODD.items()}
    read = read_eval_set(FOLDER / f"{name}.evalset.json").eval_set
    text = (FOLDER / f"{name}.script.json").read_text(encoding="utf-8")
    return read, _without_delays(json.loads(text))


def _without_delays(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_delays(item) for key, item in value.items() if key != "delay"}
    return [_without_delays(item) for item in value] if isinstance(value, list) else value


def embedded(eval_set: EvalSet, scripts: Scripts, folder: Path) -> TargetSource:
    return ObjectSource(corpus.scripted(scripts, []))


def tenxgraph(eval_set: EvalSet, scripts: Scripts, folder: Path) -> TargetSource:
    from tests.parity import tenxgraph_corpus

    return ObjectSource(tenxgraph_corpus.scripted(scripts, []))


def langgraph(eval_set: EvalSet, scripts: Scripts, folder: Path) -> TargetSource:
    from tests.parity import langgraph_corpus

    return ObjectSource(langgraph_corpus.scripted(scripts))


def plain(eval_set: EvalSet, scripts: Scripts, folder: Path) -> TargetSource:
    """A function of the messages that knows by the first of them which case it is in."""
    by_question = _turns(eval_set, scripts)

    def agent(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        asked = [message["content"] for message in messages if message["role"] == "user"]
        turn = by_question[asked[0]][len(asked) - 1]
        said = [each for step in turn.get("steps", []) for each in _step(step)]
        if "raise" in turn:
            raise RuntimeError(turn["raise"])
        return [*said, {"role": "assistant", "content": turn.get("response", "")}]

    return ObjectSource(agent)


def _turns(eval_set: EvalSet, scripts: Scripts) -> dict[str, list[dict[str, Any]]]:
    """The turns of each case, by its first question."""
    return {
        case.conversation[0].user_content.get_text(): scripts[case.eval_id]["turns"]
        for case in eval_set.eval_cases
    }


def _step(step: dict[str, Any]) -> list[dict[str, Any]]:
    calls = list(enumerate(step["tool_calls"]))
    return [
        {
            "role": "assistant",
            "content": step.get("text", ""),
            "tool_calls": [
                {
                    "id": str(number),
                    "type": "function",
                    "function": {"name": call["name"], "arguments": json.dumps(call["args"])},
                }
                for number, call in calls
            ],
        },
        *({"role": "tool", "tool_call_id": str(number), **_result(call)} for number, call in calls),
    ]


def _result(call: dict[str, Any]) -> dict[str, Any]:
    if call.get("error") or call.get("unregistered"):
        return {"content": call.get("error") or f"no tool {call['name']!r}", "is_error": True}
    return {"content": call.get("result")}


def replay(eval_set: EvalSet, scripts: Scripts, folder: Path) -> TargetSource:
    file = folder / "recorded.script.json"
    file.write_text(json.dumps(scripts), encoding="utf-8")
    return resolve(f"replay:{file}", base=folder)


def _where(package: str, why: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(find_spec(package) is None, reason=f"{why} is not installed")


def over_http(eval_set: EvalSet, scripts: Scripts, folder: Path) -> TargetSource:
    file = folder / "played.script.json"
    file.write_text(json.dumps(scripts), encoding="utf-8")
    url = f"{_server()}/played{file}"
    described = {
        "body": '{"thread": {{ thread_id | tojson }}, "turn": {{ turn }}}',
        "answer": "answer",
        "tool_calls": "calls",
        "error": "raised",
    }
    options = TargetOptions.model_validate({"http": {url: described}})
    return resolve(url, base=folder, options=options)


@cache
def _server() -> str:
    serving = agent_process()
    atexit.register(serving.close)
    return next(serving)


TOOLS = """
import json
from pathlib import Path
from tests.parity import corpus

scripts = json.loads(Path(__file__).with_name("scripts.json").read_text(encoding="utf-8"))
globals().update({tool.__name__: tool for tool in corpus.tools(scripts, [])})
"""


def model(eval_set: EvalSet, scripts: Scripts, folder: Path) -> TargetSource:
    """A model behind OpenAI's API that says what the scripts say, and Python functions as tools."""
    played = folder / "played.json"
    played.write_text(json.dumps(_turns(eval_set, scripts)), encoding="utf-8")
    (folder / "scripts.json").write_text(json.dumps(scripts), encoding="utf-8")
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    described = {
        "base_url": _model_server(),
        "retries": 0,
        "tools": [f"tools.py:{name}" for name in corpus.registered(scripts)],
    }
    options = TargetOptions.model_validate({"model": described, "root": str(folder)})
    return resolve(f"model:play@{played}", base=folder, options=options)


@cache
def _model_server() -> str:
    running = ExitStack()
    atexit.register(running.close)
    return running.enter_context(model_server()).url


KINDS = [
    pytest.param(embedded, id="embedded graph"),
    pytest.param(tenxgraph, id="10xGraph", marks=_where("tenxgraph", "10xGraph")),
    pytest.param(langgraph, id="LangGraph", marks=_where("langgraph", "LangGraph")),
    pytest.param(plain, id="plain function"),
    pytest.param(over_http, id="HTTP"),
    pytest.param(model, id="model"),
    pytest.param(replay, id="replay"),
]
